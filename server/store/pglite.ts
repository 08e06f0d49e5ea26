import { setMaxListeners } from "node:events";
import pg from "pg";
import type { Database, Lock } from "./database.js";
import { PgliteThread } from "./pglite-thread.js";
import { PooledSql } from "./pooled-sql.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";

/**
 * PostgreSQL inside this process, in a thread of its own: in memory, or in a folder that no other process may use.
 * It speaks the same protocol, so everything but the stream of bytes is as with a server. There is one connection,
 * which everybody waits for.
 */
export async function openPglite(folder?: string, signal?: AbortSignal): Promise<Database> {
  const thread = await PgliteThread.start(folder, signal);
  const pool = new pg.Pool({
    stream: () => thread.connect(),
    user: "postgres",
    database: "postgres",
    types: valueTypes,
    max: 1,
    idleTimeoutMillis: 0,
  });
  pool.on("error", () => {});
  const names = new StatementNames();
  return {
    sql: ({ statementTimeoutMs } = {}) =>
      new PooledSql(pool, { names, waitMs: statementTimeoutMs, cancel: () => {} }),
    lock: async () => unshared(),
    async close() {
      await pool.end();
      await thread.close();
    },
  };
}

/** There is no other process to share with. */
function unshared(): Lock {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  return { lost: never, release: async () => {} };
}
