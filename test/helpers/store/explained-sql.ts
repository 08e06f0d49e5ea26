import pg from "pg";
import SQL from "sql-template-tag";
import type { Queries, Sql, Statement } from "../../../server/store/database.js";

/** A node of a plan that ran, as `EXPLAIN (ANALYZE, BUFFERS)` reports it. Counts of rows are averages per loop. */
export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
};

export type Explained = { text: string; plan: PlanNode };

/**
 * A database that explains every statement of a snapshot: it is run as usual, then once more under EXPLAIN, by the very
 * prepared statement of the connection, so that a generic plan shows as such. `sql` must have one connection.
 */
export class ExplainedSql implements Sql {
  readonly #sql: Sql;
  #explained: Explained[] | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    return this.#sql.query<Row>(statement);
  }

  isDivided(): Promise<boolean> {
    return this.#sql.isDivided();
  }

  transaction<T>(...[work, options]: Parameters<Sql["transaction"]>): Promise<T> {
    return this.#sql.transaction(async (transaction) => {
      const query = async <Row>(statement: Statement): Promise<Row[]> => {
        // It is not the last one: it is explained after it.
        const { text, values, isPlannedOnce = false, isInOrder = false, fromBytes } = statement;
        const rows = await transaction.query<Row>({ text, values, isPlannedOnce, isInOrder, fromBytes });
        this.#explained?.push({ text: statement.text, plan: await explain(transaction, statement) });
        return rows;
      };
      const isDivided = () => transaction.isDivided();
      return work({ ...transaction, query, isDivided } as typeof transaction) as Promise<T>;
    }, options);
  }

  /** The plans of all statements of `read`. */
  async explain(read: () => Promise<unknown>): Promise<Explained[]> {
    this.#explained = [];
    try {
      await read();
      return this.#explained;
    } finally {
      this.#explained = undefined;
    }
  }
}

async function explain(queries: Queries, statement: Statement): Promise<PlanNode> {
  const [prepared] = await queries.query<{ name: string }>(
    SQL`select name from pg_prepared_statements where statement = ${statement.text}`,
  );
  const values = statement.values.map(literal).join(", ");
  const { isPlannedOnce = false, isInOrder = false } = statement;
  const [row] = await queries.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>({
    isPlannedOnce,
    isInOrder,
    text: `explain (analyze, buffers, format json) execute ${prepared!.name}${values === "" ? "" : `(${values})`}`,
    values: [],
  });
  return row!["QUERY PLAN"][0]!.Plan;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(entryText).join(",")}}`);
  return pg.escapeLiteral(plainText(value));
}

function entryText(value: unknown): string {
  return `"${plainText(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function plainText(value: unknown): string {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(value);
}
