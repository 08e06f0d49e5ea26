import SQL from "sql-template-tag";
import { describe, test } from "vitest";
import { widenedTables } from "../../../server/store/cluster/divided-tables.js";
import type { Database, Queries, Statement } from "../../../server/store/database.js";
import type { SnapshotSource } from "../../../server/store/reads/index-reader.js";
import { citusUrl } from "./cluster-databases.js";
import { dumpTables } from "./tables.js";

/** Tests that need a cluster. */
export function describeCitus(title: string, body: () => void): void {
  if (citusUrl === undefined) test.skip(`${title}: TONWIRE_TEST_CITUS names no coordinator`, () => {});
  else describe(title, body);
}

/** Answers of a divided index, and how many statements its nodes ran for them. */
export class CountedNodes implements SnapshotSource {
  readonly #source: SnapshotSource;
  readonly #queries: Queries;
  #statements = 0;

  /** `queries`: where statements are explained. Citus refuses some of those that follow an explained one in a transaction. */
  constructor(source: SnapshotSource, queries: Queries) {
    this.#source = source;
    this.#queries = queries;
  }

  transaction<T>(...[work, options]: Parameters<SnapshotSource["transaction"]>): Promise<T> {
    return this.#source.transaction(async (transaction) => {
      const query = async <Row>({ text, values, fromBytes }: Statement): Promise<Row[]> => {
        this.#statements += await tasksOf(this.#queries, { text, values });
        return transaction.query<Row>({ text, values, fromBytes });
      };
      const isDivided = async () => true;
      return work({ query, isDivided } as unknown as typeof transaction);
    }, options) as Promise<T>;
  }

  /** The statements that nodes run while `read` reads. */
  async during(read: () => Promise<unknown>): Promise<number> {
    this.#statements = 0;
    await read();
    return this.#statements;
  }
}

/** The tasks of the plan of a statement and of its subplans. */
async function tasksOf(queries: Queries, { text, values }: Statement): Promise<number> {
  const [row] = await queries.query<{ "QUERY PLAN": unknown }>({
    text: `explain (format json) ${text}`,
    values,
  });
  return sumOfTasks(row!["QUERY PLAN"]);
}

/** Tables that are not divided are tasks of the coordinator itself. */
const ofCoordinator = citusUrl && `port=${new URL(citusUrl).port || 5432} `;

function sumOfTasks(plan: unknown): number {
  if (typeof plan !== "object" || plan === null) return 0;
  const isOfNodes =
    "Task Count" in plan && !("Tasks" in plan && JSON.stringify(plan.Tasks).includes(ofCoordinator!));
  const own = isOfNodes ? Number(plan["Task Count"]) : 0;
  return Object.values(plan).reduce<number>((sum, each) => sum + sumOfTasks(each), own);
}

/** How many shards each divided table has. */
export async function countShards(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ shards: number }>(SQL`
    select count(*)::integer as shards from pg_dist_shard where logicalrelid = 'transactions'::regclass`);
  return row!.shards;
}

/** How many owners tokens have, and how many of them do not lead to these tokens. */
export async function countOwners(queries: Queries): Promise<{ all: number; unnoted: number }> {
  const [row] = await queries.query<{ all: number; unnoted: number }>(SQL`
    with owners as materialized (
      select owner, address from jetton_wallets
      union select owner_address, address from nft_items where owner_address is not null
      union select real_owner, address from nft_items where real_owner is not null),
    unnoted as (select * from owners except select owner, token from owned_tokens)
    select (select count(*)::integer from owners) as all, (select count(*)::integer from unnoted) as unnoted`);
  return row!;
}

/**
 * All rows of declared tables as sorted texts: of a divided index without the columns that it has in addition, so each body
 * once.
 */
export async function dumpSorted(
  database: Database,
  names?: readonly string[],
): Promise<Record<string, string[]>> {
  const dump = await dumpTables(database, names && [...names]);
  for (const [name, rows] of Object.entries(dump)) {
    const added = addedColumns.get(name);
    const texts = added ? rows.map((row) => row.replace(added, "}")) : rows;
    dump[name] = [...new Set(texts)].sort();
  }
  return dump;
}

/** By the table: the text of the column that only divided indexes have. */
const addedColumns = new Map(
  widenedTables.map(({ name, column }) => [name, new RegExp(`,"${column}":[^,]*}$`)]),
);
