import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { freePort } from "../free-port.js";
import { until } from "../until.js";

/** The program of the server. */
export const redisServer = process.env["TONWIRE_TEST_REDIS_SERVER"] ?? "redis-server";

/** Whether this machine has a Redis server; otherwise logs once what to install. */
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

  /** Makes the server hang with its connections open. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async keys(): Promise<string[]> {
    return (await this.ask((client) => client.keys("*"))).sort();
  }

  /** How often scripts were run. */
  async scripts(): Promise<number> {
    const numbers = await this.ask((client) => client.info("commandstats"));
    const runs = [...numbers.matchAll(/^cmdstat_(?:eval|evalsha):calls=(\d+)/gm)];
    return runs.reduce((sum, [, calls]) => sum + Number(calls), 0);
  }

  async ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.url);
    try {
      return await question(client);
    } finally {
      client.disconnect();
    }
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
