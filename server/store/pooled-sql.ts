import type pg from "pg";
import { ServiceError } from "../errors.js";
import { WriteSteps } from "./copy/write-steps.js";
import type { CopyRows, QueryOptions, Sql, Statement, Transaction, TransactionOptions } from "./database.js";
import { isReadOnly, queryTimeout, toServiceError } from "./database-errors.js";
import type { StatementNames } from "./statement-names.js";

export type Surroundings = {
  names: StatementNames;
  /** Longest wait for a connection or an answer. */
  waitMs: number | undefined;
  /** Whether connections take the next statement before they have answered the last. */
  pipelined: boolean;
  /** Rejects while nothing may be written. */
  confirmWritable?(): Promise<void>;
  /** Stops what a connection is busy with, where that can be done. */
  cancel(client: pg.PoolClient): void;
};

/** `Sql` over a pool of connections. */
export class PooledSql implements Sql {
  readonly #pool: pg.Pool;
  readonly #surroundings: Surroundings;

  constructor(pool: pg.Pool, surroundings: Surroundings) {
    this.#pool = pool;
    this.#surroundings = surroundings;
  }

  async query<Row extends object>(statement: Statement, { signal }: QueryOptions = {}): Promise<Row[]> {
    return this.#withConnection(signal, (connection) => connection.query<Row>(statement));
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { signal, snapshot = false }: TransactionOptions = {},
  ): Promise<T> {
    if (!snapshot) await this.#surroundings.confirmWritable?.();
    return this.#withConnection(signal, async (connection) => {
      const hurried = snapshot && this.#surroundings.pipelined;
      // Nothing can be done in vain in a snapshot: what is read first is asked for behind the `begin`.
      const begun = connection.script(snapshot ? "begin isolation level repeatable read read only" : "begin");
      if (!hurried) await begun;
      try {
        const [result] = await Promise.all([work(connection), begun]);
        if (hurried) connection.end();
        else await connection.script("commit");
        return result;
      } catch (error) {
        await connection.rollback();
        // Another connection may lead to a server that is written to, or find that this one is by now.
        if (!snapshot && isReadOnly(error)) connection.broken ??= error as Error;
        throw error;
      }
    });
  }

  async #withConnection<T>(
    signal: AbortSignal | undefined,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw queryTimeout(signal.reason);
    const client = await this.#connect(signal);
    const connection = new Connection(client, this.#surroundings);
    const giveUp = () => connection.giveUp();
    // Whoever waits for an answer hears of it; unheard, the event would end the process.
    const ignore = () => {};
    client.on("error", ignore);
    signal?.addEventListener("abort", giveUp);
    try {
      return await use(connection);
    } finally {
      signal?.removeEventListener("abort", giveUp);
      client.off("error", ignore);
      // A connection in an unknown state is closed instead of kept.
      client.release(connection.broken);
    }
  }

  /** The next free connection. One that comes too late goes back at once. */
  #connect(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    const { waitMs } = this.#surroundings;
    return new Promise((resolve, reject) => {
      let waiting = true;
      const stop = (error: unknown) => {
        waiting = false;
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        reject(error);
      };
      const abort = () => stop(queryTimeout(signal!.reason));
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

/** A connection while one caller has it. */
class Connection implements Transaction {
  /** Set when nobody else may use the connection any more. */
  broken: Error | undefined;
  readonly #client: pg.PoolClient;
  readonly #surroundings: Surroundings;
  readonly #abandoned: Promise<never>;
  #abandon: (reason: Error) => void = () => {};

  constructor(client: pg.PoolClient, surroundings: Surroundings) {
    this.#client = client;
    this.#surroundings = surroundings;
    this.#abandoned = new Promise((_, reject) => {
      this.#abandon = reject;
    });
    this.#abandoned.catch(() => {});
  }

  async query<Row extends object>({ text, values }: Statement): Promise<Row[]> {
    const name = this.#surroundings.names.of(text);
    const query = { text, values: values as unknown[], ...(name !== undefined && { name }) };
    return (await this.#watch(this.#client.query<Row>(query))).rows;
  }

  async script(text: string): Promise<void> {
    await this.#watch(this.#client.query(text));
  }

  async write(steps: readonly (string | CopyRows)[]): Promise<void> {
    if (steps.length > 0) await this.#watch(this.#client.query(new WriteSteps(steps)).done);
  }

  /** Ends a snapshot, which nobody has to wait for: whoever gets the connection next asks behind it. */
  end(): void {
    this.#client.query("commit").catch(() => {});
  }

  /** Ends a transaction that failed; the reason of the failure is what the caller has to hear of. */
  async rollback(): Promise<void> {
    if (this.broken) return;
    await this.script("rollback").catch((error: Error) => {
      this.broken ??= error;
    });
  }

  /** Nobody waits for this connection any more. */
  giveUp(): void {
    this.#leave(queryTimeout());
  }

  /** Whatever the connection is doing, it is not waited for any longer. */
  #leave(reason: Error): void {
    if (this.broken) return;
    this.broken = reason;
    this.#surroundings.cancel(this.#client);
    this.#abandon(reason);
  }

  async #watch<T>(answer: Promise<T>): Promise<T> {
    // It may fail when nobody listens any more.
    answer.catch(() => {});
    if (this.broken) throw this.broken;
    const { waitMs } = this.#surroundings;
    const timer = waitMs && setTimeout(() => this.#leave(queryTimeout()), waitMs);
    try {
      return await Promise.race([answer, this.#abandoned]);
    } catch (error) {
      const told = toServiceError(error);
      if (told instanceof ServiceError && told.code === "unavailable") this.broken ??= told;
      throw told;
    } finally {
      clearTimeout(timer);
    }
  }
}
