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
  /** How long Redis may take for one command. */
  patienceMs?: number | undefined;
};

const defaultPatienceMs = 250;
/** A connection may take so many times as long as a command. */
const connectShare = 8;
const longestPauseMs = 1000;

/**
 * Counters that every instance on the same Redis shares. While Redis does not answer, each instance counts for
 * itself; nobody waits for it longer than one command.
 */
export async function createSharedCounters({
  redisUrl,
  network,
  log,
  metrics,
  patienceMs = defaultPatienceMs,
}: SharedCountersOptions): Promise<Counters> {
  const redis = await connect(redisUrl, patienceMs);
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `tonwire:${network}`,
    ...unusedLimit,
  });
  const local = createLocalCounters();
  const health = watchHealth(log, metrics);

  redis.on("ready", () => health.works());
  redis.on("close", () => health.fails("connection lost"));
  // Every failed attempt to connect raises one; the "close" that follows has said it already.
  redis.on("error", () => {});
  await firstVerdict(redis);

  return {
    async add(bucket, points, windowSec) {
      if (redis.status !== "ready") return local.add(bucket, points, windowSec);
      try {
        const count = await limiter.penalty(bucket, points, { customDuration: windowSec });
        health.works();
        return count;
      } catch (cause) {
        health.fails((cause as Error).message);
        // A server that hangs looks connected: start over, so that the next calls do not wait for it too.
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

async function connect(url: string, patienceMs: number): Promise<Redis> {
  const { Redis } = await import("ioredis").catch(() => {
    throw new ConfigError([
      "REDIS_URL needs the package ioredis, which is not installed: npm install ioredis",
    ]);
  });
  return new Redis(url, {
    commandTimeout: patienceMs,
    connectTimeout: connectShare * patienceMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, longestPauseMs),
  });
}

/** Resolves when the connection works or has failed once, so that the first calls find it in a settled state. */
function firstVerdict(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    redis.once("ready", resolve);
    redis.once("close", resolve);
  });
}

/** Says each change of the state once. */
function watchHealth(log: Log, metrics: Pick<Metrics, "sharedLimits">) {
  let working: boolean | undefined;
  const change = (now: boolean, say: () => void) => {
    if (working === now) return;
    if (working !== undefined || !now) say();
    working = now;
    metrics.sharedLimits(now);
  };
  return {
    works: () => change(true, () => log.info("limits are shared through Redis again")),
    fails: (reason: string) =>
      change(false, () => log.warn({ reason }, "Redis does not answer, limits are counted locally")),
  };
}
