import { setMaxListeners } from "node:events";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import pg from "pg";
import type { Database, KeptImage, Listening, Lock } from "../database.js";
import { NoRoomError } from "../database-errors.js";
import { ReadTurns } from "../read-turns.js";
import { connectionNumbers } from "../wire/connection-numbers.js";
import { PooledSql } from "../wire/pooled-sql.js";
import { StatementNames } from "../wire/statement-names.js";
import { valueTypes } from "../wire/value-types.js";
import { WireClient } from "../wire/wire-client.js";
import { PgliteThread } from "./pglite-thread.js";

/** Room for the write-ahead log and a batch of blocks. */
const reserveBytes = 64 * 1024 * 1024;

export type PgliteOptions = {
  /** Path of the image that a database in memory begins with. */
  image?: string | undefined;
  freeBytesAt?: (folder: string) => Promise<number>;
};

/**
 * PostgreSQL in a thread of this process: in memory, or in a folder that must be claimed. It speaks the protocol of a
 * server, so only the byte stream differs. All pools share one connection.
 */
export async function openPglite(
  folder?: string,
  signal?: AbortSignal,
  { image, freeBytesAt = freeBytesOnDisk }: PgliteOptions = {},
): Promise<Database> {
  const thread = await PgliteThread.start({ folder, image }, signal);
  const pool = new pg.Pool({
    Client: WireClient,
    stream: () => thread.connect(),
    user: "postgres",
    database: "postgres",
    types: valueTypes,
    max: 1,
    idleTimeoutMillis: 0,
  });
  pool.on("error", () => {});
  const channels = new Channels(pool);
  const waits = { count: 0, ms: 0 };
  const options = {
    waits,
    names: new StatementNames(),
    pipelined: false,
    // The engine cannot cancel a statement, so a slow answer cannot make room.
    turns: new ReadTurns({ fast: 1, slow: 0 }),
    confirmWritable: async () => {
      if (folder !== undefined) confirmRoom(folder, await freeBytesAt(folder));
    },
    cancel: () => {},
  };
  return {
    sql: ({ statementTimeoutMs } = {}) => new PooledSql(pool, { ...options, waitMs: statementTimeoutMs }),
    lock: async () => unshared(),
    listen: (channel, onMessage) => channels.listen(channel, onMessage),
    confirm: async () => {},
    connections: () => connectionNumbers([pool], waits),
    isConcurrent: false,
    ...(folder === undefined && { keep: (place: KeptImage) => thread.keep(place) }),
    emptyCommand: `tonwire empty-index --data ${folder === undefined ? "(in memory)" : dirname(folder)}`,
    async close() {
      await pool.end();
      await thread.close();
    },
  };
}

async function freeBytesOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Throws when the disk is nearly full: the engine does not recover when its log cannot be written. */
function confirmRoom(folder: string, freeBytes: number): void {
  if (freeBytes >= reserveBytes) return;
  const wanted = reserveBytes / 1024 / 1024;
  throw new NoRoomError(folder, wanted);
}

/** No other process shares the database, and there is no connection that could break. */
function unshared(): Lock {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  return { lost: never, release: async () => {} };
}

/** Listeners by channel. They are subscribed again when the connection is replaced. */
class Channels {
  readonly #pool: pg.Pool;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    pool.on("connect", (client) => {
      client.on("notification", ({ channel, payload = "" }) => {
        for (const onMessage of this.#listeners.get(channel) ?? []) onMessage(payload);
      });
      const again = Array.from(this.#listeners.keys(), (channel) => `listen ${channel}`);
      // Users of the connection get its errors.
      if (again.length > 0) client.query(again.join("; ")).catch(() => {});
    });
  }

  async listen(channel: string, onMessage: (text: string) => void): Promise<Listening> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onMessage));
    await this.#pool.query(`listen ${channel}`);
    const release = async () => void listeners.delete(onMessage);
    return { lost: unshared().lost, release };
  }
}
