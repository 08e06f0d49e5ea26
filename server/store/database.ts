/** SQL text with `$1 ...` and its values; what the tag of sql-template-tag gives is one. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

export type QueryOptions = {
  /** Gives the query up; PostgreSQL stops it, PGlite only stops waiting for it. */
  signal?: AbortSignal | undefined;
};

export type TransactionOptions = QueryOptions & {
  /** One snapshot for all statements and no writing: what an answer made of several queries is read in. */
  snapshot?: boolean;
};

/**
 * Values go in as bigint, number, string, boolean, null, Uint8Array, arrays of these, and plain objects for jsonb.
 * They come out as: smallint and integer number, bigint bigint, numeric bigint or, with a fraction, string, bytea
 * Uint8Array, boolean, text string, jsonb as parsed, timestamptz string, arrays of these; null stays null.
 */
export interface Queries {
  query<Row extends object>(statement: Statement, options?: QueryOptions): Promise<Row[]>;
}

export type CopyTarget = { readonly table: string; readonly columns: readonly string[] };

/** Rows that are appended to a table, in the binary form of COPY, which `TableCopy` writes. */
export type CopyRows = { readonly target: CopyTarget; readonly rows: Uint8Array };

/** Statements between `begin` and `commit`. */
export interface Transaction extends Queries {
  /** Several statements in one text, without values and answers. */
  script(text: string): Promise<void>;
  /** Statements without values and answers, and rows, in this order and in one round trip. */
  write(steps: readonly (string | CopyRows)[]): Promise<void>;
}

/**
 * What everybody but this folder sees of a database. A statement that takes too long rejects with a ServiceError
 * `timeout`, a database that cannot be reached with `unavailable`; connections come back by themselves. Every text is
 * prepared once per connection, so values never belong into texts.
 */
export interface Sql extends Queries {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export type SqlOptions = {
  /**
   * Longest time of a statement, also of the wait for a connection; without it there is no limit. Who sets one only
   * reads.
   */
  statementTimeoutMs?: number;
  /** Most connections kept, where there can be several. */
  connections?: number;
};

/** Held until it is released, or until the database lost it, which `lost` tells. */
export type Lock = { readonly lost: AbortSignal; release(): Promise<void> };

/** Goes on until it is released, or until the connection broke, which `lost` tells. */
export type Listening = { readonly lost: AbortSignal; release(): Promise<void> };

/** A database of one of the two kinds. */
export interface Database {
  /** May be asked for several times: readers want a timeout, writers none. */
  sql(options?: SqlOptions): Sql;
  /** Waits until no other process holds the lock of this number. */
  lock(number: number, signal: AbortSignal): Promise<Lock>;
  /** Calls back with what any process has said on the channel (an identifier), each time once that is committed. */
  listen(channel: string, heard: (text: string) => void, signal: AbortSignal): Promise<Listening>;
  close(): Promise<void>;
}
