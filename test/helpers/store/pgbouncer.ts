import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { freePort } from "../free-port.js";
import { freeze, thaw } from "../frozen.js";
import { folderInRun } from "../once-per-run.js";
import { until } from "../until.js";
import { asUserIn, lend } from "./postgres.js";

/** Path of PgBouncer; `undefined` if this machine has none. */
function findPgBouncer(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
}

/** Whether tests can have a PgBouncer; otherwise logs what to install. */
export function havePgBouncer(): boolean {
  const found = findPgBouncer() !== undefined;
  if (!found) console.warn("Tests behind PgBouncer are skipped: install pgbouncer.");
  return found;
}

type Mode = "session" | "transaction";

/** PgBouncer before a PostgreSQL server, until the test has finished. Returns the URL of the same database through it. */
export async function startPgBouncer(databaseUrl: string, mode: Mode): Promise<string> {
  return (await openPgBouncer(databaseUrl, mode)).url;
}

/** The same, which can be frozen. */
export async function openPgBouncer(databaseUrl: string, mode: Mode) {
  const folder = folderInRun("tonwire-pgbouncer-");
  const { hostname, port, username } = new URL(databaseUrl);
  const ownPort = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${ownPort}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    // Fewer than there are clients, so that these meet each other's sessions.
    `default_pool_size = ${mode === "session" ? 40 : 2}`,
    "max_client_conn = 200",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  lend(folder);
  const bouncer = spawn(findPgBouncer()!, ["-q", file], { ...asUserIn(folder), stdio: "ignore" });
  onTestFinished(async () => {
    if (bouncer.exitCode !== null) return;
    const exit = once(bouncer, "exit");
    thaw(bouncer);
    bouncer.kill("SIGTERM");
    await exit;
  });
  const url = new URL(databaseUrl);
  url.port = String(ownPort);
  await until("PgBouncer", async () => {
    const client = new pg.Client(url.href);
    client.on("error", () => {});
    return client
      .connect()
      .then(() => client.end())
      .then(
        () => true,
        () => false,
      );
  });
  return { url: url.href, freeze: () => freeze(bouncer), thaw: () => thaw(bouncer) };
}
