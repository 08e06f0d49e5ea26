import type { Duplex } from "node:stream";
import pg from "pg";
import type { ConnectionNumbers, Sql, SqlOptions } from "../database.js";
import { ReadTurns } from "../read-turns.js";
import { canReadRowMessages } from "./pg-members.js";
import { connectionNumbers, PooledSql } from "./pooled-sql.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";
import { clientsWith } from "./wire-client.js";

/** A database in this process that speaks the protocol of a server. All of its users share one connection. */
type Embedded = {
  sql(options?: SqlOptions): Sql;
  /** Resolves with a function that ends it. */
  listen(channel: string, onMessage: (text: string) => void): Promise<() => void>;
  connections(): ConnectionNumbers;
  close(): Promise<void>;
};

type EmbeddedOptions = {
  /** Makes a new session, when the one before has ended. */
  connect: () => Duplex;
  /** Rejects while writing is not possible. */
  confirmWritable: () => Promise<void>;
};

export function openEmbedded({ connect, confirmWritable }: EmbeddedOptions): Embedded {
  const config = { stream: connect, user: "postgres", database: "postgres", types: valueTypes };
  const pool = new pg.Pool({
    Client: clientsWith(config, canReadRowMessages()),
    max: 1,
    idleTimeoutMillis: 0,
  });
  // Users of the connection get its errors. Without a listener the event would end the process.
  pool.on("error", () => {});
  const channels = new Channels(pool);
  const waits = { count: 0, ms: 0 };
  const options = {
    waits,
    session: { names: new StatementNames() },
    pipelined: false,
    // The engine cannot cancel a statement, so a slow answer cannot make room.
    turns: new ReadTurns({ fast: 1, slow: 0 }),
    confirmWritable,
    cancel: () => {},
  };
  return {
    sql: ({ statementTimeoutMs } = {}) => new PooledSql(pool, { ...options, waitMs: statementTimeoutMs }),
    listen: (channel, onMessage) => channels.listen(channel, onMessage),
    connections: () => connectionNumbers([pool], waits),
    close: () => pool.end(),
  };
}

/** Listeners by channel, on a pool of one connection. They are subscribed again when the connection is replaced. */
class Channels {
  readonly #pool: pg.Pool;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    pool.on("connect", (client) => {
      client.on("notification", ({ channel, payload = "" }) => {
        for (const onMessage of this.#listeners.get(channel) ?? []) onMessage(payload);
      });
      // Behind a statement that the pool itself has queued: `pg` warns of a second one that queues.
      queueMicrotask(() => this.#listenAgain(client));
    });
  }

  #listenAgain(client: pg.ClientBase): void {
    const again = Array.from(this.#listeners.keys(), (channel) => `listen ${channel}`);
    // Users of the connection get its errors.
    if (again.length > 0) client.query(again.join("; ")).catch(() => {});
  }

  /** Resolves with a function that ends it. */
  async listen(channel: string, onMessage: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onMessage));
    await this.#pool.query(`listen ${channel}`);
    return () => void listeners.delete(onMessage);
  }
}
