import pg from "pg";
import type { Database, Lock, Sql, SqlOptions } from "./database.js";
import { toServiceError } from "./database-errors.js";
import { PooledSql } from "./pooled-sql.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";

const connectTimeoutMs = 5000;
/** Our own clock only steps in where the server's statement timeout is not heard of. */
const graceMs = 2000;
const fewConnections = 4;

/** A PostgreSQL server. Nothing is connected before it is needed. */
export function openPostgres(url: string): Database {
  const pools: pg.Pool[] = [];
  const config: pg.ClientConfig = {
    connectionString: url,
    types: valueTypes,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "tonwire",
  };
  return {
    sql(options = {}) {
      const pool = poolOf(config, options);
      pools.push(pool);
      return sqlOver(pool, options);
    },
    lock: (number, signal) => takeLock(new pg.Client(config), number, signal),
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function poolOf(
  config: pg.ClientConfig,
  { statementTimeoutMs, connections = fewConnections }: SqlOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    max: connections,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
  });
  // An idle connection that breaks is replaced at the next use; unheard, the event would end the process.
  pool.on("error", () => {});
  return pool;
}

function sqlOver(pool: pg.Pool, { statementTimeoutMs }: SqlOptions): Sql {
  return new PooledSql(pool, {
    names: new StatementNames(),
    waitMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + graceMs,
    cancel(client) {
      const { processID } = client as unknown as { processID: number };
      pool.query("select pg_cancel_backend($1)", [processID]).catch(() => {});
    },
  });
}

/** On a connection of its own, whose end is the end of the lock. */
async function takeLock(client: pg.Client, number: number, signal: AbortSignal): Promise<Lock> {
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(toServiceError(error)));
  client.on("end", () => lost.abort(toServiceError(new Error("the connection that held a lock has ended"))));
  const end = () => client.end().catch(() => {});
  signal.addEventListener("abort", end);
  try {
    await client.connect();
    await client.query("select pg_advisory_lock($1)", [number]);
  } catch (error) {
    await end();
    signal.throwIfAborted();
    throw toServiceError(error);
  } finally {
    signal.removeEventListener("abort", end);
  }
  return { lost: lost.signal, release: end };
}
