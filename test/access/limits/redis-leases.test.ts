import { describe, expect, it, onTestFinished } from "vitest";
import { LeasedCounters } from "../../../server/access/limits/leased-counters.js";
import { RateLimit } from "../../../server/access/limits/rate-limit.js";
import { createRedisLeases } from "../../../server/access/limits/redis-leases.js";
import { openSharedRedis } from "../../../server/access/shared-redis.js";
import type { Network } from "../../../server/config/settings.js";
import { createLog } from "../../../server/observe/log.js";
import { createMetrics } from "../../../server/observe/metrics.js";
import { haveRedis, TestRedis } from "../../helpers/peers/redis.js";
import { until } from "../../helpers/until.js";

const available = await haveRedis();
/** Longer than any test, so that a window never ends during one. */
const windowSec = 3600;

type Setting = { network?: Network; timeoutMs?: number };

/** By default the timeout for Redis is long enough for any machine. */
async function openCounters(redisUrl: string, { network = "devnet", timeoutMs = 60_000 }: Setting = {}) {
  const lines: { level: number; msg: string }[] = [];
  const log = createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = createMetrics(new Set());
  const redis = await openSharedRedis({ redisUrl, log, metrics, timeoutMs });
  const counters = new LeasedCounters(createRedisLeases(redis, network, Date.now), Date.now);
  onTestFinished(() => redis.close());
  const limits = new RateLimit({ counters, metrics: { refused: () => {} }, now: Date.now });
  return {
    /** In a bucket so small that nothing is leased in advance. */
    add: async (bucket: string, points: number) =>
      (await counters.add({ bucket, points, windowSec, burst: 7 })).consumedPoints,
    counters,
    /** Points granted to one call of a bucket. */
    call: async ({ burst = 100, points = 1 } = {}) => {
      const limit = { rps: burst / windowSec, burst };
      return (await limits.spend({ name: "key:a", plan: "test", limit }, points)).granted;
    },
    messages: () => lines.map(({ level, msg }) => `${level} ${msg}`),
    shared: async () => /^tonwire_shared_limits (\d)$/m.exec(await metrics.text())?.[1],
  };
}

const lost = "40 Redis does not answer: each process counts limits by itself";
const back = "30 Redis is back: processes share their limits again";

/** Three instances, and the points that they grant to calls that come to one after the other. */
async function threeInstances(redisUrl: string, setting?: Setting) {
  const instances = await Promise.all([1, 2, 3].map(() => openCounters(redisUrl, setting)));
  const spend = async (calls: number, burst?: number) => {
    let granted = 0;
    for (let call = 0; call < calls; call++) granted += await instances[call % 3]!.call({ burst });
    return granted;
  };
  return { instances, spend };
}

