import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.js";
import { freeze, killAll, thaw } from "../frozen.js";
import { folderInRun } from "../once-per-run.js";
import { asUserIn, findPrograms, lend, postgresProgram, runAsUser } from "./postgres.js";

const script = fileURLToPath(new URL("../../../.deploy/scale/citus.sh", import.meta.url));

/** Whether tests can have a cluster of their own; otherwise logs what to install. */
export function haveCitus(): boolean {
  const programs = findPrograms();
  const library = () =>
    execFileSync(join(programs!, "pg_config"), ["--pkglibdir"], { encoding: "utf8" }).trim();
  const found =
    programs !== undefined &&
    existsSync(join(programs, "pg_config")) &&
    existsSync(join(library(), "citus.so"));
  if (!found) console.warn("Tests that stop nodes of a cluster are skipped: install Citus.");
  return found;
}

/** A coordinator and two workers on this machine, whose nodes can be stopped. */
export async function startCluster() {
  const folder = folderInRun("tonwire-cluster-");
  lend(folder);
  const port = await freePort(3);
  const user = asUserIn(folder);
  const run = (command: string) =>
    execFileSync("sh", [script, command, folder], {
      ...user,
      env: { ...user.env, PORT: String(port), WORKERS: "2", SHARDS: "8", PROGRAMS: findPrograms()! },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const folderOf = (node: number) => join(folder, `node-${node}`);
  const serverOf = (node: number) => ({
    pid: Number.parseInt(readFileSync(join(folderOf(node), "postmaster.pid"), "utf8"), 10),
  });
  /** Starts the nodes that do not run. */
  const start = () => run("start").trim();
  const url = start();
  return {
    url,
    nodes: [1, 2].map((node) => url.replace(`:${port}/`, `:${port + node}/`)),
    start,
    /** Node 0 is the coordinator. It ends without a word, as in a loss of power. */
    end: (node: number) => {
      runAsUser(
        postgresProgram("pg_ctl"),
        ["stop", "--pgdata", folderOf(node), "--mode", "immediate"],
        folder,
      );
    },
    kill: (node: number) => killAll(serverOf(node)),
    freeze: (node: number) => freeze(serverOf(node)),
    thaw: (node: number) => thaw(serverOf(node)),
    stop() {
      run("stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
