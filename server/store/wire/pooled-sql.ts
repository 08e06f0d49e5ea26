import type pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import { settled } from "../../../shared/values/promises.js";
import { ServiceError } from "../../errors.js";
import { Deadline } from "../../os/deadline.js";
import type { CopyRows, QueryOptions, Sql, Statement, Transaction, TransactionOptions } from "../database.js";
import { isReadOnly, queryTimeout, tooManySlow, toServiceError } from "../database-errors.js";
import { versionIn } from "../index-version.js";
import type { ReadTurns, Turn } from "../read-turns.js";
import { RowMaker } from "../row-bytes.js";
import { CopyQuery } from "./copy-query.js";
import { RowQuery, type RowQueryOptions, type Step } from "./row-query.js";
import type { StatementNames } from "./statement-names.js";
import { commitsSql, isSteady, lastCommitSql, steadily } from "./steady-snapshot.js";
import type { WireClient } from "./wire-client.js";

/** How often a connection was waited for, and how long. */
export type ConnectionWaits = { count: number; ms: number };

type PoolOptions = {
  /** Absent where a connection meets another session with each transaction: statements are then prepared each time. */
  names?: StatementNames | undefined;
  /** There the timeout of statements is set by each snapshot. */
  snapshotTimeoutMs?: number | undefined;
  /** Timeout for a connection and for an answer. */
  waitMs: number | undefined;
  /** Whether connections accept a statement before they have answered the last one. */
  pipelined: boolean;
  /** Turns of the transactions that name their caller. */
  turns: ReadTurns;
  /** Counts the waits for connections. */
  waits: ConnectionWaits;
  /** Rejects while writing is not possible. */
  confirmWritable?(): Promise<void>;
  /** Whether the index of a connection's database is divided among nodes; absent where it cannot be. */
  isDivided?(client: pg.PoolClient): Promise<boolean>;
  /** Cancels the running statement of a connection, if the database can. `run` is the session and the time of its snapshot. */
  cancel(client: pg.PoolClient, run: string | undefined): void;
};

/** How statements of a snapshot are planned. */
const planModes = {
  each: { plan_cache_mode: "force_custom_plan", enable_sort: "on" },
  eachInOrder: { plan_cache_mode: "force_custom_plan", enable_sort: "off" },
  once: { plan_cache_mode: "force_generic_plan", enable_sort: "on" },
  inOrder: { plan_cache_mode: "force_generic_plan", enable_sort: "off" },
} as const;
type PlanMode = keyof typeof planModes;

function planModeOf({ isPlannedOnce = false, isInOrder = false }: Statement): PlanMode {
  if (!isPlannedOnce) return isInOrder ? "eachInOrder" : "each";
  return isInOrder ? "inOrder" : "once";
}

/** Snapshots look for few rows: other pages cost no more than the next one, and compiling takes longer than running. */
const ofSnapshots = { random_page_cost: "1.1", jit: "off" };

const beginSnapshot = "begin isolation level repeatable read read only";
/** The session and the time at which the snapshot began, which together name a run of statements for good. */
const runColumn = "pg_backend_pid() || ' ' || extract(epoch from now())";
/** The version of an index of our layout, by a table of one row that is nearly always in memory. */
const ownVersion = "(select n || ' ' || seqno from index_version)";
const changeMode = forModes((mode) => setLocal(planModes[mode]));
const beginMode = forModes((mode) => setLocal({ ...ofSnapshots, ...planModes[mode] }));

function forModes<T>(make: (mode: PlanMode) => T): Record<PlanMode, T> {
  return {
    each: make("each"),
    eachInOrder: make("eachInOrder"),
    once: make("once"),
    inOrder: make("inOrder"),
  };
}

function setLocal(settings: Readonly<Record<string, string>>): string {
  return `select ${Object.entries(settings).map(localSetting).join(", ")}`;
}

function localSetting([name, value]: readonly [name: string, value: string]): string {
  return `set_config('${name}', '${value}', true)`;
}

/** By its estimates PostgreSQL would compile statements over many partitions, which takes seconds each time. */
const begin = "begin; set local jit = off";
const commit = "commit";

/** `Sql` over a pool of connections. */
export class PooledSql implements Sql {
  readonly #pool: pg.Pool;
  readonly #options: PoolOptions;
  #isDivided: boolean | undefined;

