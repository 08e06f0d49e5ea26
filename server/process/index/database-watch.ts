import type { DatabaseNumbers } from "../../observe/database-metrics.js";
import type { Fallback } from "../../observe/fallback.js";
import type { Database, Sql } from "../../store/database.js";
import { readTableSizes } from "../../store/queries/upkeep/table-sizes.js";

/** The sizes of a large index take tenths of a second to read. */
const sizesMs = 5 * 60_000;

const statementMs = 10_000;

type WatchOptions = {
  now: () => number;
  fallback: Fallback;
  /** In processes that write the index, because tables are the same for all. */
  withTables: boolean;
};

/** Database figures for metrics. Table sizes are cached for five minutes. */
export class DatabaseWatch {
  readonly #database: Database;
  readonly #sql: Sql;
  readonly #options: WatchOptions;
  #tables: DatabaseNumbers["tables"] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database, options: WatchOptions) {
    this.#database = database;
    this.#sql = database.sql({ connections: 1, statementTimeoutMs: statementMs });
    this.#options = options;
  }

  numbers(): Pick<DatabaseNumbers, "connections" | "tables"> {
    const { now, withTables } = this.#options;
    if (withTables && !this.#isClosed && now() - this.#readAt >= sizesMs) {
      this.#readAt = now();
      this.#reading = this.#read();
    }
    return { connections: this.#database.connections(), tables: this.#tables };
  }

  /** Call it before the database is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading;
  }

  /** Keep the last figures until the database answers again. */
  async #read(): Promise<void> {
    try {
      this.#tables = await readTableSizes(this.#sql);
    } catch (error) {
      if (!this.#isClosed) this.#options.fallback("table-sizes", error);
    }
  }
}
