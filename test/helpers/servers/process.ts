import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { handledLater } from "../../../shared/values/promises.js";

/** Address of a server, and its answers by method, so that another server can answer the same. */
export type Hello = { url: string; headers?: Record<string, string>; records?: Record<string, unknown> };

/** Worker threads of servers; compiled next to them. */
const workers = [
  "../../../server/devnet/thread/devnet-worker.ts",
  "../../../server/chain/executor/threads/executor-worker.ts",
];

type ServerOptions = {
  records?: Hello["records"];
  /** Arguments of Node. */
  flags?: readonly string[];
};

/** A server in its own process that reports its processor time. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly hello: Hello;

  private constructor(child: ChildProcess, hello: Hello) {
    this.child = child;
    this.hello = hello;
  }

  /** `name` is a file in this folder that calls `report`; `records` are its answers. */
  static async start(name: string, { records, flags }: ServerOptions = {}): Promise<ServerProcess> {
    const env = records && { BENCH_RECORDS: JSON.stringify(records) };
    const child = await startProcess(name, env, flags);
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the server ${name} ended with the code ${code}`);
    });
    const [hello] = (await Promise.race([once(child, "message"), handledLater(ended)])) as [Hello];
    return new ServerProcess(child, hello);
  }

  /** Microseconds, user and system, since the process began. */
  async cpu(): Promise<number> {
    const answer = once(this.child, "message") as Promise<[number]>;
    this.child.send("cpu");
    return (await answer)[0];
  }

  close(): void {
    this.child.kill();
  }
}

/** Runs a file of this folder in a separate process. */
export async function startProcess(
  name: string,
  env: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<ChildProcess> {
  return fork(await compile(name), { execArgv: [...flags], env: { ...process.env, ...env } });
}

/** Plain JavaScript: the code tsx adds to keep function names costs more than the measured code. */
async function compile(name: string): Promise<string> {
  const outdir = fileURLToPath(new URL("../../../dist/bench/servers/", import.meta.url));
  await build({
    entryPoints: [`${name}.ts`, ...workers].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    outdir,
    entryNames: "[name]",
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "es2022",
    sourcemap: "inline",
    logLevel: "error",
  });
  linkVendored(join(outdir, "../vendor"));
  return `${outdir}${name}.js`;
}

/** Compiled code looks for files of other packages in the folder above its own. */
function linkVendored(path: string): void {
  if (!existsSync(path)) symlinkSync(join("..", "server", "vendor"), path, "dir");
}

/** The server's side: reports its address and its processor time. */
export function report(hello: Hello): void {
  process.on("message", (message) => {
    if (message !== "cpu") return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(hello);
}