  constructor(pool: pg.Pool, options: PoolOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async query<Row>(statement: Statement, { signal }: QueryOptions = {}): Promise<Row[]> {
    return this.#withConnection(signal, (connection) => connection.query<Row>(statement));
  }

  /** An index is divided before processes connect to it, so it stays as it is. */
  async isDivided(): Promise<boolean> {
    if (!this.#options.isDivided) return false;
    this.#isDivided ??= await this.#withConnection(undefined, (connection) => connection.isDivided());
    return this.#isDivided;
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { caller, ...options }: TransactionOptions = {},
  ): Promise<T> {
    if (!caller) return this.#transact(work, options);
    const since = performance.now();
    const turn = await this.#options.turns.take(caller, options.signal);
    this.#options.waits.ms += performance.now() - since;
    try {
      return await this.#transact(work, options, turn);
    } catch (error) {
      throw turn.isRevoked ? tooManySlow(error) : error;
    } finally {
      turn.release();
    }
  }

  async #transact<T>(
    work: (transaction: Transaction) => Promise<T>,
    { signal: aborted, maxMs, snapshot = false, onVersion, versionSql }: Omit<TransactionOptions, "caller">,
    turn?: Turn,
  ): Promise<T> {
    const deadline = maxMs === undefined && !turn ? undefined : new Deadline(maxMs, aborted);
    if (turn) turn.onRevoked = () => deadline!.fire(new DOMException("another caller waits", "AbortError"));
    try {
      return await this.#transactUntil(deadline?.signal ?? aborted, work, {
        snapshot,
        onVersion,
        versionSql,
      });
    } finally {
      deadline?.clear();
    }
  }

  async #transactUntil<T>(
    signal: AbortSignal | undefined,
    work: (transaction: Transaction) => Promise<T>,
    { snapshot, ...version }: { snapshot: boolean } & Pick<TransactionOptions, "onVersion" | "versionSql">,
  ): Promise<T> {
    if (!snapshot) await this.#options.confirmWritable?.();
    return this.#withConnection(signal, async (connection) => {
      if (!snapshot) return this.#run(connection, work, () => connection.script(begin));
      const isDivided = await connection.isDivided();
      const run = (isWatched: boolean) =>
        this.#run(
          connection,
          work,
          () => connection.beginSnapshot({ ...version, isDivided, isWatched }),
          true,
        );
      return isDivided ? steadily(connection, run) : run(false);
    });
  }

  async #run<T>(
    connection: Connection,
    work: (transaction: Transaction) => Promise<T>,
    start: () => void | Promise<void>,
    snapshot = false,
  ): Promise<T> {
    await start();
    try {
      const result = await work(connection);
      if (snapshot) await connection.endSnapshot();
      else await connection.script(commit);
      return result;
    } catch (error) {
      await connection.rollback();
      // A new connection may reach the primary, or this server once it is promoted.
      if (!snapshot && isReadOnly(error)) connection.broken ??= error as Error;
      throw error;
    }
  }

  async #withConnection<T>(
    signal: AbortSignal | undefined,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw queryTimeout(signal.reason);
    const { waits } = this.#options;
    const since = performance.now();
    const client = await this.#connect(signal);
    waits.count++;
    waits.ms += performance.now() - since;
    const connection = new Connection(client, this.#options);
    const giveUp = () => connection.giveUp();
    signal?.addEventListener("abort", giveUp);
    try {
      return await use(connection);
    } finally {
      signal?.removeEventListener("abort", giveUp);
      connection.end();
      // Closes a connection in an unknown state.
      client.release(connection.broken);
    }
  }

  /** Waits for a free connection. One that arrives after the timeout is released at once. */
  #connect(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    const { waitMs } = this.#options;
    return new Promise((resolve, reject) => {
      let waiting = true;
      const stop = (error: unknown) => {
        waiting = false;
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        reject(error);
      };
      const abort = () => stop(queryTimeout(signal?.reason));
      const timer = waitMs && setTimeout(() => stop(queryTimeout()), waitMs);
      signal?.addEventListener("abort", abort);
      this.#pool.connect().then(
        (client) => {
          if (!waiting) return client.release();
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          resolve(client);
        },
        (error) => stop(toServiceError(error)),
      );
    });
  }
}

