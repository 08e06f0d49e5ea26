import pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Timers } from "../../../shared/values/timers.js";
import type { Fallback } from "../../observe/fallback.js";
import { isDividedSql, NodeCommits } from "../cluster/commits.js";
import type { Commits, Database, Listening, ReadServer, Sql, SqlOptions } from "../database.js";
import { ReadTurns } from "../read-turns.js";
import { confirmServer, confirmSessions } from "./confirm-server.js";
import type { ConnectionOptions } from "./connection.js";
import { end, endOf, onConnection } from "./held-connection.js";
import { takeLock } from "./lock-session.js";
import { canReadRowMessages } from "./pg-members.js";
import { connectionNumbers, PooledSql } from "./pooled-sql.js";
import { sessionNames } from "./session-names.js";
import { StatementNames } from "./statement-names.js";
import { valueTypes } from "./value-types.js";
import { clientsWith } from "./wire-client.js";

// The one door of this folder: what other rooms import. Only here, and in the files below, is the package `pg` known.
export { openEmbedded } from "./embedded.js";

const defaultConnectTimeoutMs = 5000;
/** Added to the statement timeout: our timer is only for a server that does not report its own. */
const graceMs = 2000;
/** Timeout of a statement of the check of the server. */
const confirmTimeoutMs = 60_000;
/** A connection that is closed loses its plans and what it knows of the tables: 100 ms and more with many slots. */
const idleMs = 10 * 60_000;
/** Some routers forget a connection that is silent for a few minutes. */
const keepAliveMs = 30_000;
/** How the connections for answers are shared. */
const answerTurns = { fast: 4, slow: 2, slowMs: 500 };
/** How the commits of a divided index are looked at, and held up: a lock is waited for while one goes on. */
const commitReads = { statementTimeoutMs: 10_000, connections: 4 };
/** One for each turn, and one to cancel statements with. */
const connectionsFor = ({ fast, slow }: typeof answerTurns) => fast + slow + 1;

export type PostgresOptions = {
  connectTimeoutMs?: number;
  /** Whether rows are read as bytes; by default if this version of `pg` lets them be. */
  readsBytes?: boolean;
  fallback?: Fallback;
};

/** `takeoverMs`: how long a process may be silent that holds a lock. */
type LockingOptions = { takeoverMs?: number | undefined; timers?: Pick<Timers, "after"> };

/** Opens a PostgreSQL server. Connects on first use. */
export function openPostgres(
  url: string,
  {
    connectTimeoutMs = defaultConnectTimeoutMs,
    takeoverMs,
    timers,
    ...options
  }: PostgresOptions & LockingOptions = {},
): Database {
  const { names, unnamedUrl } = sessionNames(url);
  const config = { ...configOf(unnamedUrl, connectTimeoutMs), application_name: names.work };
  const { fallback } = options;
  const pools = poolsOf(config, { ...options, commits: () => commits });
  const commits = new NodeCommits(pools.sql(commitReads));
  return {
    ...pools,
    commits,
    lock: (number, signal) => takeLock(config, number, signal, { names, takeoverMs, timers, fallback }),
    listen: (channel, onMessage, signal) => listenTo(config, channel, onMessage, signal),
    confirm: (use, signal) => confirmServer({ ...config, query_timeout: confirmTimeoutMs }, use, signal),
    isConcurrent: true,
    // Not the URL itself, which may have a password.
    emptyCommand: `tonwire empty-index --database-url "$DATABASE_URL"`,
  };
}

type ReadServerOptions = PostgresOptions & { isPooled: boolean; commits?: Commits | undefined };

/**
 * Opens a server that only answers are read from. `isPooled`: whether it is behind a pooler in transaction mode. `commits`: the
 * commits of the database, if the server may be one of its nodes.
 */
export function openReadServer(
  url: string,
  { connectTimeoutMs = defaultConnectTimeoutMs, commits, ...others }: ReadServerOptions,
): ReadServer {
  const { isPooled } = others;
  const options = { ...others, ...(commits && { commits: () => commits }) };
  const usual = configOf(url, connectTimeoutMs);
  // Such a pooler refuses parameters that it does not know.
  const { application_name: _, ...bare } = usual;
  const { sql, ...pools } = poolsOf(isPooled ? bare : usual, options);
  return {
    ...pools,
    name: new URL(url).host,
    sql: ({ statementTimeoutMs, atOnce }) => sql({ statementTimeoutMs }, { ...answerTurns, fast: atOnce }),
    confirm: async (signal) => {
      if (!isPooled) await confirmSessions({ ...usual, query_timeout: confirmTimeoutMs }, signal);
    },
  };
}

