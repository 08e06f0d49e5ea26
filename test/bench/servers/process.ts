import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type Hello = { url: string; headers?: Record<string, string> };

/** A server in a process of its own that tells how much processor time it has used. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly hello: Hello;

  private constructor(child: ChildProcess, hello: Hello) {
    this.#child = child;
    this.hello = hello;
  }

  /** `name` is a file of this folder that calls `report`. */
  static async start(name: string): Promise<ServerProcess> {
    const child = fork(await compile(name), { execArgv: [] });
    const [hello] = (await once(child, "message")) as [Hello];
    return new ServerProcess(child, hello);
  }

  /** Microseconds, user and system, since the process began. */
  async cpu(): Promise<number> {
    const answer = once(this.#child, "message") as Promise<[number]>;
    this.#child.send("cpu");
    return (await answer)[0];
  }

  close(): void {
    this.#child.kill();
  }
}

/** Plain JavaScript: what tsx does to keep function names costs more than what is to be measured. */
async function compile(name: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../../dist/bench/${name}.js`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "es2022",
    sourcemap: "inline",
    logLevel: "error",
  });
  return outfile;
}

/** The other side: says where the server is, and answers questions about processor time. */
export function report(hello: Hello): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(hello);
}