/** `isWatched`: whether the snapshot is compared with commits. */
type SnapshotStart = Pick<TransactionOptions, "onVersion" | "versionSql"> & {
  isDivided: boolean;
  isWatched: boolean;
};

/** A connection checked out by one caller. */
class Connection implements Transaction {
  /** Set when the connection must not be reused. */
  broken: Error | undefined;
  readonly #client: pg.PoolClient;
  readonly #options: PoolOptions;
  /** Whether statements are in a snapshot: `due` until the first one begins it. */
  #snapshot: "none" | "due" | "begun" | "ended" = "none";
  #onVersion: TransactionOptions["onVersion"];
  #versionSql = ownVersion;
  /** The session and time of the snapshot, where sessions are those of a pooler. */
  #pooledRun: string | undefined;
  #planMode: PlanMode | undefined;
  #hasEnded = false;
  /** Whether the snapshot is compared with commits of a divided index, and those that it found. */
  #isWatched = false;
  #isDivided = false;
  #commits = "";
  /** Settles when the last statement has its answer. */
  #answered: Promise<unknown> = Promise.resolve();
  /** Ends the waits for answers. */
  readonly #waits = new Set<(reason: Error) => void>();
  /** Begins again with each statement. */
  #timer: NodeJS.Timeout | undefined;

  constructor(client: pg.PoolClient, options: PoolOptions) {
    this.#client = client;
    this.#options = options;
  }

