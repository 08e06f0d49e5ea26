import { describe, expect, it, onTestFinished } from "vitest";
import { createSharedCounters } from "../../server/access/shared-counters.js";
import { openSharedRedis } from "../../server/access/shared-redis.js";
import type { Network } from "../../server/config/settings.js";
import { createLog } from "../../server/observe/log.js";
import { createMetrics } from "../../server/observe/metrics.js";
import { haveRedis, TestRedis } from "../helpers/redis.js";
import { until } from "../helpers/until.js";

const available = await haveRedis();
/** Longer than any test, so that a window never ends during one. */
const windowSec = 3600;

type Setting = { network?: Network; timeoutMs?: number };

/** By default the timeout for Redis is long enough for any machine. */
async function openCounters(redisUrl: string, { network = "devnet", timeoutMs = 60_000 }: Setting = {}) {
  const lines: { level: number; msg: string }[] = [];
  const log = createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = createMetrics(new Set());
  const counters = createSharedCounters(
    await openSharedRedis({ redisUrl, log, metrics, timeoutMs }),
    network,
    Date.now,
  );
  onTestFinished(() => counters.close());
  return {
    add: async (bucket: string, points: number) =>
      (await counters.add(bucket, points, windowSec)).consumedPoints,
    counters,
    messages: () => lines.map(({ level, msg }) => `${level} ${msg}`),
    shared: async () => /^tonwire_shared_limits (\d)$/m.exec(await metrics.text())?.[1],
  };
}

const lost = "40 Redis does not answer: each process counts limits by itself";
const back = "30 Redis is back: processes share their limits again";

describe.skipIf(!available)("counters on Redis", () => {
  it("are shared by all instances of one network only", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openCounters(redis.url), await openCounters(redis.url)];
    const other = await openCounters(redis.url, { network: "testnet" });
    expect(await one.add("key:a", 3)).toBe(3);
    expect(await two.add("key:a", 4)).toBe(7);
    expect(await one.add("key:b", 1)).toBe(1);
    expect(await other.add("key:a", 1)).toBe(1);
    expect(await redis.keys()).toEqual([
      "tonwire:devnet:key:a",
      "tonwire:devnet:key:b",
      "tonwire:testnet:key:a",
    ]);
    expect(await one.shared()).toBe("1");
    expect(one.messages()).toEqual([]);
  });

  it("report the end of their window", async () => {
    const redis = await TestRedis.start();
    const { counters } = await openCounters(redis.url);
    const { msBeforeNext } = await counters.add("key:a", 1, 60);
    expect(msBeforeNext).toBeGreaterThan(0);
    expect(msBeforeNext).toBeLessThanOrEqual(60_000);
    expect(await redis.keys()).toEqual(["tonwire:devnet:key:a"]);
  });

  it("share what is owed, which time pays", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openCounters(redis.url), await openCounters(redis.url)];
    expect(await one.counters.owe("key:a", 40_000, 60_000)).toBe(40_000);
    const owed = await two.counters.owe("key:a", 1_000, 60_000);
    expect(owed).toBeGreaterThan(1_000);
    expect(owed).toBeLessThanOrEqual(41_000);
    expect(await two.counters.owe("key:a", 1e9, 60_000)).toBe(60_000);
    const { owedMs } = await one.counters.add("key:a", 1, windowSec);
    expect(owedMs).toBeGreaterThan(0);
    expect(owedMs).toBeLessThanOrEqual(60_000);
    expect((await one.counters.add("key:b", 1, windowSec)).owedMs).toBe(0);
    expect(await redis.keys()).toContain("tonwire:devnet:debt:key:a");
    await one.counters.owe("key:c", 1, 60_000);
    await until("it is paid", async () => (await two.counters.add("key:c", 1, windowSec)).owedMs === 0);
  });

  it("are local while Redis is down, log one warning, and are shared again after it has recovered", async () => {
    const redis = await TestRedis.start();
    const { add, messages, shared } = await openCounters(redis.url);
    expect(await add("key:a", 5)).toBe(5);

    await redis.stop();
    await until("the loss to be noticed", async () => (await shared()) === "0");
    expect(await add("key:a", 1)).toBe(1);
    expect(await add("key:a", 1)).toBe(2);
    expect(messages()).toEqual([lost]);

    await redis.start();
    await until("the return to be noticed", async () => (await shared()) === "1");
    expect(await add("key:a", 1)).toBe(1);
    expect(await redis.keys()).toEqual(["tonwire:devnet:key:a"]);
    expect(messages()).toEqual([lost, back]);
  });

  it("are local while Redis hangs, and only calls in flight at that moment wait", async () => {
    const redis = await TestRedis.start();
    const { add, messages, shared } = await openCounters(redis.url, { timeoutMs: 250 });
    await until("Redis to be in use", async () => (await shared()) === "1");
    const before = messages().length;
    redis.pause();
    expect(await Promise.all([add("key:a", 1), add("key:a", 1)])).toEqual([1, 2]);
    expect(await add("key:a", 1)).toBe(3);
    expect(messages().slice(before)).toEqual([lost]);
    redis.resume();
    await until("the return to be noticed", async () => (await shared()) === "1");
    await until("a count in Redis", async () => {
      await add("key:b", 1);
      return (await redis.keys()).includes("tonwire:devnet:key:b");
    });
  });

  it("start as local counters if Redis is not available yet", async () => {
    const redis = await TestRedis.start();
    await redis.stop();
    const { add, messages, shared } = await openCounters(redis.url);
    expect(await add("key:a", 1)).toBe(1);
    expect(messages()).toEqual([lost]);
    await redis.start();
    await until("the first connection", async () => (await shared()) === "1");
    expect(messages()).toEqual([lost, back]);
  });
});
