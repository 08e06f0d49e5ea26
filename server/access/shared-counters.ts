import type { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { ConfigError, type Network } from "../config/settings.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import { type Counters, createLocalCounters, unusedLimit } from "./counters.js";

export type SharedCountersOptions = {
  redisUrl: string;
  network: Network;
  log: Log;
  metrics: Pick<Metrics, "sharedLimits">;
  /** Timeout of one command. */
  timeoutMs?: number | undefined;
};

const defaultTimeoutMs = 250;
/** Timeout for connecting, as a multiple of the command timeout. */
const connectTimeouts = 8;
const maxReconnectMs = 1000;

/**
 * Counters shared by all instances on the same Redis. While Redis does not answer, each instance counts locally; a
 * call waits for Redis for at most one command timeout. Throws `ConfigError` if the package ioredis is not installed.
 */
export async function createSharedCounters({
  redisUrl,
  network,
  log,
  metrics,
  timeoutMs = defaultTimeoutMs,
}: SharedCountersOptions): Promise<Counters> {
  const redis = await connect(redisUrl, timeoutMs);
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `tonwire:${network}`,
    ...unusedLimit,
  });
  const local = createLocalCounters();
  const health = watchHealth(log, metrics);

  redis.on("ready", () => health.works());
  redis.on("close", () => health.fails("connection lost"));
  // Failed attempts to connect emit "error" and then "close", which is handled above.
  redis.on("error", () => {});
  await settled(redis);

  return {
    async add(bucket, points, windowSec) {
      if (redis.status !== "ready") return local.add(bucket, points, windowSec);
      try {
        const count = await limiter.penalty(bucket, points, { customDuration: windowSec });
        health.works();
        return count;
      } catch (cause) {
        health.fails((cause as Error).message);
        // A hanging server still looks connected: reconnect, so that the next calls do not wait for it too.
        if ((cause as Error).name !== "ReplyError" && redis.status === "ready") redis.disconnect(true);
        return local.add(bucket, points, windowSec);
      }
    },
    async close() {
      redis.removeAllListeners("close");
      redis.disconnect();
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
    works: () => change(true, () => log.info("limits are shared through Redis again")),
    fails: (reason: string) =>
      change(false, () => log.warn({ reason }, "Redis does not answer, limits are counted locally")),
  };
}
