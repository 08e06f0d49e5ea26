import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "../free-port.js";
import { freeze, thaw } from "../frozen.js";
import { folderInRun } from "../once-per-run.js";
import { until } from "../until.js";
import { askOnce } from "./ask-once.js";
import { asUserIn, findPrograms, lend, postgresProgram, runAsUser } from "./postgres.js";

/** A standby of a PostgreSQL server of the tests, which streams from it. Programs that started it stop it. */
export async function startStandby(primaryUrl: string, more: Readonly<Record<string, string>> = {}) {
  const folder = folderInRun("tonwire-standby-");
  lend(folder);
  const server = new URL(primaryUrl);
  server.pathname = "/postgres";
  const copying = [
    "-D",
    folder,
    "-d",
    server.href,
    "-R",
    "-X",
    "stream",
    "--checkpoint",
    "fast",
    "--no-sync",
  ];
  runAsUser(postgresProgram("pg_basebackup"), copying, folder);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    ...more,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const url = urlOf(new URL(primaryUrl).pathname.slice(1));
  const ask = (text: string) => askOnce(url, text);
  const answers = () =>
    ask("select 1").then(
      () => true,
      () => false,
    );
  const run = async () => {
    const started = spawn(join(findPrograms()!, "postgres"), ["-D", folder, ...flags], {
      // A standby of a node of a cluster connects to the others, and looks for certificates in its home.
      ...asUserIn(folder),
      stdio: "ignore",
    });
    await until("the standby", answers);
    return started;
  };
  let running: Awaited<ReturnType<typeof run>> | undefined = await run();
  return {
    url,
    ask,
    pause: () => ask("select pg_wal_replay_pause()"),
    resume: () => ask("select pg_wal_replay_resume()"),
    promote: () => ask("select pg_promote()"),
    freeze: () => freeze(running!),
    thaw: () => {
      if (running) thaw(running);
    },
    async start() {
      running ??= await run();
    },
    async stop() {
      const ended = running;
      running = undefined;
      if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
      const exit = once(ended, "exit");
      ended.kill("SIGINT");
      await exit;
    },
  };
}