describe.skipIf(!available)("leases on Redis", () => {
  it("grant three instances every point of a window, none more, by few commands", async () => {
    const redis = await TestRedis.start();
    const { spend } = await threeInstances(redis.url);
    expect(await spend(1000)).toBe(100);
    const sent = await redis.scripts();
    console.info(`1,000 calls of a 100-point bucket in 3 instances: 100 granted, ${sent} commands`);
    expect(sent).toBeLessThanOrEqual(60);
  });

  it("grant calls that come at once no more than the limit, and ask once for them", async () => {
    const redis = await TestRedis.start();
    const { instances } = await threeInstances(redis.url);
    const calls = Array.from({ length: 1000 }, (_, call) => instances[call % 3]!.call());
    const granted = (await Promise.all(calls)).reduce((sum, points) => sum + points, 0);
    expect(granted).toBe(100);
    expect(await redis.scripts()).toBeLessThanOrEqual(3 + 1);
  });

  it("are of one point in a window of fewer than eight", async () => {
    const redis = await TestRedis.start();
    const { spend } = await threeInstances(redis.url);
    expect(await spend(7, 7)).toBe(7);
    expect(await redis.scripts()).toBeGreaterThanOrEqual(7);
    expect(await spend(3, 7)).toBe(0);
  });

  it("are given back by an instance that stops", async () => {
    const redis = await TestRedis.start();
    const { instances } = await threeInstances(redis.url);
    const [one, two] = [instances[0]!, instances[1]!];
    expect(await one.call()).toBe(1);
    expect(await two.call({ points: 87 })).toBe(87);
    // One holds twelve points, and two none.
    expect(await two.call()).toBe(0);
    await one.counters.close();
    expect(await instances[2]!.call({ points: 50 })).toBe(12);
  });

  it("are given back for a debt, which counts for all", async () => {
    const redis = await TestRedis.start();
    const { instances } = await threeInstances(redis.url);
    const [one, two] = [instances[0]!, instances[1]!];
    expect(await one.call()).toBe(1);
    // Half of the bucket.
    expect(await one.counters.owe("key:a", (windowSec * 1000) / 2, 1e9)).toBe((windowSec * 1000) / 2);
    expect([48, 49, 50]).toContain(await two.call({ points: 200 }));
  });

  it("of an instance that has died are void after their window", async () => {
    const redis = await TestRedis.start();
    const { instances } = await threeInstances(redis.url);
    expect(await instances[0]!.call()).toBe(1);
    const [lasts, text] = await redis.ask(async (client) => {
      const key = "tonwire:devnet:limit:key:a";
      return Promise.all([client.pttl(key), client.get(key)]);
    });
    expect(text).toMatch(/^\d+ 13 0$/);
    expect(lasts).toBeGreaterThan(0);
    expect(lasts).toBeLessThanOrEqual(windowSec * 1000);
  });

  it("stay in use while Redis hangs in the middle of a window; then each instance counts by itself", async () => {
    const redis = await TestRedis.start();
    const { instances, spend } = await threeInstances(redis.url, { timeoutMs: 250 });
    expect(await spend(30)).toBe(30);
    redis.pause();
    const during = await spend(1000);
    // Their leases, and a whole limit for each. On a slow machine Redis may have seemed away before.
    expect(during).toBeGreaterThanOrEqual(300 - 30);
    expect(during).toBeLessThanOrEqual(300 + 3 * 12);
    for (const { shared } of instances) expect(await shared()).toBe("0");
    redis.resume();
    await until("all to share again", async () =>
      (await Promise.all(instances.map(({ shared }) => shared()))).every((state) => state === "1"),
    );
    const later = await Promise.all(instances.map(({ add }) => add("key:b", 1)));
    expect(later.sort()).toEqual([1, 2, 3]);
  });
});

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
      "tonwire:devnet:limit:key:a",
      "tonwire:devnet:limit:key:b",
      "tonwire:testnet:limit:key:a",
    ]);
    expect(await one.shared()).toBe("1");
    expect(one.messages()).toEqual([]);
  });

  it("report the end of their window", async () => {
    const redis = await TestRedis.start();
    const { counters } = await openCounters(redis.url);
    const { msBeforeNext } = await counters.add({ bucket: "key:a", points: 1, windowSec: 60, burst: 100 });
    expect(msBeforeNext).toBeGreaterThan(0);
    expect(msBeforeNext).toBeLessThanOrEqual(60_000);
    expect(await redis.keys()).toEqual(["tonwire:devnet:limit:key:a"]);
  });

  it("share debts, which time pays", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openCounters(redis.url), await openCounters(redis.url)];
    expect(await one.counters.owe("key:a", 40_000, 60_000)).toBe(40_000);
    const owed = await two.counters.owe("key:a", 1_000, 60_000);
    expect(owed).toBeGreaterThan(1_000);
    expect(owed).toBeLessThanOrEqual(41_000);
    expect(await two.counters.owe("key:a", 50_000, 60_000)).toBe(60_000);
    const { owedMs } = await one.counters.add({ bucket: "key:a", points: 1, windowSec, burst: 100 });
    expect(owedMs).toBeGreaterThan(0);
    expect(owedMs).toBeLessThanOrEqual(60_000);
    expect((await one.counters.add({ bucket: "key:b", points: 1, windowSec, burst: 100 })).owedMs).toBe(0);
    // A single debt counts as a whole, and none makes an earlier one smaller.
    expect(await two.counters.owe("key:b", 110_000, 60_000)).toBe(110_000);
    expect(await one.counters.owe("key:b", 1_000, 60_000)).toBeGreaterThan(60_000);
    await one.counters.owe("key:c", 1, 60_000);
    await until(
      "it is paid",
      async () =>
        (await two.counters.add({ bucket: "key:c", points: 1, windowSec, burst: 100 })).owedMs === 0,
    );
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
    expect(await redis.keys()).toEqual(["tonwire:devnet:limit:key:a"]);
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
      return (await redis.keys()).includes("tonwire:devnet:limit:key:b");
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
