import type { ReadTrail } from "../../shared/methods/define.js";

/** SQL text with `$1 ...` and its values, as the tag of sql-template-tag makes it. */
export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** In a snapshot: whether one plan serves all values. Other statements are planned for their values each time. */
  readonly isPlannedOnce?: boolean;
  /**
   * In a snapshot: whether some index has its rows in order. Where a plan does not depend on all values, it may look cheaper
   * to sort what another index finds, however much that is.
   */
  readonly isInOrder?: boolean;
  /** In a snapshot: whether no other statement follows. The snapshot then ends with it. */
  readonly isLast?: boolean;
  /** Makes what comes out of the bytes of each row, for long texts that need not become strings. */
  readonly fromBytes?: FromBytes | undefined;
};

/**
 * Makes something of a row whose values are the bytes of their texts, which are reused after the call. What it makes
 * `undefined` of is left out.
 */
export type FromBytes = (row: never) => unknown;

export type QueryOptions = {
  /** Aborts the query. PostgreSQL cancels it; PGlite finishes it, and its result is dropped. */
  signal?: AbortSignal | undefined;
};

/**
 * A state of the index: `n` is raised by every commit that changes what readers see, `seqno` is the last masterchain block
 * without a gap before it.
 */
export type IndexVersion = { readonly n: number; readonly seqno: number };

/** The version that a notification, or the first statement of a snapshot, has; `undefined` for any other text. */
export function versionIn(text: string): IndexVersion | undefined {
  const [, n, seqno] = /^(\d{1,16}) (\d{1,10})$/.exec(text) ?? [];
  return n === undefined ? undefined : { n: Number(n), seqno: Number(seqno) };
}

/** How new the state of an answer must be: with a masterchain block, or with all that this process was notified of. */
export type LeastVersion = number | "newest";

/** A caller whose answers take turns with those of others. */
export type TurnCaller = {
  readonly id: string;
  /** Answers that may be read for it at once; more of them wait. */
  readonly maxRunning: number;
};

export type TransactionOptions = QueryOptions & {
  /** Runs all statements in one read-only snapshot, for answers made of several queries. */
  snapshot?: boolean;
  /** The caller that the answer is for: it takes turns with others. Rejects with `rate-limited` if it takes too long. */
  caller?: TurnCaller;
  /** Time limit of all statements together. Waiting for a turn does not count. */
  maxMs?: number;
  /** Called at its turn, before it waits for a connection. */
  onTurn?: (() => void) | undefined;
  /** For a snapshot: called with its version of the index as the first statement is answered. */
  onVersion?: ((version: IndexVersion) => void) | undefined;
  /** Called with the name of each server that is asked, and with that of the one that answers. */
  onDoor?: ((name: string) => void) | undefined;
  /** SQL for that version, if the index is of another layout than ours. */
  versionSql?: string | undefined;
  /** Least version of a snapshot, as standbys have older ones. */
  least?: LeastVersion | undefined;
};

/**
 * Values go in as bigint, number, string, boolean, null, Uint8Array, arrays of these, and plain objects for jsonb.
 * They come out as: smallint and integer number, bigint bigint, numeric bigint or, with a fraction, string, bytea
 * Uint8Array, boolean, text string, jsonb as parsed, timestamptz string, arrays of these; null stays null.
 */
export interface Queries {
  query<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]>;
  /** Notes the reads of a call. */
  readonly trail?: ReadTrail | undefined;
  /** Whether large tables of the index are divided among the nodes of a Citus cluster. */
  isDivided(): Promise<boolean>;
}

export type CopyTarget = { readonly table: string; readonly columns: readonly string[] };

/** Rows to append to a table, in the binary format of COPY, as `TableCopy` encodes them. */
export type CopyRows = { readonly target: CopyTarget; readonly rows: Uint8Array };

/** Rows and statements, as `Transaction.write` takes them. */
export type Steps = (CopyRows | Statement)[];

/** Statements between `begin` and `commit`. */
export interface Transaction extends Queries {
  /** Runs several statements in one text, without values; results are dropped. */
  script(text: string): Promise<void>;
  /**
   * The rows of a table, or of a query in brackets, in the binary format of COPY. All of them are held in memory. In a
   * snapshot a query must come first, which begins it.
   */
  copyOut(source: string): Promise<Uint8Array>;
  /** Copies rows and runs statements, in this order; results are dropped. Returns how many rows were copied. */
  write(steps: Readonly<Steps>): Promise<number>;
}

