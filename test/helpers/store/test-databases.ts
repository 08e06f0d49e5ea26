import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isRunning } from "../is-running.js";
import { oncePerRun, runPid } from "../once-per-run.js";
import { until } from "../until.js";
import { askOnce } from "./ask-once.js";

/** How the names of databases begin that runs on this machine make: others may use the same server. */
const prefix = `tonwire_test_${createHash("sha256").update(hostname()).digest("hex").slice(0, 6)}`;

/** A new name for a database of a run. */
export function databaseName(pid = runPid): string {
  return `${prefix}_${pid}_${randomUUID().replaceAll("-", "")}`;
}

/** Makes a database, as a copy of another one if that is given. Returns its URL. */
export async function createDatabase(server: string, name: string, template?: string): Promise<string> {
  await askOnce(server, `create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const inUse = "55006";

/**
 * Drops a database, and ends the connections to it. A database that is still in use takes no more connections: processes of Citus on
 * other nodes connect to it again and again.
 */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await until(`the end of ${name}`, async () => {
    try {
      await askOnce(server, `drop database if exists ${name} with (force)`);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== inUse) throw error;
      await askOnce(server, `alter database ${name} allow_connections false`);
      return false;
    }
  });
}

/** Drops the databases that runs on this machine have left on a server because they were killed. */
export async function dropLeft(server: string): Promise<void> {
  const found: { datname: string }[] = await askOnce(server, "select datname from pg_database");
  const pidOf = new RegExp(`^${prefix}_(\\d+)_`);
  for (const { datname } of found) {
    const pid = pidOf.exec(datname)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await dropDatabase(server, datname);
  }
}

/** Does this once in a run, before the run makes its first database on these servers. */
export async function dropLeftOnce(name: string, servers: readonly string[]): Promise<void> {
  await oncePerRun(`${name}-left`, async () => {
    for (const server of servers) await dropLeft(server);
  });
}
