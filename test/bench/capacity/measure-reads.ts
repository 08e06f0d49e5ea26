import pg from "pg";
import SQL from "sql-template-tag";
import { ServiceError } from "../../../server/errors.js";
import type { QueryPairs } from "../../../server/rpc/params/params.js";
import type { Sql } from "../../../server/store/database.js";
import type { Call } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import { sized } from "../../helpers/effort.js";
import { backendNanos, oursName } from "../v3/backend-time.js";
import type { ReadClass } from "./read-classes.js";
import { fillMemory, pagesOf } from "./server-counters.js";

/** Cost of one call: pages of the server's memory, processor time in microseconds, and bytes of the answer. */
export type ReadCost = { pages: number; postgresUs: number; nodeUs: number; bytes: number };

/** A server may choose a plan for all values after five runs. */
const warmUps = sized(1, 6);

/** Answers calls over one connection, without a cache and without HTTP. */
export class ReadMeter {
  readonly #sql: Sql;
  /** Connected to the same database, and to another one. */
  readonly #beside: pg.Client;
  readonly #watch: pg.Client;
  readonly #database: string;

  private constructor(sql: Sql, beside: pg.Client, watch: pg.Client, database: string) {
    this.#sql = sql;
    this.#beside = beside;
    this.#watch = watch;
    this.#database = database;
  }

  /** `sql` has one connection, from which the methods read. */
  static async open(sql: Sql, url: string): Promise<ReadMeter> {
    const [beside, watch] = [new pg.Client(url), new pg.Client(elsewhere(url))];
    await Promise.all([beside.connect(), watch.connect()]);
    return new ReadMeter(sql, beside, watch, new URL(url).pathname.slice(1));
  }

  async close(): Promise<void> {
    await Promise.all([this.#beside.end(), this.#watch.end()]);
  }

  /** The mean of the calls of a class; `undefined` if they are refused. */
  async warm({ method, queries }: ReadClass): Promise<ReadCost | undefined> {
    for (const query of queries.slice(0, warmUps))
      if ((await answer(method, query)) === undefined) return undefined;
    const before = await this.#counted();
    const { user, system } = process.cpuUsage();
    let bytes = 0;
    for (const query of queries) bytes += (await answer(method, query)) ?? 0;
    const spent = process.cpuUsage({ user, system });
    const after = await this.#counted();
    const perCall = (sum: number) => sum / queries.length;
    return {
      pages: perCall(after.hits + after.reads - before.hits - before.reads),
      postgresUs: perCall((after.nanos - before.nanos) / 1000),
      nodeUs: perCall(spent.user + spent.system),
      bytes: perCall(bytes),
    };
  }

  /** Pages that a call reads from files if the server has none of them in memory: the mean of the first calls. */
  async cold({ method, queries }: ReadClass, calls: number): Promise<number> {
    // The session learns of the tables.
    await answer(method, queries.at(-1)!);
    let reads = 0;
    for (const query of queries.slice(0, calls)) {
      await fillMemory(this.#watch);
      const before = await this.#counted();
      await answer(method, query);
      reads += (await this.#counted()).reads - before.reads;
    }
    return reads / calls;
  }

  async #counted() {
    const nanos = await backendNanos(this.#beside, oursName);
    await this.#sql.query(SQL`select pg_stat_force_next_flush()`);
    return { nanos, ...(await pagesOf(this.#watch, this.#database)) };
  }

  get watch(): pg.Client {
    return this.#watch;
  }
}

/** The URL of another database of the server. */
function elsewhere(url: string): string {
  const other = new URL(url);
  other.pathname = "/postgres";
  return other.href;
}

/** The length of an answer; `undefined` if the call is refused. */
async function answer(method: ReadClass["method"], query: QueryPairs): Promise<number | undefined> {
  const call: Call = { options: {}, asked: new Set<number>(), signal: new AbortController().signal };
  try {
    const { values } = method.params.read({ query });
    const result = await method.run(values, call);
    return result instanceof JsonText ? result.text.length : JSON.stringify(result).length;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Absent rows have been looked for, too.
    if (error.code === "absent") return 0;
    if (error.code === "invalid-params") return undefined;
    throw error;
  }
}
