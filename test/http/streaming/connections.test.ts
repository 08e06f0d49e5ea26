import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StreamLimits } from "../../../server/access/limits/plan.js";
import { createSharedHoldings } from "../../../server/access/limits/shared-holdings.js";
import { openSharedRedis } from "../../../server/access/shared-redis.js";
import { type Place, StreamConnections } from "../../../server/http/streaming/connections.js";
import { createLog } from "../../../server/observe/log.js";
import { createMetrics } from "../../../server/observe/metrics.js";
import { ManualClock } from "../../helpers/manual-clock.js";
import { haveRedis, TestRedis } from "../../helpers/peers/redis.js";
import { until } from "../../helpers/until.js";

const available = await haveRedis();
const limits: StreamLimits = {
  connections: 2,
  subscriptions: 10,
  accounts: 100,
  firehose: 1,
  history: 1000,
  bytes: 10,
  webhooks: 1,
  deliveries: 1,
};
const owner = { id: "somebody", limits };
const key = "tonwire:devnet:streams:somebody";

/** One instance's view of the connections. */
async function openInstance(redisUrl: string, instance: string) {
  const log = createLog({ level: "silent" });
  const metrics = createMetrics(new Set());
  const redis = await openSharedRedis({ redisUrl, log, metrics, timeoutMs: 60_000 });
  onTestFinished(() => redis.close());
  const clock = new ManualClock();
  const shared = createSharedHoldings(redis, { network: "devnet", instance });
  const connections = new StreamConnections({ clock, shared });
  onTestFinished(() => connections.close());
  const enter = async () => {
    await connections.refresh(owner);
    return connections.enter(owner);
  };
  /** An admitted connection that Redis knows: instances report after they admit one. */
  const place = async () => {
    const entered = (await enter()) as Place;
    await connections.refresh(owner);
    return entered;
  };
  return { clock, connections, enter, place };
}

async function openClient(url: string) {
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  return client;
}

describe.skipIf(!available)("streams of several instances with one Redis", () => {
  it("count the connections, accounts and subscriptions to everything of a caller together", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openInstance(redis.url, "one"), await openInstance(redis.url, "two")];
    const [first, second] = [await one.place(), await two.place()];
    expect([await one.enter(), await two.enter()]).toEqual([2, 2]);
    expect(first.hold({ accounts: 60, firehoses: 1 })).toBeUndefined();
    await one.connections.refresh(owner);
    await two.connections.refresh(owner);
    expect(second.others).toBe(60);
    expect(second.hold({ accounts: 41 })).toBe("accounts");
    expect(second.hold({ firehoses: 1 })).toBe("firehose");
    expect(second.hold({ accounts: 40 })).toBeUndefined();
    first.leave();
    await one.connections.refresh(owner);
    expect(await two.enter()).not.toBe(2);
    expect(second.hold({ accounts: 100, firehoses: 1 })).toBeUndefined();
  });

  it("count the bytes and the past that a caller was sent together", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openInstance(redis.url, "one"), await openInstance(redis.url, "two")];
    const [first, second] = [await one.place(), await two.place()];
    first.spend(500);
    expect(first.takeHistory(700)).toBe(true);
    await one.connections.refresh(owner);
    await two.connections.refresh(owner);
    expect(second.isSlowed).toBe(false);
    expect(second.takeHistory(301)).toBe(false);
    expect(second.takeHistory(300)).toBe(true);
    second.spend(101);
    expect(second.isSlowed).toBe(true);
    await two.connections.refresh(owner);
    await one.connections.refresh(owner);
    expect([first.isSlowed, first.takeHistory(1)]).toEqual([true, false]);
    for (const { clock } of [one, two]) clock.pass(60_000);
    expect([first.isSlowed, first.takeHistory(1)]).toEqual([false, true]);
  });

  it("renew their usage, and do not count usage that was not renewed", async () => {
    const redis = await TestRedis.start();
    const client = await openClient(redis.url);
    const one = await openInstance(redis.url, "one");
    const later = Date.now() + 3_600_000;
    await client.hset(key, { gone: "1000 2 100 1", other: `${later} 1 30 0` });
    const first = await one.place();
    expect(first.others).toBe(30);
    expect(await one.enter()).toBe(2);
    expect(Object.keys(await client.hgetall(key)).sort()).toEqual(["bytes", "history", "one", "other"]);
    expect(first.hold({ accounts: 70 })).toBeUndefined();
    await one.connections.refresh(owner);
    expect(await client.hget(key, "one")).toMatch(/^\d+ 1 70 0$/);
    await client.hset(key, "one", "1000 1 70 0");
    one.clock.pass(10_000);
    await until("the renewal", async () => !(await client.hget(key, "one"))?.startsWith("1000 "));
    first.leave();
    await one.connections.refresh(owner);
    expect(await client.hget(key, "one")).toBeNull();
    expect(await client.pttl(key)).toBeGreaterThan(30_000);
  });

  it("count on their own while Redis is down", async () => {
    const redis = await TestRedis.start();
    const [one, two] = [await openInstance(redis.url, "one"), await openInstance(redis.url, "two")];
    await one.place();
    await one.place();
    expect(await two.enter()).toBe(2);
    await redis.stop();
    await two.place();
    await two.place();
    expect(await two.enter()).toBe(2);
  });
});
