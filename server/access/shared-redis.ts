import type { Redis } from "ioredis";
import { ConfigError } from "../config/settings.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";

export type SharedRedisOptions = {
  redisUrl: string;
  log: Log;
  metrics: Pick<Metrics, "sharedLimits">;
  /** Timeout of one command. */
  timeoutMs?: number | undefined;
};

/** The Redis that all instances share. */
export interface SharedRedis {
  readonly client: Redis;
  /** What Redis answers; `undefined` while it does not, for which a caller waits at most one command timeout. */
  ask<T>(question: () => Promise<T>): Promise<T | undefined>;
  close(): void;
}

const defaultTimeoutMs = 250;
/** Timeout for connecting, as a multiple of the command timeout. */
const connectTimeouts = 8;
const maxReconnectMs = 1000;

/** Throws `ConfigError` if the package ioredis is not installed. */
export async function openSharedRedis({
  redisUrl,
  log,
  metrics,
  timeoutMs = defaultTimeoutMs,
}: SharedRedisOptions): Promise<SharedRedis> {
  const client = await connect(redisUrl, timeoutMs);
  const health = watchHealth(log, metrics);
  client.on("ready", () => health.works());
  client.on("close", () => health.fails("connection lost"));
  // Failed attempts to connect emit "error" and then "close", which is handled above.
  client.on("error", () => {});
  await settled(client);
  return {
    client,
    async ask(question) {
      if (client.status !== "ready") return undefined;
      try {
        const answer = await question();
        health.works();
        return answer;
      } catch (cause) {
        health.fails((cause as Error).message);
        // A hanging server still looks connected: reconnect, so that the next calls do not wait for it too.
        if ((cause as Error).name !== "ReplyError" && client.status === "ready") client.disconnect(true);
        return undefined;
      }
    },
    close() {
      client.removeAllListeners("close");
      client.disconnect();
    },
  };
}

async function connect(url: string, timeoutMs: number): Promise<Redis> {
  const { Redis } = await import("ioredis").catch(() => {
    throw new ConfigError([
      "REDIS_URL needs the package ioredis, which is not installed: npm install ioredis",
    ]);
  });
  return new Redis(url, {
    commandTimeout: timeoutMs,
    connectTimeout: connectTimeouts * timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, maxReconnectMs),
  });
}

/** Resolves once the connection is ready or has failed, so that its state is known to the first calls. */
function settled(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    redis.once("ready", resolve);
    redis.once("close", resolve);
  });
}

/** Logs each change between shared and local limits once. */
function watchHealth(log: Log, metrics: Pick<Metrics, "sharedLimits">) {
  let working: boolean | undefined;
  const change = (now: boolean, logChange: () => void) => {
    if (working === now) return;
    if (working !== undefined || !now) logChange();
    working = now;
    metrics.sharedLimits(now);
  };
  return {
    works: () => change(true, () => log.info("Redis is back: processes share their limits again")),
    fails: (reason: string) =>
      change(false, () =>
        log.warn({ reason }, "Redis does not answer: each process counts limits by itself"),
      ),
  };
}
