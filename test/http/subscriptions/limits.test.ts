import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hashKey } from "../../../server/access/keys/key-file.js";
import { isLong, sized } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { openSocket } from "../../helpers/http/socket.js";
import { type Params, TestSubscriber } from "../../helpers/http/test-subscriber.js";
import { ManualClock } from "../../helpers/manual-clock.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

const ws = "/api/streaming/v2/ws";
const sse = "/api/streaming/v2/sse";
const someone = `0:${"5A".repeat(32)}`;
const addressOf = (at: number) => `0:${at.toString(16).toUpperCase().padStart(64, "0")}`;
const rate = { rps: 1_000_000, burst: 1_000_000 };
const bytesPerSec = 100;
/** Above the thousand of other keys. */
const manySubscriptions = sized(1100, 10_000);
/** Accounts of a list. */
const listed = sized(1000, 10_000);
/** Plans by name; each key has the name of its plan, and a number. */
const plans = {
  narrow: { ...rate, streams: { accounts: 2.5 * listed } },
  slow: { ...rate, streams: { bytes: bytesPerSec } },
  many: { ...rate, streams: { subscriptions: manySubscriptions } },
  forgetful: { ...rate, streams: { history: 10 } },
};
const keys = ["narrow 1", "slow 1", "slow 2", "slow 3", "many 1", "forgetful 1"];

let service: DevnetService;
const clock = new ManualClock();
beforeAll(async () => {
  const records = keys.map((text) => ({
    id: text,
    hash: hashKey(text),
    network: "devnet",
    plan: text.split(" ")[0],
    label: "",
    created_at: new Date(0).toISOString(),
  }));
  service = await startDevnetService({ index: true, adminPort: await freePort() }, { clock });
  await streamsReady(service);
  writeFileSync(service.keysFile, JSON.stringify({ version: 1, plans, keys: records }));
  await until(
    "the keys",
    async () => (await service.get("/api/v2/getMasterchainInfo", { key: keys[0]! })).status === 200,
  );
  await service.mine(20);
});
afterAll(() => service?.close());

const open = async (key = service.key) => {
  const opened = await TestSubscriber.open(service.url, key);
  onTestFinished(() => opened.close());
  return opened;
};
/** Makes blocks; resolves once their events are sent. */
const mineAndTell = async (blocks: number) => {
  const seqno = await service.mine(blocks);
  const client = await TestSubscriber.open(service.url, service.key);
  const { subscription } = await client.subscribe({ kind: "blocks", from: { mc_seqno: seqno }, to: seqno });
  await client.has(subscription, "end");
  client.close();
  return seqno;
};
/** A metric of streams. */
const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`tonwire_streams_${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name} in ${text}`);
  return Number(line.slice(line.lastIndexOf(" ")));
};
const metricIs = (name: string, value: number) =>
  until(`${name} to be ${value}`, async () => (await metric(name)) === value);
/** Time passes slowly enough for clients to answer pings. */
const passWith = async (clients: readonly TestSubscriber[], ms: number) => {
  for (let left = ms; left > 0; left -= 5000) {
    clock.pass(Math.min(left, 5000));
    for (const client of clients) await client.run("rpc.ping", {});
  }
};
const seqnosOf = (events: readonly Params[]) =>
  events.flatMap(({ event }) => (event.type === "block" ? [(event.block as { seqno: number }).seqno] : []));
const upTo = (head: number, first = 1) => Array.from({ length: head - first + 1 }, (_, at) => first + at);
const limitOf = (answer: Awaited<ReturnType<TestSubscriber["ask"]>>) => {
  expect(answer.error).toMatchObject({ code: -32000, data: { code: 429 } });
  return (answer.error!.data as { limit: string }).limit;
};

