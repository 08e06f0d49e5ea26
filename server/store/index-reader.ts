import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import type { Queries, Sql } from "./database.js";
import { OffsetBookmarks } from "./queries/offset-bookmarks.js";

/** Default time limit for all statements of an answer, as in TON Center. */
export const defaultStatementsMs = 3000;

/** Read access to the index for handlers. The database may be connected later. */
export class IndexReader {
  readonly #bookmarks = new OffsetBookmarks();
  readonly #maxMs: number;
  #database: Sql | undefined;

  /** `maxMs` limits the time of all statements of an answer, unless the caller sets a lower limit. */
  constructor({ maxMs = defaultStatementsMs } = {}) {
    this.#maxMs = maxMs;
  }

  /** Sets the database to read from; `undefined` makes the index unavailable. */
  connect(database: Sql | undefined): void {
    this.#database = database;
  }

  /** Runs all statements of one answer in one snapshot. Throws `unavailable` while there is no database. */
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
