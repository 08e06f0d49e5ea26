import pg from "pg";
import type { Database, Listening, Lock, Sql, SqlOptions } from "../database.js";
import { ReadTurns } from "../read-turns.js";
import { confirmServer } from "./confirm-server.js";
import { connectionNumbers } from "./connection-numbers.js";
import { end, endOf, onConnection } from "./held-connection.js";
import { type ConnectionWaits, PooledSql } from "./pooled-sql.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";
import { WireClient } from "./wire-client.js";

const defaultConnectTimeoutMs = 5000;
/** Added to the statement timeout: our timer is only for a server that does not report its own. */
const graceMs = 2000;
/** Statement timeout of the check of the server. */
const confirmTimeoutMs = 60_000;
/** A connection that is closed loses its plans and what it knows of the tables: 100 ms and more with many slots. */
const idleMs = 10 * 60_000;
/** Some routers forget a connection that is silent for a few minutes. */
const keepAliveMs = 30_000;
/** How the connections for answers are shared. */
const answerTurns = { fast: 4, slow: 2, slowMs: 500 };
/** One for each turn, and one to cancel statements with. */
const answerConnections = answerTurns.fast + answerTurns.slow + 1;

/** Opens a PostgreSQL server. Connects on first use. */
export function openPostgres(
  url: string,
  { connectTimeoutMs = defaultConnectTimeoutMs }: { connectTimeoutMs?: number } = {},
): Database {
  const pools: pg.Pool[] = [];
  const waits = { count: 0, ms: 0 };
  const config: pg.ClientConfig = {
    connectionString: url,
    types: valueTypes,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "tonwire",
  };
  return {
    sql(options = {}) {
      const pool = poolOf(config, options);
      pools.push(pool);
      return sqlOver(pool, options, waits);
    },
    lock: (number, signal) => takeLock(config, number, signal),
    listen: (channel, onMessage, signal) => listenTo(config, channel, onMessage, signal),
    // With a start parameter, as readers have.
    confirm: (use, signal) => confirmServer({ ...config, statement_timeout: confirmTimeoutMs }, use, signal),
    connections: () => connectionNumbers(pools, waits),
    isConcurrent: true,
    // Not the URL itself, which may have a password.
    emptyCommand: `tonwire empty-index --database-url "$DATABASE_URL"`,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function poolOf(
  config: pg.ClientConfig,
  { statementTimeoutMs, connections = answerConnections }: SqlOptions,
): pg.Pool {
  // Readers pipeline statements; `write` does not work in a pipeline.
  const reading = { statement_timeout: statementTimeoutMs, pipeline: true };
  const pool = new pg.Pool({
    Client: clientWith({ ...config, ...(statementTimeoutMs !== undefined && reading) }),
    max: connections,
    idleTimeoutMillis: idleMs,
  });
  // The pool replaces a broken idle connection. Without a listener the event would end the process.
  pool.on("error", () => {});
  return pool;
}

/** Sets the connect timeout per client: a timeout of the pool would include the wait for a busy connection. */
function clientWith(config: pg.ClientConfig): new () => pg.Client {
  return class extends WireClient {
    constructor() {
      super(config);
    }
  };
}

function sqlOver(pool: pg.Pool, { statementTimeoutMs }: SqlOptions, waits: ConnectionWaits): Sql {
  return new PooledSql(pool, {
    waits,
    names: new StatementNames(),
    waitMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + graceMs,
    pipelined: statementTimeoutMs !== undefined,
    turns: new ReadTurns(answerTurns),
    cancel(client) {
      const { processID } = client as unknown as { processID: number };
      // The statement then runs to its timeout.
      pool.query("select pg_cancel_backend($1)", [processID]).catch(() => {});
    },
  });
}

/** Takes the lock on a connection of its own: the lock ends with it. */
async function takeLock(config: pg.ClientConfig, number: number, signal: AbortSignal): Promise<Lock> {
  const client = new pg.Client(config);
  const lost = endOf(client);
  await onConnection(client, signal, () => client.query("select pg_advisory_lock($1)", [number]));
  return { lost, release: () => end(client) };
}

/** Listens on a connection of its own. Notifications sent while it is broken are lost. */
async function listenTo(
  config: pg.ClientConfig,
  channel: string,
  onMessage: (text: string) => void,
  signal: AbortSignal,
): Promise<Listening> {
  const client = new pg.Client(config);
  const lost = endOf(client);
  client.on("notification", ({ payload = "" }) => onMessage(payload));
  await onConnection(client, signal, () => client.query(`listen ${channel}`));
  return { lost, release: () => end(client) };
}