describe("a client that floods", () => {
  it("subscribes and unsubscribes within the limit, leaves nothing behind, and slows no other client", async () => {
    const bystander = await open();
    const { subscription, head } = await bystander.subscribe({ kind: "blocks" });
    const flooder = await open();
    const asked = Array.from({ length: 1100 }, () => flooder.ask("subscribe", { kind: "blocks" }));
    const mined = service.mine(2);
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.map(limitOf)).toEqual(Array(100).fill("subscriptions"));
    const ids = answers.flatMap(({ result }) =>
      result ? [(result as { subscription: string }).subscription] : [],
    );
    expect(new Set(ids).size).toBe(1000);
    const ended = await Promise.all(ids.map((id) => flooder.run("unsubscribe", { subscription: id })));
    expect(ended).toEqual(Array(1000).fill(true));
    expect(await flooder.run("unsubscribe", { subscription: ids[0]! })).toBe(false);
    await metricIs("subscriptions", 1);
    await metricIs("connections", 1);
    await bystander.has(subscription, "block", (await mined) - head.seqno);
    expect(seqnosOf(bystander.of(subscription))).toEqual(upTo(await mined, head.seqno + 1));
  });

  it.runIf(isLong)("has one limit for subscriptions of both forms, which its plan may raise", async () => {
    const client = await open("many 1");
    const forms = [
      { method: "subscribe", params: { kind: "blocks" } },
      { method: "ton_subscribe", params: ["blocks"] },
    ] as const;
    const ask = (at: number) => client.ask(forms[at]!.method, forms[at]!.params);
    const batch = Array.from({ length: 100 }, (_, at) => ({ jsonrpc: "2.0", id: "batch", ...forms[at % 2] }));
    for (let asked = 0; asked < manySubscriptions; asked += batch.length) client.socket.send(batch);
    const answers = await until(
      "all answers",
      () =>
        client.messages.length === manySubscriptions / batch.length &&
        (client.messages.flat() as { result?: unknown }[]),
    );
    const ids = new Set(
      answers.map(({ result }) =>
        typeof result === "string" ? result : (result as { subscription: string }).subscription,
      ),
    );
    expect(ids.size).toBe(manySubscriptions);
    for (const at of [0, 1]) expect(limitOf(await ask(at))).toBe("subscriptions");
    expect(await client.run("ton_unsubscribe", ["1"])).toBe(true);
    expect(await client.run("ton_subscribe", ["blocks"])).toEqual(expect.any(String));
    expect(limitOf(await ask(0))).toBe("subscriptions");
    client.close();
    await metricIs("subscriptions", 0);
  });

  it("may watch as many accounts as its plan allows, and no more", async () => {
    const client = await open("narrow 1");
    const accounts = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => addressOf(from + at));
    const { subscription } = await client.subscribe({ kind: "accounts", accounts: accounts(0, listed) });
    const update = (change: object) => client.ask("subscription.update", { subscription, ...change });
    for (let from = listed; from < sized(20, 100) * listed; from += 9 * listed) {
      const answer = await update({ add: { accounts: accounts(from, listed) } });
      if (from === listed) expect(answer.result).toBeDefined();
      else expect(limitOf(answer)).toBe("accounts");
    }
    await metricIs("accounts", 2 * listed);
    // Accounts count once, in any form, and removed ones make room.
    expect((await update({ add: { accounts: accounts(listed / 2, listed) } })).result).toBeDefined();
    const exchange = {
      add: { accounts: accounts(5 * listed, listed) },
      remove: { accounts: accounts(0, listed / 2) },
    };
    expect((await update(exchange)).result).toBeDefined();
    await metricIs("accounts", 2.5 * listed);
    expect(limitOf(await client.ask("subscribe", { kind: "accounts", accounts: [someone] }))).toBe(
      "accounts",
    );
    // More than a message may contain is not read.
    client.socket.send({
      jsonrpc: "2.0",
      id: 1,
      method: "subscribe",
      params: { kind: "accounts", accounts: accounts(0, 20_000) },
    });
    expect((await client.socket.closed).code).toBe(1009);
    await metricIs("accounts", 0);
    const body = { types: ["transactions"], addresses: accounts(0, 20_000) };
    expect((await service.post(sse, body, { key: "narrow 1" })).status).toBe(413);
  });

  it.each(["/jsonRPC", ws])("of compressed frames is disconnected from %s", async (path) => {
    const { raw, closed } = await openSocket(service.url, { path: `${path}?api_key=${service.key}` });
    // A masked text of one byte whose first reserved bit marks it as compressed.
    (raw as unknown as { _socket: Socket })._socket.write(Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x7b]));
    expect((await closed).code).toBe(1002);
  });
});