/**
 * The interface of a database for other folders. Rejects with a ServiceError: `timeout` for a statement that takes too
 * long, `unavailable` if the database cannot be reached. Reconnects by itself. Every text is prepared once per connection,
 * so put values into parameters, never into the text.
 */
export interface Sql extends Queries {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export type SqlOptions = {
  /**
   * Timeout of a statement and of the wait for a connection; no limit by default. Set it for readers only: writes fail
   * with it.
   */
  statementTimeoutMs?: number;
  /** Size of the connection pool; by default what the turns of answers need. PGlite has one connection for all. */
  connections?: number;
};

/** A lock, held until it is released. `lost` fires if its connection breaks before. */
export interface Lock {
  readonly lost: AbortSignal;
  /**
   * Rejects in a transaction if the lock is lost, also if this process has not noticed it yet. A transaction that has confirmed
   * the lock is ended before a process takes over from one that stands still.
   */
  confirm(transaction: Queries): Promise<void>;
  release(): Promise<void>;
}

/** A subscription to a channel, until it is released. `lost` fires if its connection breaks before. */
export type Listening = { readonly lost: AbortSignal; release(): Promise<void> };

/** Folder and name of a kept database image, and how many images the folder has at most. */
export type KeptImage = { folder: string; name: string; maxImages: number };

/** Connections of this process that are open, idle and waited for, and how often and how long any was waited for. */
export type ConnectionNumbers = {
  open: number;
  idle: number;
  waiting: number;
  waits: number;
  waitedSec: number;
};

export type SteadyOptions = {
  signal?: AbortSignal | undefined;
  /** Whether no answer can be read any more. */
  isOver(): boolean;
};

/** The commits of an index that is divided among nodes. */
export interface Commits {
  /** Runs a read, which says its version, until it has seen each commit on all nodes or on none. */
  steadily<T>(
    read: (onVersion: (version: IndexVersion) => void) => Promise<T>,
    options: SteadyOptions,
  ): Promise<T>;
  /** Call it when a commit was notified: the next read need not look for it then. Never rejects. */
  heard(): Promise<void>;
}

/** A server that only answers are read from: a standby, a node of a cluster, or a pooler before one. */
export interface ReadServer {
  /** Its host, for the operator. */
  readonly name: string;
  /** `atOnce`: answers that are read at the same time, beside slow ones. */
  sql(options: { statementTimeoutMs: number; atOnce: number }): Sql;
  /** Throws `SetupError` if it is behind a pooler of another kind than was said. */
  confirm(signal: AbortSignal): Promise<void>;
  connections(): ConnectionNumbers;
  close(): Promise<void>;
}

/** A PostgreSQL server or a PGlite. */
export interface Database {
  /** Opens a pool; may be called several times, with a timeout for readers and without one for writers. */
  sql(options?: SqlOptions): Sql;
  /** Takes the advisory lock of this number, waiting until no other process holds it, or the one that does stands still. */
  lock(number: number, signal: AbortSignal): Promise<Lock>;
  /** Calls back with the text of every committed notification on the channel, which must be an identifier. */
  listen(channel: string, onMessage: (text: string) => void, signal: AbortSignal): Promise<Listening>;
  /**
   * Throws `SetupError` if the server, or a pooler in front of it, cannot be used: it does not pass on notifications, or it
   * is read-only although `writes` is set.
   */
  confirm(use: { writes: boolean }, signal: AbortSignal): Promise<void>;
  /** The connections of all pools. */
  connections(): ConnectionNumbers;
  /** The commits of the index, if it is divided among nodes; absent where it cannot be. */
  readonly commits?: Commits;
  /** Whether statements of several connections run at the same time. */
  readonly isConcurrent: boolean;
  /** The shell command that removes the index, for messages to the operator. */
  readonly emptyCommand: string;
  /** Keeps an image of what was committed before, for later databases to begin with; absent where there is none. */
  keep?(image: KeptImage): void;
  close(): Promise<void>;
}
