import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../helpers/free-port.js";
import { processorMicros, residentMegabytes } from "../../helpers/services/processes.js";
import { until } from "../../helpers/until.js";

/** How a program that serves TON Center's API is started: on a port, in an empty folder. */
export type Program = {
  command: string;
  args: (port: number) => readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Path of the methods of v2, if it is not TON Center's. */
  v2?: string;
};

/** Time since a process began to start, and its memory then. */
export type Ready = { ms: number; megabytes: number };

type Parts = Pick<Server, "origin" | "v2"> & {
  pid: number | undefined;
  ready?: Ready;
  /** State of a process that was started here. */
  state?: () => Ready;
  stop?: () => Promise<void>;
};

const usualPath = "/api/v2";
const startMs = 120_000;
const polledMs = 5;
/** Processor time that a server at rest may use. */
const rest = { withinMs: 300, micros: 30_000 } as const;

/** Parts to close at the end of the bench. */
export type Closable = { close(): unknown };

/** A server of TON Center's API: one that was started here, or one that runs somewhere. */
export class Server {
  readonly origin: string;
  /** Path of the methods of v2. */
  readonly v2: string;
  readonly headers: Record<string, string>;
  /** Absent for a server elsewhere. */
  readonly pid: number | undefined;
  readonly #stop: () => Promise<void>;
  /** At the first answer; absent for a server that was running already. */
  readonly ready: Ready | undefined;
  /** As `ready`, at the time of the call. */
  readonly state: (() => Ready) | undefined;

  private constructor({ origin, v2, pid, ready, state, stop = async () => {} }: Parts) {
    this.origin = origin;
    this.v2 = v2;
    // A key that a running service does not know would be refused.
    this.headers = ready ? { "X-API-Key": benchKey } : {};
    this.pid = pid;
    this.ready = ready;
    this.state = state;
    this.#stop = stop;
  }

  /** `http://host:port`, and behind a `#` the number of its process, if that runs on this machine. */
  static running(url: string, { v2 = usualPath } = {}): Server {
    const { origin, hash } = new URL(url);
    return new Server({ origin, v2, pid: hash === "" ? undefined : Number(hash.slice(1)) });
  }

  static async start({ command, args, env = {}, v2 = usualPath }: Program): Promise<Server> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "tonwire-peer-"));
    const start = performance.now();
    const child = spawn(command, args(port), {
      cwd: folder,
      env: { ...ownEnvironment(), ...env },
      stdio: "ignore",
    });
    let failure: Error | undefined;
    child.on("error", (error) => {
      failure = error;
    });
    const stop = async () => {
      if (failure === undefined && child.exitCode === null && child.signalCode === null) await ended(child);
      rmSync(folder, { recursive: true, force: true });
    };
    const origin = `http://127.0.0.1:${port}`;
    while (!(await answers(`${origin}${v2}/getMasterchainInfo`))) {
      const hasEnded = failure !== undefined || child.exitCode !== null;
      if (hasEnded || performance.now() - start > startMs) {
        await stop();
        throw new Error(`${command} does not serve: ${failure?.message ?? `exit code ${child.exitCode}`}`);
      }
      await wait(polledMs);
    }
    const state = () => ({ ms: performance.now() - start, megabytes: residentMegabytes(child.pid!) });
    return new Server({ origin, v2, pid: child.pid, ready: state(), state, stop });
  }

  /** Processor time in microseconds; undefined if it is not known. */
  spentMicros(): number | undefined {
    return this.pid === undefined ? undefined : processorMicros(this.pid);
  }

  /** Waits until it is idle, such as an index that has caught up; immediately if that is not known. */
  async rests(): Promise<void> {
    await until(`${this.origin} to rest`, async () => {
      const before = this.spentMicros();
      if (before === undefined) return true;
      await wait(rest.withinMs);
      return this.spentMicros()! - before <= rest.micros;
    });
  }

  close(): Promise<void> {
    return this.#stop();
  }
}

/** A server given by the user: the URL of a running one, or else the path of a program. */
export const isUrl = (given: string) => /^https?:/.test(given);

/** Key of our devnet; other servers ignore it. */
export const benchKey = "key-of-the-bench";

/** The environment without what is meant for tests and benches, which a service refuses or takes for settings. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^TONWIRE_(BENCH|TEST)_/.test(name));
  return Object.fromEntries(entries);
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await exit;
  clearTimeout(timer);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.text();
    return answer.status === 200;
  } catch {
    return false;
  }
}
