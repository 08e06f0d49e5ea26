import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Queries, Sql } from "../store/database.js";

/** Longest time of all statements of an answer, where the caller does not want less. */
const mostMs = 3000;

/** The index as handlers see it: there or not yet, and each answer read in one snapshot. */
export class IndexReader {
  #sql: Sql | undefined;

  /** From now on there is something to read. */
  connect(sql: Sql): void {
    this.#sql = sql;
  }

  /** All statements of one answer see the same blocks. Throws `unavailable` while there is no database. */
  async read<T>(call: Call, work: (queries: Queries) => Promise<T>): Promise<T> {
    if (!this.#sql) throw new ServiceError("unavailable", "database is not available");
    const late = AbortSignal.timeout(call.options.timeoutMs ?? mostMs);
    const signal = AbortSignal.any([late, call.signal as AbortSignal]);
    return this.#sql.transaction(work, { snapshot: true, signal });
  }
}
