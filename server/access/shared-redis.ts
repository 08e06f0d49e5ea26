import type { Redis } from "ioredis";
import { ConfigError } from "../config/settings.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";

type SharedRedisOptions = {
  redisUrl: string;
  log: Log;
  metrics: Pick<Metrics, "sharedLimits">;
  /** Timeout of one command. */
  timeoutMs?: number | undefined;
};

/** The Redis that all instances share. */
export interface SharedRedis {
  readonly client: Redis;
  /** The answer of Redis; `undefined` if there is none within one command timeout. */
  ask<T>(question: () => Promise<T>): Promise<T | undefined>;
  /** A script with one key, whose text is sent once. What it resolves with is as that of `ask`. */
  script<T>(name: string, lua: string): Script<T>;
  close(): void;
}

type Script<T> = (key: string, ...args: readonly number[]) => Promise<T | undefined>;

const defaultTimeoutMs = 250;
/** Timeout for connecting, as a multiple of the command timeout. */
const connectTimeouts = 8;
const maxReconnectMs = 1000;

/** Throws `ConfigError` if the package ioredis is not installed. */
export async function openSharedRedis({
  redisUrl,
  log,
  metrics,
  timeoutMs,
}: SharedRedisOptions): Promise<SharedRedis> {
  const client = await connectRedis(redisUrl, timeoutMs);
  const health = watchHealth(log, metrics);
  /** A connection to a server that hangs stays open for a while after it was given up. */
  let isGivenUp = false;
  client.on("ready", () => health.works());
  client.on("close", () => {
    isGivenUp = false;
    health.fails("connection lost");
  });
  // Failed attempts to connect emit "error" and then "close", which is handled above.
  client.on("error", () => {});
  await settled(client);
  const ask = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    if (client.status !== "ready" || isGivenUp) return undefined;
    try {
      const answer = await question();
      health.works();
      return answer;
    } catch (cause) {
      health.fails((cause as Error).message);
      // A hanging server still looks connected: reconnect, so that the next calls do not wait for it too.
      if ((cause as Error).name !== "ReplyError" && client.status === "ready" && !isGivenUp) {
        isGivenUp = true;
        client.disconnect(true);
      }
      return undefined;
    }
  };
  return {
    client,
    ask,
    script<T>(name: string, lua: string): Script<T> {
      client.defineCommand(name, { numberOfKeys: 1, lua });
      const commands = client as unknown as Record<string, (...args: unknown[]) => Promise<T>>;
      return (...args) => ask(() => commands[name]!(...args));
    },
    close() {
      client.removeAllListeners("close");
      client.disconnect();
    },
  };
}

/** Throws `ConfigError` if the package ioredis is not installed. */
export async function loadRedis(): Promise<typeof Redis> {
  const library = await import("ioredis").catch(() => {
    throw new ConfigError([
      "REDIS_URL needs the package ioredis, which is not installed: npm install ioredis",
    ]);
  });
  return library.Redis;
}

/** A client that connects, and connects again, by itself. */
export async function connectRedis(
  url: string,
  timeoutMs = defaultTimeoutMs,
  options: { autoResubscribe?: boolean } = {},
): Promise<Redis> {
  const Client = await loadRedis();
  return new Client(url, {
    commandTimeout: timeoutMs,
    connectTimeout: connectTimeouts * timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, maxReconnectMs),
    ...options,
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
