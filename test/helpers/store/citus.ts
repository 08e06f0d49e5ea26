import SQL from "sql-template-tag";
import { divideIndex } from "../../../server/store/cluster/divide.js";
import { dividedTables } from "../../../server/store/cluster/divided-tables.js";
import type { Database, Queries, Statement } from "../../../server/store/database.js";
import type { SnapshotSource } from "../../../server/store/index-reader.js";
import { migrate } from "../../../server/store/migrate.js";
import { emptyIndex } from "../../../server/store/queries/upkeep/empty-index.js";
import { openPatiently } from "./postgres.js";
import { dumpTables } from "./tables.js";

/** The coordinator of a Citus cluster, whose database is for tests alone: they remove the index in it. */
export const citusUrl = process.env["TONWIRE_TEST_CITUS"];

/** A database with an empty index that is divided among the nodes of the cluster. */
export async function openDivided(): Promise<Database> {
  await remake();
  return openPatiently(citusUrl!);
}

/** On connections that are closed afterwards: those of a divided index know of it from their beginning. */
async function remake(): Promise<void> {
  const database = openPatiently(citusUrl!);
  try {
    const sql = database.sql({ connections: 1 });
    if (!(await emptyIndex(sql))) throw new Error("another process writes the index on the cluster");
    await migrate(sql);
    await divideIndex(sql);
  } finally {
    await database.close();
  }
}

/** Answers of a divided index, and how many statements its nodes ran for them. */
export class CountedNodes implements SnapshotSource {
  readonly #source: SnapshotSource;
  #statements = 0;

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  transaction<T>(...[work, options]: Parameters<SnapshotSource["transaction"]>): Promise<T> {
    return this.#source.transaction(async (transaction) => {
      const query = async <Row>({ text, values, fromBytes }: Statement): Promise<Row[]> => {
        this.#statements += await tasksOf(transaction, { text, values });
        // It is not the last one: the next one is explained.
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

function sumOfTasks(plan: unknown): number {
  if (typeof plan !== "object" || plan === null) return 0;
  const own = "Task Count" in plan ? Number(plan["Task Count"]) : 0;
  return Object.values(plan).reduce<number>((sum, each) => sum + sumOfTasks(each), own);
}

/** How many shards each divided table has. */
export async function countShards(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ shards: number }>(SQL`
    select count(*)::integer as shards from pg_dist_shard where logicalrelid = 'transactions'::regclass`);
  return row!.shards;
}

/**
 * All rows of declared tables as sorted texts: of a divided index without the accounts that it has in addition, so each body
 * once.
 */
export async function dumpSorted(
  database: Database,
  names?: readonly string[],
): Promise<Record<string, string[]>> {
  const dump = await dumpTables(database, names && [...names]);
  for (const [name, rows] of Object.entries(dump)) {
    const isNamed = withAccounts.includes(name);
    const texts = isNamed ? rows.map((row) => row.replace(/,"account":"[^"]*"}$/, "}")) : rows;
    dump[name] = [...new Set(texts)].sort();
  }
  return dump;
}

const withAccounts = dividedTables.filter(({ columns }) => !("account" in columns)).map(({ name }) => name);