  async isDivided(): Promise<boolean> {
    return (await this.#options.isDivided?.(this.#client)) ?? false;
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    const { isLast = false, fromBytes } = statement;
    // Late parallel statement: the connection may belong to another caller.
    if (this.#hasEnded) throw new TypeError("a statement follows its transaction");
    if (this.#snapshot === "ended") throw new TypeError("a statement follows the last one of a snapshot");
    const before = this.#snapshot === "none" ? [] : this.#stepsBefore(this.#modeOf(statement));
    const after = this.#snapshot !== "none" && isLast ? [this.#step(commit)] : [];
    if (this.#snapshot !== "none") this.#snapshot = after.length > 0 ? "ended" : "begun";
    const main = this.#step(statement.text, statement.values);
    const maker = fromBytes && new RowMaker(fromBytes);
    const options = { before, after, fromBytes: maker?.make };
    const rows = this.#watch(this.#send(() => this.#rowQuery<Row>(main, options)));
    return maker ? checked(rows, maker) : rows;
  }

  /** A plan for all values could not choose nodes. */
  #modeOf(statement: Statement): PlanMode {
    return this.#isDivided ? "each" : planModeOf(statement);
  }

  /** Statements that a snapshot's statement needs before it. */
  #stepsBefore(mode: PlanMode): Step[] {
    if (mode === this.#planMode) return [];
    this.#planMode = mode;
    return this.#snapshot === "begun" ? [this.#step(changeMode[mode])] : this.#firstSteps(mode);
  }

  #firstSteps(mode: PlanMode): Step[] {
    const { snapshotTimeoutMs: timeoutMs } = this.#options;
    const columns = [
      ...(this.#isWatched ? [commitsSql] : []),
      ...(timeoutMs === undefined ? [] : [localSetting(["statement_timeout", String(timeoutMs)]), runColumn]),
      ...(this.#onVersion ? [this.#versionSql] : []),
    ];
    const setting = this.#step([beginMode[mode], ...columns].join(", "));
    const take = (texts: readonly (string | null)[]) => this.#begun(texts.slice(-columns.length));
    return [this.#step(beginSnapshot), columns.length > 0 ? { ...setting, take } : setting];
  }

  /** Receives the values of the columns above. */
  #begun(texts: readonly (string | null)[]): void {
    if (this.#isWatched) this.#commits = texts[0] ?? "";
    if (this.#options.snapshotTimeoutMs !== undefined) this.#pooledRun = texts[1] ?? undefined;
    const version = this.#onVersion && versionIn(texts.at(-1) ?? "");
    if (version) this.#onVersion!(version);
  }

  #rowQuery<Row>(main: Step, options: Omit<RowQueryOptions, "prepared">): Promise<Row[]> {
    const { prepared } = this.#client as unknown as WireClient;
    return this.#client.query(new RowQuery<Row>(main, { prepared, ...options })).answer;
  }

  #step(text: string, values: readonly unknown[] = []): Step {
    return { text, values, name: this.#options.names?.of(text) };
  }

  /** Begins a snapshot, in which statements are planned as they say. The first one is sent with what begins it. */
  beginSnapshot({ onVersion, versionSql = ownVersion, isDivided, isWatched }: SnapshotStart): void {
    this.#onVersion = onVersion;
    this.#versionSql = versionSql;
    this.#isDivided = isDivided;
    this.#isWatched = isWatched;
    this.#commits = "";
    this.#planMode = undefined;
    this.#snapshot = "due";
  }

  /** Whether no commit began or went on between the beginning of the last snapshot and now. */
  async wasSteady(): Promise<boolean> {
    if (this.#commits === "") return true;
    const rows = await this.#watch(this.#send(() => this.#client.query<{ last: string }>(lastCommitSql)));
    return isSteady(this.#commits, String(itemAt(rows.rows, 0).last));
  }

  async script(text: string): Promise<void> {
    await this.#watch(this.#send(() => this.#client.query(text)));
  }

  async write(steps: readonly (CopyRows | Statement)[]): Promise<void> {
    for (let from = 0, to = 0; from < steps.length; from = to) {
      const isCopy = "target" in itemAt(steps, from);
      while (to < steps.length && "target" in itemAt(steps, to) === isCopy) to++;
      const alike = steps.slice(from, to);
      await (isCopy ? this.#copy(alike as CopyRows[]) : this.#run(alike as Statement[]));
    }
  }

  #copy(copies: readonly CopyRows[]): Promise<void> {
    return this.#watch(this.#send(() => this.#client.query(new CopyQuery(copies)).done));
  }

  /** Runs statements, sent and answered at once. */
  async #run(statements: readonly Statement[]): Promise<void> {
    const steps = statements.map(({ text, values }) => this.#step(text, values));
    const before = steps.slice(0, -1);
    await this.#watch(this.#send(() => this.#rowQuery(itemAt(steps, -1), { before })));
  }

  /** Sends a statement: without waiting on a pipelined connection, else after the answer to the one before. */
  #send<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#options.pipelined) return statement();
    const answer = this.#answered.then(() => {
      if (this.broken) throw this.broken;
      return statement();
    });
    // Callers of the statement get its error.
    this.#answered = settled(answer);
    return answer;
  }

  /** Ends a snapshot; without waiting if it can, as statements of the next caller queue behind the commit. */
  async endSnapshot(): Promise<void> {
    if (this.#snapshot !== "begun") return;
    // The connection is then broken, which the next statement reports.
    if (this.#options.pipelined) this.#client.query(commit).catch(() => {});
    else await this.script(commit);
  }

  /** Rolls back a failed transaction. Never rejects, so that the caller gets the first error. */
  async rollback(): Promise<void> {
    if (this.broken || this.#snapshot === "due") return;
    await this.script("rollback").catch((error: Error) => {
      this.broken ??= error;
    });
  }

  /** The caller has aborted. */
  giveUp(): void {
    this.#leave(queryTimeout());
  }

  /** Abandons the running statement and marks the connection as broken. */
  #leave(reason: Error): void {
    if (this.broken) return;
    this.broken = reason;
    this.#options.cancel(this.#client, this.#pooledRun);
    for (const abandon of [...this.#waits]) abandon(reason);
  }

  /** The caller is done with it. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #watch<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        this.#waits.delete(refuse);
        const told = toServiceError(error);
        if (told instanceof ServiceError && told.code === "unavailable") this.broken ??= told;
        reject(told);
      };
      answer.then((found) => {
        this.#waits.delete(refuse);
        resolve(found);
      }, refuse);
      if (this.broken) return reject(this.broken);
      this.#waits.add(refuse);
      this.#startTimer();
    });
  }

  #startTimer(): void {
    const { waitMs } = this.#options;
    if (waitMs === undefined) return;
    this.#timer ??= setTimeout(() => this.#waits.size > 0 && this.#leave(queryTimeout()), waitMs);
    this.#timer.refresh();
  }
}

async function checked<Row>(rows: Promise<Row[]>, maker: RowMaker): Promise<Row[]> {
  const made = await rows;
  maker.check();
  return made;
}
