import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.js";
import { until } from "./until.js";

/** The program of the server. */
export const redisServer = process.env["TONWIRE_TEST_REDIS_SERVER"] ?? "redis-server";

/** Whether this machine has a Redis server; says once what to install when it has not. */
export async function haveRedis(): Promise<boolean> {
  const found = await new Promise<boolean>((resolve) => {
    const child = spawn(redisServer, ["--version"], { stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  if (!found) console.warn("Tests of shared limits are skipped: install redis-server.");
  return found;
}

/** A real Redis on a free port, empty, without a file on disk. */
export class TestRedis {
  readonly url: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort());
    onTestFinished(() => redis.stop());
    await redis.start();
    return redis;
  }

  async start(): Promise<void> {
    const args = ["--port", String(this.#port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    this.#process = spawn(redisServer, args, { stdio: "ignore" });
    await until("redis-server", () => this.#answers());
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "exit");
  }

  /** Lets the server hang with its connections open, and go on again. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async keys(): Promise<string[]> {
    const client = new Redis(this.url);
    const keys = await client.keys("*");
    client.disconnect();
    return keys.sort();
  }

  async #answers(): Promise<boolean> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: null });
    client.on("error", () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }
}
