import type { Call } from "../../../shared/methods/define.js";
import { ServiceError } from "../../errors.js";
import { Deadline } from "../../os/deadline.js";
import { pause } from "../../os/pause.js";
import type { IndexVersion, Queries, Sql } from "../database.js";
import { isForbidden, missingRights } from "../database-errors.js";
import { OffsetBookmarks } from "../queries/slots/offset-bookmarks.js";
import { ForeignQueries, type Layout } from "./index-reads.js";
import { IndexVersions } from "./index-versions.js";
import { TracedQueries } from "./traced-queries.js";

/** Default time limit for all statements of an answer, as in TON Center. */
export const defaultStatementsMs = 3000;

/** Answers of one caller that are read at once, under a plan with a rate limit and without. */
const maxLimited = 2;
const maxUnlimited = 8;

type ReaderOptions = {
  maxMs?: number;
  /** The limit of a caller, if it is not that of others. */
  patienceOf?: (caller: string | undefined) => number | undefined;
  openWaitMs?: number;
  lack?: () => string | undefined;
  /** Gets the error of an answer for which the user of the database lacks a right. */
  onForbidden?: (error: Error) => void;
  /** Learns the versions that are read. */
  versions?: IndexVersions;
};

/** The database itself, as the log names it. */
export const primaryName = "primary";

/** A database, or several with the same index. */
export type SnapshotSource = Pick<Sql, "transaction">;

/** Read access to the index for handlers. The database may be connected later. */
export class IndexReader {
  readonly #bookmarks = new OffsetBookmarks();
  readonly #maxMs: number;
  readonly #patienceOf: NonNullable<ReaderOptions["patienceOf"]>;
  readonly #openWaitMs: number;
  readonly #lack: ReaderOptions["lack"];
  readonly #onForbidden: ReaderOptions["onForbidden"];
  readonly #versions: IndexVersions;
  /** Aborted as soon as it is known whether there is a database. */
  readonly #opening = new AbortController();
  #database: SnapshotSource | undefined;
  #layout: Layout | undefined;

  /**
   * `maxMs` limits the time of all statements of an answer; the caller may set a lower limit. `openWaitMs` is how long an
   * answer waits until `connect` is called for the first time. `lack` says why nothing can be read yet, if that is known.
   */
  constructor({
    maxMs = defaultStatementsMs,
    patienceOf = () => undefined,
    openWaitMs = 0,
    lack,
    onForbidden,
    versions = new IndexVersions(),
  }: ReaderOptions = {}) {
    this.#maxMs = maxMs;
    this.#patienceOf = patienceOf;
    this.#openWaitMs = openWaitMs;
    this.#lack = lack;
    this.#onForbidden = onForbidden;
    this.#versions = versions;
  }

  /** Sets the database to read from, with its layout if that is not ours; `undefined` makes the index unavailable. */
  connect(database: SnapshotSource | undefined, layout?: Layout): void {
    this.#database = database;
    this.#layout = layout;
    this.#opening.abort();
  }

  /**
   * Runs all statements of one answer in one snapshot. Callers take turns. Throws `unavailable` while there is no
   * database, `rate-limited` for a slow answer that others would have to wait for.
   */
  async read<T>(call: Call, work: (queries: Queries, bookmarks: OffsetBookmarks) => Promise<T>): Promise<T> {
    const { timeoutMs } = call.options;
    const gone = call.signal as AbortSignal;
    if (!this.#database) await this.#opened(gone);
    if (!this.#database) throw new ServiceError("unavailable", this.#lack?.() ?? "database is not available");
    // A time limit that the caller asks for includes waiting.
    const layout = this.#layout;
    const deadline = timeoutMs === undefined ? undefined : new Deadline(timeoutMs, gone);
    // That of the last snapshot, if the answer is read again.
    let readAt: IndexVersion | undefined;
    try {
      const { trail } = call;
      const noteDoor = (name: string) => {
        if (trail) trail.door = name;
      };
      // Standbys name themselves.
      noteDoor(primaryName);
      return await this.#database.transaction(
        (queries) => {
          const traced = trail ? new TracedQueries(queries, trail) : queries;
          return work(layout ? new ForeignQueries(traced, layout) : traced, this.#bookmarks);
        },
        {
          onDoor: noteDoor,
          snapshot: true,
          caller: { id: call.caller ?? "", maxRunning: call.unlimited ? maxUnlimited : maxLimited },
          maxMs: this.#patienceOf(call.caller) ?? this.#maxMs,
          signal: deadline?.signal ?? gone,
          versionSql: layout?.versionSql,
          least: call.leastIndex,
          onVersion: (version) => {
            this.#versions.saw(version);
            readAt = version;
          },
        },
      );
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.#onForbidden?.(error as Error);
      throw new ServiceError("unavailable", missingRights, { cause: error });
    } finally {
      if (readAt) call.readAt?.(readAt);
      deadline?.clear();
    }
  }

  async #opened(gone: AbortSignal): Promise<void> {
    const { signal } = this.#opening;
    if (this.#openWaitMs === 0 || signal.aborted) return;
    // Aborted: the caller finds out why.
    await pause(this.#openWaitMs, AbortSignal.any([signal, gone]));
  }
}
