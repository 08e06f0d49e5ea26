import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Queries, Sql } from "./database.js";
import { OffsetBookmarks } from "./queries/offset-bookmarks.js";

/** How long the statements of an answer may take where nothing else is said, as TON Center has it. */
export const defaultStatementsMs = 3000;

/** The index as handlers see it: there or not yet, and each answer read in one snapshot. */
export class IndexReader {
  readonly #bookmarks = new OffsetBookmarks();
  readonly #maxMs: number;
  #database: Sql | undefined;

  /** `maxMs` is the longest time of all statements of an answer, where the caller does not want less. */
  constructor({ maxMs = defaultStatementsMs } = {}) {
    this.#maxMs = maxMs;
  }

  /** From now on there is something to read, or nothing any more. */
  connect(database: Sql | undefined): void {
    this.#database = database;
  }

  /** All statements of one answer see the same blocks. Throws `unavailable` while there is no database. */
  async read<T>(call: Call, work: (queries: Queries, bookmarks: OffsetBookmarks) => Promise<T>): Promise<T> {
    if (!this.#database) throw new ServiceError("unavailable", "database is not available");
    const late = AbortSignal.timeout(call.options.timeoutMs ?? this.#maxMs);
    const signal = AbortSignal.any([late, call.signal as AbortSignal]);
    return this.#database.transaction((queries) => work(queries, this.#bookmarks), {
      snapshot: true,
      signal,
    });
  }
}
