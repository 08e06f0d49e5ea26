import type pg from "pg";
import { withResolvers } from "../../../shared/values/promises.js";
import { Deadline } from "../../os/deadline.js";
import type {
  Commits,
  ConnectionNumbers,
  QueryOptions,
  Sql,
  Statement,
  Transaction,
  TransactionOptions,
  TurnCaller,
} from "../database.js";
import { isReadOnly, queryTimeout, tooManySlow, toServiceError } from "../database-errors.js";
import type { ReadTurns, Turn } from "../read-turns.js";
import { Connection, type ConnectionOptions } from "./connection.js";

/** How often a connection was waited for, and how long. */
type ConnectionWaits = { count: number; ms: number };

/** The connections of some pools, for `Database.connections`. */
export function connectionNumbers(pools: readonly pg.Pool[], waits: ConnectionWaits): ConnectionNumbers {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
  return {
    open: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
    waits: waits.count,
    waitedSec: waits.ms / 1000,
  };
}

type PoolOptions = ConnectionOptions & {
  /** Turns of the transactions that name their caller. */
  turns: ReadTurns;
  /** Counts the waits for connections. */
  waits: ConnectionWaits;
  /** The commits of the index, if it is divided among nodes; absent where it cannot be. */
  commits?: (() => Commits) | undefined;
  /** Rejects while writing is not possible. */
  confirmWritable?(): Promise<void>;
};

/** By its estimates PostgreSQL would compile statements over many partitions, which takes seconds each time. */
const begin = "begin; set local jit = off";
/** By default Citus writes to the shards of a node on several connections, whose transactions end one after the other. */
const beginDivided = `${begin}; set local citus.multi_shard_modify_mode = 'sequential'`;

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

  async transaction<T>(work: Work<T>, options: TransactionOptions = {}): Promise<T> {
    const { caller, signal: aborted, maxMs, snapshot = false, onVersion, versionSql } = options;
    const turn = caller && (await this.#turnOf(caller, aborted));
    options.onTurn?.();
    const deadline = maxMs === undefined && !turn ? undefined : new Deadline(maxMs, aborted);
    if (turn) turn.onRevoked = () => deadline!.fire(new DOMException("another caller waits", "AbortError"));
    const signal = deadline?.signal ?? aborted;
    try {
      if (snapshot) return await this.#read(signal, work, { onVersion, versionSql });
      await this.#options.confirmWritable?.();
      return await this.#withConnection(signal, (connection) => written(connection, work));
    } catch (error) {
      throw turn?.isRevoked ? tooManySlow(error) : error;
    } finally {
      deadline?.clear();
      turn?.release();
    }
  }

  async #turnOf(caller: TurnCaller, signal: AbortSignal | undefined): Promise<Turn> {
    const since = performance.now();
    const turn = await this.#options.turns.take(caller, signal);
    this.#options.waits.ms += performance.now() - since;
    return turn;
  }

  #read<T>(
    signal: AbortSignal | undefined,
    work: Work<T>,
    version: Pick<TransactionOptions, "onVersion" | "versionSql">,
  ): Promise<T> {
    return this.#withConnection(signal, async (connection) => {
      const { commits } = this.#options;
      const isDivided = await connection.isDivided();
      const read = (onVersion: TransactionOptions["onVersion"]) => {
        connection.beginSnapshot({ ...version, onVersion, isDivided });
        return ended(connection, work, () => connection.endSnapshot());
      };
      if (!isDivided || !commits) return read(version.onVersion);
      return commits().steadily(
        (onVersion) =>
          read((each) => {
            onVersion(each);
            version.onVersion?.(each);
          }),
        { signal, isOver: () => connection.broken !== undefined },
      );
    });
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
      // Closes a connection in an unknown state.
      client.release(connection.end());
    }
  }

  /** Waits for a free connection. One that arrives after the timeout is released at once. */
  async #connect(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    const limit = new Deadline(this.#options.waitMs, signal);
    const over = withResolvers<never>();
    limit.signal.addEventListener("abort", () => over.reject(queryTimeout(limit.signal.reason)));
    const connected = this.#pool.connect();
    try {
      return await Promise.race([connected, over.promise]);
    } catch (error) {
      connected.then(
        (client) => client.release(),
        () => {
          // The caller gets this error, or the timeout that came before it.
        },
      );
      throw toServiceError(error);
    } finally {
      limit.clear();
    }
  }
}

type Work<T> = (transaction: Transaction) => Promise<T>;

/** Runs work in a transaction that may write. */
async function written<T>(connection: Connection, work: Work<T>): Promise<T> {
  await connection.script((await connection.isDivided()) ? beginDivided : begin);
  try {
    return await ended(connection, work, () => connection.script("commit"));
  } catch (error) {
    // A new connection may reach the primary, or this server once it is promoted.
    if (isReadOnly(error)) connection.markBroken(error as Error);
    throw error;
  }
}

/** Runs work in a transaction that has begun, and ends it. */
async function ended<T>(connection: Connection, work: Work<T>, end: () => Promise<void>): Promise<T> {
  try {
    const result = await work(connection);
    await end();
    return result;
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}
