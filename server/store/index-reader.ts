import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Queries, Sql } from "./database.js";
import { Landmarks } from "./queries/landmarks.js";

/** How long the statements of an answer may take where nothing else is said, as TON Center has it. */
export const usualStatementsMs = 3000;

/** The index as handlers see it: there or not yet, and each answer read in one snapshot. */
export class IndexReader {
  readonly #landmarks = new Landmarks();
  readonly #mostMs: number;
  #sql: Sql | undefined;

  /** `mostMs` is the longest time of all statements of an answer, where the caller does not want less. */
  constructor({ mostMs = usualStatementsMs } = {}) {
    this.#mostMs = mostMs;
  }

  /** From now on there is something to read, or nothing any more. */
  connect(sql: Sql | undefined): void {
    this.#sql = sql;
  }

  /** All statements of one answer see the same blocks. Throws `unavailable` while there is no database. */
  async read<T>(call: Call, work: (queries: Queries, landmarks: Landmarks) => Promise<T>): Promise<T> {
    if (!this.#sql) throw new ServiceError("unavailable", "database is not available");
    const late = AbortSignal.timeout(call.options.timeoutMs ?? this.#mostMs);
    const signal = AbortSignal.any([late, call.signal as AbortSignal]);
    return this.#sql.transaction((queries) => work(queries, this.#landmarks), { snapshot: true, signal });
  }
}
