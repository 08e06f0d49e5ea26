import { failureText } from "../errors.js";
import type { Log } from "./log.js";

/** The fallback behaviour after each failure. The names are values of a metric's label. */
const consequences = {
  "connection-users": "callers behind a proxy that adds no header look like programs on this machine",
  "copied-states": "accounts of the devnet are read with proofs instead of from a copy of its states",
  "devnet-key": "the key of the devnet cannot be written to its file and holds for this run only",
  "devnet-meta": "the data folder of the devnet does not record yet that its chain has blocks",
  "devnet-snapshot": "the devnet cannot store a snapshot of its states, so its next start takes longer",
  "database-pages": "pages of the database that belong into a temporary file are kept in memory",
  "disk-size": "the metrics lack the size of the disk",
  "document-examples": "the documents lack answers from the sample data",
  "fork-cache": "an answer of the fork's origin is not kept, so that it is requested again",
  "hint-trial": "a hint has no amount, because its message could not be tried again",
  "key-usage":
    "what API keys use is counted, but not written yet; quotas leave out what other processes count",
  "kept-file": "a file of the cache folder cannot be used, so starts take longer",
  "message-exchange": "the processes of the database do not see each other's pending messages",
  "raw-transaction": "an event lacks the raw transaction that its subscriber asked for",
  "rejection-details": "the rejection of a message is explained with fewer details",
  "remote-devnet": "the newest block of the devnet cannot be read",
  "planner-statistics": "the database plans statements by older statistics until the next batch",
  "silent-process":
    "a process that stands still loses its locks, or keeps them if its connections cannot be ended",
  "short-methods": "short get-methods run in other threads, which takes longer",
  "statement-cancel": "a statement whose answer nobody waits for runs until its timeout",
  "table-sizes": "the metrics have the sizes of tables as they were read before",
} as const;

/** Names of all failures that the program goes on after; each has its consequence above. */
export type FallbackReason = keyof typeof consequences;

/** Reports a failure after which the program continues with a fallback: counts it, and logs it now and then. */
export type Fallback = (reason: FallbackReason, error: unknown) => void;

/** A reason is logged once in this time. */
const quietMs = 600_000;

type FallbackOptions = {
  log: Pick<Log, "warn">;
  metrics: { fellBack(reason: FallbackReason): void };
  /** Clock in milliseconds. */
  now: () => number;
};

/** Counts every failure, and logs the first one of a reason and then one in ten minutes, with the number of the others. */
export function createFallback({ log, metrics, now }: FallbackOptions): Fallback {
  const logged = new Map<FallbackReason, { at: number; count: number }>();
  return (reason, error) => {
    metrics.fellBack(reason);
    const last = logged.get(reason);
    if (last && now() - last.at < quietMs) {
      last.count++;
      return;
    }
    logged.set(reason, { at: now(), count: 0 });
    const unlogged = last?.count ? { unlogged: last.count } : {};
    log.warn(
      { fallback: reason, ...unlogged, ...detailsOf(error) },
      `${consequences[reason]}: ${textOf(error)}`,
    );
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? failureText(error) : String(error);
}

/** Errors that JavaScript itself throws are defects; only the stack shows their place. */
function detailsOf(error: unknown): { err?: unknown } {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type)
    ? { err: error }
    : {};
}