function configOf(url: string, connectTimeoutMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    types: valueTypes,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "tonwire",
  };
}

type PoolsOptions = Omit<PostgresOptions, "connectTimeoutMs"> & {
  isPooled?: boolean;
  commits?: () => Commits;
};

/** All pools of a server: readers and writers have different ones. */
function poolsOf(config: pg.ClientConfig, options: PoolsOptions) {
  const { isPooled = false, readsBytes = canReadRowMessages(), fallback, commits } = options;
  const pools: pg.Pool[] = [];
  const waits = { count: 0, ms: 0 };
  return {
    sql({ statementTimeoutMs, connections }: SqlOptions = {}, turns = answerTurns): Sql {
      // Readers pipeline statements; `write` does not work in a pipeline.
      const pipelined = statementTimeoutMs !== undefined;
      const pool = new pg.Pool({
        // The connect timeout is the client's: one of the pool would include the wait for a busy connection.
        Client: clientsWith({ ...config, pipeline: pipelined }, readsBytes),
        max: connections ?? connectionsFor(turns),
        idleTimeoutMillis: idleMs,
      });
      pools.push(pool);
      // The pool replaces a broken idle connection. Without a listener the event would end the process.
      pool.on("error", () => {});
      const sessions: Sessions = new WeakMap();
      const beginning = beginningOf(statementTimeoutMs);
      // Behind a statement that the pool itself has queued: `pg` warns of a second one that queues.
      if (!isPooled) pool.on("connect", (client) => queueMicrotask(() => begin(client, beginning, sessions)));
      return new PooledSql(pool, {
        waits,
        session: isPooled ? { snapshotTimeoutMs: statementTimeoutMs } : { names: new StatementNames() },
        waitMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + graceMs,
        pipelined,
        turns: new ReadTurns(turns),
        commits,
        ...callsOf(pool, { sessions, isPooled, mayBeDivided: commits !== undefined, fallback }),
      });
    },
    connections: () => connectionNumbers(pools, waits),
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** A connection: the number by which the server knows it, to cancel its statements, and whether the index is divided. */
type Session = { pid: number; divided?: boolean };
type Sessions = WeakMap<pg.ClientBase, { session?: Session; begun: Promise<void> }>;

/** The timeout is no parameter of the start message, as poolers refuse those that they do not know. */
function beginningOf(statementTimeoutMs: number | undefined): string {
  const timeout =
    statementTimeoutMs === undefined
      ? ""
      : `, set_config('statement_timeout', '${statementTimeoutMs}', false)`;
  return `select pg_backend_pid() as pid, ${isDividedSql} as divided${timeout}`;
}

/**
 * Not waited for, as the pool has no timeout for it: it is answered before the first statement of a user, who gets the
 * errors and the timeouts of the connection.
 */
function begin(client: pg.ClientBase, beginning: string, sessions: Sessions): void {
  const entry: { session?: Session; begun: Promise<void> } = {
    begun: client.query<Session>(beginning).then(
      ({ rows: [session] }) => {
        if (session) entry.session = session;
      },
      () => {
        // Users of the connection get its errors.
      },
    ),
  };
  sessions.set(client, entry);
}

type CallsOptions = {
  sessions: Sessions;
  isPooled: boolean;
  mayBeDivided: boolean;
  fallback: Fallback | undefined;
};

/** What is done with the session of a connection. */
function callsOf(
  pool: pg.Pool,
  { sessions, isPooled, mayBeDivided, fallback }: CallsOptions,
): Pick<ConnectionOptions, "isDivided" | "cancel"> {
  let divided: boolean | undefined;
  return {
    async isDivided(client) {
      if (!mayBeDivided) return false;
      if (isPooled) {
        divided ??= await isDivided(client);
        return divided;
      }
      const entry = sessions.get(client);
      await entry?.begun;
      return entry?.session?.divided === true;
    },
    cancel(client, run) {
      const number = sessions.get(client)?.session?.pid;
      if (run === undefined && number === undefined) return;
      const values: unknown[] = run === undefined ? [number] : run.split(" ");
      const text = run === undefined ? cancelSession : cancelRun;
      // If it fails, the statement runs to its timeout.
      pool.query(text, values).catch((error: unknown) => fallback?.("statement-cancel", error));
    },
  };
}

async function isDivided(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ divided: boolean }>(`select ${isDividedSql} as divided`);
  return itemAt(rows, 0).divided;
}

/** Citus has a second function of this name, for larger numbers. */
const cancelSession = "select pg_cancel_backend($1::integer)";
/** A session of a pooler may run the statement of another client by now. */
const cancelRun = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = $1 and extract(epoch from xact_start)::text = $2`;

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