describe("a client above the bytes of its plan", () => {
  const payments = 6;
  /** Passes time until a condition holds; bytes must not come faster than the plan allows. */
  const slowly = async (bytes: () => number, isThere: () => boolean) => {
    const start = clock.now();
    let last = 0;
    await until("all of it", () => {
      const allowed = 60 * bytesPerSec + ((clock.now() - start) / 1000) * bytesPerSec;
      // While any byte is allowed, a whole event is sent.
      expect(last).toBeLessThanOrEqual(allowed);
      if (isThere()) return true;
      last = bytes() - 10_000;
      clock.pass(5000);
      return false;
    });
    return (clock.now() - start) / 1000;
  };

  it("is slowed down, still hears that the service is there, and loses nothing", async () => {
    const head = await service.mine(1);
    const client = await open("slow 1");
    const { subscription } = await client.subscribe({ kind: "blocks", from: { mc_seqno: 1 }, to: head });
    const bytes = () => Buffer.byteLength(JSON.stringify(client.of(subscription)));
    const isThere = () => client.events(subscription, "end").length > 0;
    const seconds = await slowly(bytes, isThere);
    expect(seqnosOf(client.of(subscription))).toEqual(upTo(head));
    expect(seconds).toBeGreaterThan((bytes() - 60 * bytesPerSec) / bytesPerSec / 2);
    expect(client.events(subscription, "heartbeat").length).toBeGreaterThan(1);
  });

  it("is slowed down in TON Center's protocol, too", async () => {
    const watching = { types: ["transactions"], addresses: [someone] };
    const socket = await openSocket(service.url, { path: `${ws}?api_key=slow 3` });
    onTestFinished(() => socket.close());
    const messages: string[] = [];
    socket.raw.on("message", (data) => messages.push(String(data)));
    socket.send({ operation: "subscribe", ...watching });
    const stream = RawEventStream.open(service.url, watching, { key: "slow 2" });
    onTestFinished(() => stream.close());
    const all = () => [messages, stream.frames];
    await until("the subscriptions", () => all().every((texts) => texts.length === 1));
    for (let at = 0; at < payments; at++) {
      await service.run("devnet.faucet", { address: someone });
      await service.mine(1);
    }
    await mineAndTell(1);
    const told = () => all().map((texts) => texts.length - 1);
    expect(Math.max(...told())).toBeLessThan(payments);
    await slowly(
      () => Math.max(...all().map((texts) => Buffer.byteLength(texts.join()))),
      () => told().every((count) => count === payments),
    );
    expect([socket.raw.readyState, stream.isClosed]).toEqual([socket.raw.OPEN, false]);
  });

  it("may not start further in the past than its plan allows", async () => {
    const client = await open("forgetful 1");
    const head = await mineAndTell(1);
    const from = (mc_seqno: number) => client.ask("subscribe", { kind: "blocks", from: { mc_seqno } });
    expect(limitOf(await from(head - 11))).toBe("history");
    expect((await from(head - 6)).result).toBeDefined();
    expect(limitOf(await from(head - 6))).toBe("history");
    const all = (await from(head - 3)).result as { cursor: string };
    const headers = { "Last-Event-ID": all.cursor };
    const body = { types: ["transactions"], addresses: [someone] };
    const refused = await service.post(sse, body, { key: "forgetful 1", headers });
    expect([refused.status, refused.json]).toEqual([400, { error: "Last-Event-ID is too old" }]);
    await passWith([client], 60_000);
    expect((await from(head - 6)).result).toBeDefined();
  });
});

