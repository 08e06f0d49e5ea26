import pg from "pg";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import { ServiceError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import { pause } from "../../os/pause.js";
import type { Lock, Queries } from "../database.js";
import { isUnavailable, toServiceError } from "../database-errors.js";
import { end, endOf, onConnection } from "./held-connection.js";
import { lockPattern, type SessionNames } from "./session-names.js";
import { type BeatingSession, Silences } from "./silences.js";

// A lock has a session of its own, which beats: it runs a statement every second, however long the process's transactions
// take. pg_stat_activity has the time of a session's last statement, so beats write nothing, and they end with the session in a
// failover. The statement is a look at the sessions of all processes that beat. A process whose session is silent stands still,
// or its connection is half-open: its session is ended, and so are its transactions, whose locks others would wait for.

/** How often a session with a lock, or one that waits for it, runs a statement. */
const beatMs = 1000;
/** How long a session may take to end before the transactions of its process are ended too. */
const endMs = 1000;
const defaultTakeoverMs = 10_000;

type LockOptions = {
  names: SessionNames;
  /** How long a session may be silent. */
  takeoverMs?: number | undefined;
  timers?: Pick<Timers, "after"> | undefined;
  fallback?: Fallback | undefined;
};

/** Takes the lock on a connection of its own, as soon as no session holds it. The lock ends with the connection. */
export async function takeLock(
  config: pg.ClientConfig,
  number: number,
  signal: AbortSignal,
  options: LockOptions,
): Promise<Lock> {
  const session = new LockSession({ ...config, application_name: options.names.lock }, number, options);
  await session.take(signal);
  return session;
}

class LockSession implements Lock {
  readonly lost: AbortSignal;
  readonly #config: pg.ClientConfig;
  readonly #number: number;
  readonly #options: LockOptions;
  readonly #takeoverMs: number;
  readonly #timers: Pick<Timers, "after">;
  readonly #client: pg.Client;
  readonly #silences: Silences;
  #pid = 0;
  #isBeating = false;
  #missedBeats = 0;
  #stopTimer = () => {};
  /** Ends the attempt to replace a session whose connection does not answer. */
  #replacing: AbortController | undefined;

  constructor(config: pg.ClientConfig, number: number, options: LockOptions) {
    this.#config = config;
    this.#number = number;
    this.#options = options;
    this.#takeoverMs = options.takeoverMs ?? defaultTakeoverMs;
    this.#timers = options.timers ?? systemTimers;
    this.#client = new pg.Client(config);
    this.#silences = new Silences(this.#takeoverMs);
    this.lost = endOf(this.#client);
    this.lost.addEventListener("abort", () => this.#stop());
  }

  async take(signal: AbortSignal): Promise<void> {
    await onConnection(this.#client, signal, async () => {
      while (!(await this.#answered(this.#try()))) {
        await this.#answered(this.#look());
        await pause(beatMs, signal, this.#timers);
        signal.throwIfAborted();
      }
    });
    if (!this.lost.aborted) this.#plan();
  }

  /** While it waits, a session whose connection does not answer is given up: another one of the process replaces it. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    const stop = this.#timers.after(this.#takeoverMs, () => void end(this.#client));
    try {
      return await answer;
    } finally {
      stop();
    }
  }

  async confirm(transaction: Queries): Promise<void> {
    if (this.lost.aborted) throw this.lost.reason;
    const held = await transaction.query({ text: heldSql, values: [this.#pid, this.#number] });
    if (held.length === 0)
      throw new ServiceError("unavailable", "the lock of this work was lost: another process may have it");
  }

  async release(): Promise<void> {
    this.#stop();
    await end(this.#client);
  }

  #stop(): void {
    this.#stopTimer();
    this.#replacing?.abort();
  }

  /** Not waited for in the database: a process that stands still would be given the lock. */
  async #try(): Promise<boolean> {
    const { rows } = await this.#client.query<{ pid: number }>({
      name: "try",
      text: trySql,
      values: [this.#number],
    });
    const [taken] = rows;
    if (taken) this.#pid = taken.pid;
    return taken !== undefined;
  }

  #plan(): void {
    this.#stopTimer = this.#timers.after(beatMs, () => {
      this.#plan();
      if (this.#isBeating) this.#missed();
      else void this.#beat();
    });
  }

  /** If the answer comes after the next beat was due, that beat follows at once. */
  async #beat(): Promise<void> {
    this.#isBeating = true;
    do {
      this.#missedBeats = 0;
      await this.#look();
      this.#replacing?.abort();
    } while (this.#missedBeats > 0);
    this.#isBeating = false;
  }

  /**
   * The database is away, or only this connection does not answer. In the second case another session of this process gets the
   * lock, as that of any process would, and this one counts as lost. Beats are counted: no clock shows whether this process stood still.
   */
  #missed(): void {
    this.#missedBeats++;
    if (this.#replacing || this.#missedBeats * beatMs < this.#takeoverMs) return;
    const replacing = new AbortController();
    this.#replacing = replacing;
    takeLock(this.#config, this.#number, replacing.signal, this.#options)
      .then(async (other) => {
        await end(this.#client);
        await other.release();
      })
      .catch(() => {
        // The database is away: the next missed beat tries again.
      })
      .finally(() => {
        this.#replacing = undefined;
      });
  }

  /** Looks at all sessions that beat, and ends those that do not any more. */
  async #look(): Promise<void> {
    try {
      const { rows } = await this.#client.query<BeatingSession & { now: bigint }>({
        name: "look",
        text: lookSql,
        values: [lockPattern],
      });
      const [first] = rows;
      if (!first) return;
      for (const silent of this.#silences.look(Number(first.now), rows)) await this.#end(silent);
    } catch (error) {
      // A connection that has broken is seen by `lost`, and by the next attempt to take the lock.
      const failure = toServiceError(error);
      if (!isUnavailable(failure)) this.#options.fallback?.("silent-process", failure);
    }
  }

  /** First the session, and with it its lock: transactions that confirm the lock and begin later fail. */
  async #end({ pid, started, beat, process }: BeatingSession): Promise<void> {
    const { rows } = await this.#client.query(endSessionSql, [pid, started, beat]);
    if (rows.length === 0) return;
    if (process !== this.#options.names.process) await this.#client.query(endTransactionsSql, [process]);
    const seconds = this.#takeoverMs / 1000;
    const text = `the process ${process} (session ${pid}) was silent for ${seconds} s, and its connections were ended`;
    this.#options.fallback?.("silent-process", new Error(text));
  }
}

/** A row if the lock is taken. */
const trySql = "select pid from (select pg_backend_pid() as pid) own where pg_try_advisory_lock($1)";

/** A row if a session has a lock. */
const heldSql = `
  select from pg_locks
  where locktype = 'advisory' and granted and pid = $1 and (classid::bigint << 32) + objid::bigint = $2 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`;

/** Of other roles the server shows no times. */
const sessions = `
  from pg_stat_activity where datname = current_database() and usename = session_user`;

const beatOf = "extract(epoch from state_change)::text";
const startOf = "extract(epoch from backend_start)::text";

const lookSql = `
  select pid, ${startOf} as started, ${beatOf} as beat, substring(application_name from $1::text) as process,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now
  ${sessions} and state_change is not null and application_name ~ $1::text`;

const endSessionSql = `
  select pg_terminate_backend(pid, ${endMs})
  ${sessions} and pid = $1 and ${startOf} = $2 and ${beatOf} = $3`;

const endTransactionsSql = `
  select pg_terminate_backend(pid)
  ${sessions} and xact_start is not null and position($1::text in application_name) > 0`;
