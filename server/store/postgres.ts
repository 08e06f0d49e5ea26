import { once } from "node:events";
import pg from "pg";
import type { Database, Listening, Lock, Sql, SqlOptions } from "./database.js";
import { toServiceError } from "./database-errors.js";
import { PooledSql } from "./pooled-sql.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";

const defaultConnectTimeoutMs = 5000;
/** Our own clock only steps in where the server's statement timeout is not heard of. */
const graceMs = 2000;
const fewConnections = 4;

/** A PostgreSQL server. Nothing is connected before it is needed. */
export function openPostgres(
  url: string,
  { connectTimeoutMs = defaultConnectTimeoutMs }: { connectTimeoutMs?: number } = {},
): Database {
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
    lock: (number, signal) => takeLock(config, number, signal),
    listen: (channel, heard, signal) => listenTo(config, channel, heard, signal),
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function poolOf(
  config: pg.ClientConfig,
  { statementTimeoutMs, connections = fewConnections }: SqlOptions,
): pg.Pool {
  // Readers do not wait for one answer before they ask for the next; `write` cannot be part of that.
  const reading = { statement_timeout: statementTimeoutMs, pipeline: true };
  const pool = new pg.Pool({
    Client: clientWith({ ...config, ...(statementTimeoutMs !== undefined && reading) }),
    max: connections,
  });
  // An idle connection that breaks is replaced at the next use; unheard, the event would end the process.
  pool.on("error", () => {});
  return pool;
}

/** To make a connection takes a limited time. A limit of the pool would count the wait for one that others use as well. */
function clientWith(config: pg.ClientConfig): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      super(config);
    }
  };
}

function sqlOver(pool: pg.Pool, { statementTimeoutMs }: SqlOptions): Sql {
  return new PooledSql(pool, {
    names: new StatementNames(),
    waitMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + graceMs,
    pipelined: statementTimeoutMs !== undefined,
    cancel(client) {
      const { processID } = client as unknown as { processID: number };
      pool.query("select pg_cancel_backend($1)", [processID]).catch(() => {});
    },
  });
}

/** On a connection of its own, whose end is the end of the lock. */
async function takeLock(config: pg.ClientConfig, number: number, signal: AbortSignal): Promise<Lock> {
  const client = new pg.Client(config);
  const lost = endOf(client);
  await onConnection(client, signal, () => client.query("select pg_advisory_lock($1)", [number]));
  return { lost, release: () => end(client) };
}

/** On a connection of its own as well: what is said while there is none is not heard later. */
async function listenTo(
  config: pg.ClientConfig,
  channel: string,
  heard: (text: string) => void,
  signal: AbortSignal,
): Promise<Listening> {
  const client = new pg.Client(config);
  const lost = endOf(client);
  client.on("notification", ({ payload = "" }) => heard(payload));
  await onConnection(client, signal, () => client.query(`listen ${channel}`));
  return { lost, release: () => end(client) };
}

/** Fires when the connection breaks. */
function endOf(client: pg.Client): AbortSignal {
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(toServiceError(error)));
  client.on("end", () => lost.abort(toServiceError(new Error("a connection that was held has ended"))));
  return lost.signal;
}

/** Connects and does the first thing; the signal cuts that short. */
async function onConnection(
  client: pg.Client,
  signal: AbortSignal,
  begin: () => Promise<unknown>,
): Promise<void> {
  const cutShort = () => void end(client);
  // A client that is ended while it connects says neither that it is connected nor that it is not.
  const ended = once(client, "end").then(() => {
    throw new Error("the connection has ended");
  });
  ended.catch(() => {});
  signal.addEventListener("abort", cutShort);
  try {
    signal.throwIfAborted();
    await Promise.race([client.connect(), ended]);
    await begin();
  } catch (error) {
    await end(client);
    signal.throwIfAborted();
    throw toServiceError(error);
  } finally {
    signal.removeEventListener("abort", cutShort);
  }
}

async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