describe("a client that does not read", () => {
  it.runIf(isLong)(
    "costs nothing while it sleeps, and gets the place to resume when it is disconnected",
    async () => {
      await mineAndTell(1);
      const count = 500;
      const subscribeAll = async (client: TestSubscriber) => {
        const started = await Promise.all(
          Array.from({ length: count }, () => client.subscribe({ kind: "blocks" })),
        );
        return started.map(({ subscription }) => subscription);
      };
      const [awake, asleep] = [await open(), await open()];
      const [read, unread] = [await subscribeAll(awake), await subscribeAll(asleep)];
      const first = await service.mine(1);
      await awake.has(read.at(-1)!, "block");
      await asleep.has(unread.at(-1)!, "block");
      asleep.socket.raw.pause();
      let head = first;
      const tellAwake = async (blocks: number) => {
        head = await service.mine(blocks);
        const expected = count * (head - first + 1);
        await until("those who read", () => seqnosOf(awake.params).length === expected);
      };
      // The operating system takes some megabytes.
      await until("all of them to lag", async () => {
        await tellAwake(2);
        return (await metric("lagging")) === count;
      });
      const told = () => metric('events_total{kind="block",finality="finalized"}');
      const before = await told();
      const more = 20;
      await tellAwake(more);
      // No event was made or kept for sleeping subscribers.
      expect((await told()) - before).toBe(more * count);
      for (const id of read) expect(seqnosOf(awake.of(id))).toEqual(upTo(head, first));

      await passWith([awake], 29_000);
      expect(asleep.socket.raw.readyState).toBe(asleep.socket.raw.OPEN);
      expect(awake.events(read[0]!, "heartbeat").length).toBeGreaterThan(0);
      await passWith([awake], 5000);
      asleep.socket.raw.resume();
      const { code, reason } = await asleep.socket.closed;
      expect(code).toBe(1008);
      expect(reason).toMatch(/^answers are not read [A-Za-z0-9_-]+$/);
      await metricIs("subscriptions", count);
      const late = await open();
      const { subscription } = await late.subscribe({
        kind: "blocks",
        from: reason.slice("answers are not read ".length),
        to: head,
      });
      await late.has(subscription, "end");
      // All of its subscriptions continue from there without a gap.
      const rest = seqnosOf(late.of(subscription));
      for (const id of unread) {
        const had = seqnosOf(asleep.of(id));
        expect([...had, ...rest.filter((seqno) => seqno > had.at(-1)!)]).toEqual(upTo(head, first));
      }
    },
  );

  it.each(["/jsonRPC", ws])(
    "nor answers pings is taken for gone at %s, and frees its holdings",
    async (path) => {
      await metricIs("connections", 0);
      const gone = await openSocket(service.url, { path: `${path}?api_key=${service.key}`, autoPong: false });
      const awake = await open();
      gone.send(
        path === ws
          ? { operation: "subscribe", types: ["transactions"], addresses: [someone] }
          : { jsonrpc: "2.0", id: 1, method: "subscribe", params: { kind: "accounts", accounts: [someone] } },
      );
      await gone.next();
      expect([await metric("connections"), await metric("accounts")]).toEqual([1, 1]);
      await passWith([awake], 14_000);
      expect(await metric("connections")).toBe(1);
      await passWith([awake], 15_000);
      expect((await gone.closed).code).toBe(1006);
      for (const name of ["connections", "subscriptions", "accounts"]) await metricIs(name, 0);
    },
  );
});

it("metrics count open streams, sent events, and their delay", async () => {
  const head = await mineAndTell(1);
  await metricIs("connections", 0);
  const client = await open();
  const before = await Promise.all(
    ["resumes_total", "resumed_blocks_total", "delay_seconds_count"].map(metric),
  );
  const { subscription } = await client.subscribe({ kind: "blocks", from: { mc_seqno: head - 2 } });
  await client.has(subscription, "block", 3);
  const expected = { kind: "transactions", accounts: [someone], finality: "pending", window: 1 };
  const speculative = await client.subscribe(expected);
  for (const [name, value] of [
    ["connections", 1],
    ["subscriptions", 2],
    ["accounts", 1],
    ["lagging", 0],
  ] as const)
    await metricIs(name, value);
  await service.run("devnet.faucet", { address: someone });
  const end = await service.mine(2);
  await client.has(subscription, "block", end - head + 3);
  await client.has(speculative.subscription, "transaction");
  const [resumes, blocks, delays] = before as [number, number, number];
  expect(await metric("resumes_total")).toBe(resumes + 1);
  expect(await metric("resumed_blocks_total")).toBe(blocks + 3);
  expect(await metric("delay_seconds_count")).toBe(delays + end - head);
  expect(await metric('delay_seconds_bucket{le="+Inf"}')).toBe(delays + end - head);
});
