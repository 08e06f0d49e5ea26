import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, type ClientOptions, createCaller } from "../../client/index.js";
import { createClient, webSocket } from "../../client/node.js";
import { type Reset, type WatchedTransaction, type WatchStatus, watch } from "../../client/watch/index.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";
import { cursorAt, headCursor, serveSubscriptions } from "./helpers/subscriptions.js";

/** A client of the server, and what it watches. */
function watching(url: string, { window, ...options }: Partial<ClientOptions> & { window?: number } = {}) {
  const clock = new FakeClock();
  const random = () => 0;
  const client: Client = createClient({ transport: webSocket(url), clock, random, ...options });
  onTestFinished(() => client.close());
  return { clock, client, live: watch(client, { clock, random, window }) };
}

const ltOf = ({ transaction }: WatchedTransaction) => Number(transaction.lt);

/** Takes some events. */
async function take(stream: AsyncIterator<WatchedTransaction>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const { value, done } = await stream.next();
    if (done) throw new Error("the stream is over");
    taken.push(ltOf(value));
  }
  return taken;
}

/** The error that the next event is. */
const failure = (stream: AsyncIterator<unknown>) =>
  stream.next().then(
    () => undefined,
    (error) => error,
  );

describe("a loop over events", () => {
  it("subscribes when the first event is asked for, and unsubscribes when it is left", async () => {
    const peer = await serveSubscriptions();
    const { live, client } = watching(peer.url);
    const stream = live.transactions({ accounts: ["a", "b"], opcodes: ["0x1"], onReset: () => {} });
    expect(await client.packAddress({ address: "1" })).toMatchObject({ method: "packAddress" });
    expect(peer.subscriptions).toEqual([]);
    peer.after.push((to) => {
      for (const lt of [1, 2, 3]) peer.pay(to, 101, lt);
    });
    const seen: WatchedTransaction[] = [];
    for await (const event of stream) {
      seen.push(event);
      expect(stream.cursor).toBe(event.cursor);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(
      [1, 2].map((lt) => ({
        transaction: { lt: `${lt}` },
        finality: "finalized",
        cursor: cursorAt(101, lt),
        id: `${lt}.hash`,
      })),
    );
    const [subscription] = peer.subscriptions;
    expect(subscription!.params).toEqual({
      kind: "transactions",
      accounts: ["a", "b"],
      opcodes: ["0x1"],
      window: 1000,
    });
    await until("the end of the subscription", () => !subscription!.isOpen);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    // Calls and subscriptions share one connection.
    expect(peer.connections).toHaveLength(1);
  });

  it("receives events sent right behind the answer", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    peer.after.push((to) => {
      for (let lt = 1; lt <= 500; lt++) peer.pay(to, 101, lt);
    });
    const all = await take(live.transactions(), 500);
    expect(all).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
  });

  it("subscribes to each kind by its name, and yields its record", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const kinds = [
      [live.blocks({ workchain: -1 }), "blocks", "block"],
      [live.actions({ accounts: ["a"] }), "actions", "action"],
      [live.traces({ accounts: ["a"] }), "traces", "trace"],
      [live.accounts({ accounts: ["a"] }), "accounts", "account"],
      [live.jettons({ jetton_masters: ["a"] }), "jettons", "jetton"],
      [live.trace("hash"), "trace", "trace"],
      [live.trace({ hashNorm: "hash" }), "trace", "trace"],
      [live.trace({ hash_norm: "hash" }), "trace", "trace"],
    ] as const;
    for (const [n, [stream, kind, record]] of kinds.entries()) {
      peer.after.push((to) => peer.tell(to, { type: record, [record]: { n } }, { finality: "finalized" }));
      expect((await stream.next()).value).toEqual({ [record]: { n }, finality: "finalized" });
      expect(peer.subscriptions.at(-1)!.params).toMatchObject({
        kind,
        ...(kind === "trace" && { trace: "hash" }),
      });
      await stream.return();
    }
    expect(() => live.trace({})).toThrow(TypeError);
  });

  it("resumes after the last received event when the connection is lost, and drops repeated ones", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const statuses: WatchStatus[] = [];
    const stream = live.transactions({ onStatus: (status) => statuses.push(status) });
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    for (const lt of [1, 2, 3]) peer.pay(one, 101, lt);
    expect(await first).toEqual([1]);
    one.socket.close();
    peer.after.push((to) => {
      // A service that sends again what came before.
      peer.pay(to, 101, 2);
      peer.pay(to, 101, 3);
      peer.pay(to, 101, 4);
      peer.tell(to, { type: "caught-up" }, { cursor: cursorAt(102) });
    });
    const two = await peer.subscription(2);
    expect(two.params).toMatchObject({ kind: "transactions", from: cursorAt(101, 3) });
    peer.pay(two, 103, 5);
    expect(await take(stream, 4)).toEqual([2, 3, 4, 5]);
    expect(statuses).toEqual(["connecting", "live", "connecting", "catching-up", "live"]);
    expect(peer.connections).toHaveLength(2);
  });

  it("that has received nothing goes on from where it began", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const streams = [live.transactions(), live.transactions({ from: { mc_seqno: 7 } })];
    const waiting = streams.map((stream) => take(stream, 1));
    const [one] = [await peer.subscription(1), await peer.subscription(2)];
    expect(peer.subscriptions.map(({ params }) => params["from"])).toEqual([undefined, { mc_seqno: 7 }]);
    one.socket.terminate();
    for (const n of [3, 4]) {
      const { params } = await peer.subscription(n);
      expect(params["from"]).toEqual(n === 3 ? headCursor : { mc_seqno: 7 });
    }
    for (const to of peer.subscriptions.slice(2)) peer.pay(to, 101, 1);
    expect(await Promise.all(waiting)).toEqual([[1], [1]]);
  });

  it("of another process goes on from a stored cursor", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions({ from: cursorAt(50, 9) });
    expect(stream.cursor).toBe(cursorAt(50, 9));
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    expect(one.params["from"]).toBe(cursorAt(50, 9));
    peer.pay(one, 51, 10);
    expect(await first).toEqual([10]);
  });

  it("has the cursor of the last event it took, and advances with heartbeats", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    await until("the cursor of the start", () => stream.cursor === headCursor);
    for (const lt of [1, 2]) peer.pay(one, 101, lt);
    expect(await first).toEqual([1]);
    for (const seqno of [102, 103])
      peer.tell(one, { type: "heartbeat", head: { seqno } }, { cursor: cursorAt(seqno) });
    expect(stream.cursor).toBe(cursorAt(101, 1));
    expect(await take(stream, 1)).toEqual([2]);
    const next = take(stream, 1);
    await until("the heartbeat", () => stream.cursor === cursorAt(103));
    peer.pay(one, 104, 3);
    expect(await next).toEqual([3]);
  });

  it("acknowledges when it has taken half a window, over its own connection", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url, { window: 10 });
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    expect(one.params["window"]).toBe(10);
    for (let lt = 1; lt <= 10; lt++) peer.pay(one, 101, lt);
    await first;
    expect(one.acks).toEqual([]);
    await take(stream, 5);
    await until("an acknowledgement", () => one.acks.length === 1);
    await take(stream, 4);
    expect(one.acks.length).toBeLessThanOrEqual(2);
    for (const ack of one.acks)
      expect(Buffer.from(ack, "base64url").toString()).toMatch(/^c1\.101\.1\.\d+\./);
  });

  it("repeats acknowledgements that the service could not take", async () => {
    const peer = await serveSubscriptions();
    const { live, clock } = watching(peer.url, { window: 2 });
    let refusals = 0;
    peer.rules.push(({ method }) => {
      if (method !== "subscription.ack" || refusals > 0) return undefined;
      refusals++;
      const data = { code: 429, kind: "rate-limited", retry_after: 3 };
      return { error: { code: -32000, message: "Ratelimit exceeded", data } };
    });
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    peer.pay(one, 101, 1);
    await first;
    await until("the refusal to be heard", () => clock.waits.includes(3000));
    expect(one.acks).toEqual([]);
    clock.advance(3000);
    await until("the acknowledgement", () => one.acks.length === 1);
    expect(one.acks).toEqual([cursorAt(101, 1)]);
  });

  it("ends with the reason of its signal", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const controller = new AbortController();
    const stream = live.transactions({ signal: controller.signal });
    const error = failure(stream);
    const one = await peer.subscription(1);
    controller.abort("enough");
    expect(await error).toMatchObject({ code: "aborted", cause: "enough" });
    await until("the end of the subscription", () => !one.isOpen);
    expect((await stream.next()).done).toBe(true);
    expect(await failure(live.transactions({ signal: AbortSignal.abort() }))).toMatchObject({
      code: "aborted",
    });
    expect(peer.subscriptions).toHaveLength(1);
  });

  it("that is left before the answer unsubscribes when it comes", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions();
    const next = stream.next();
    await stream.return();
    expect(await next).toEqual({ done: true, value: undefined });
    const one = await peer.subscription(1);
    await until("the end of the subscription", () => !one.isOpen);
  });

  it.each([
    [
      "an unknown key",
      { code: -32000, message: "no", data: { code: 401, kind: "unknown-key" } },
      "unknown-key",
    ],
    ["a forbidden one", { code: -32000, message: "no", data: { code: 403, kind: "forbidden" } }, "forbidden"],
    [
      "bad parameters",
      { code: -32602, message: "no", data: { code: 422, kind: "invalid-params" } },
      "invalid-params",
    ],
    [
      "a cursor that is too old",
      { code: -32000, message: "no", data: { code: 410, kind: "cursor-too-old", first: 7 } },
      "cursor-too-old",
    ],
  ])("throws errors that another attempt would not change: %s", async (_, error, code) => {
    const peer = await serveSubscriptions();
    const { live, clock } = watching(peer.url);
    peer.rules.push(({ method }) => (method === "subscribe" ? { error } : undefined));
    const stream = live.transactions();
    expect(await failure(stream)).toMatchObject({ code });
    expect((await stream.next()).done).toBe(true);
    expect(clock.waits.filter((wait) => wait !== 20_000)).toEqual([]);
  });

  it("throws it after the events that came before", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    for (const lt of [1, 2]) peer.pay(one, 101, lt);
    await first;
    const data = { code: 410, kind: "cursor-too-old", first: 7 };
    let refused = 0;
    peer.rules.push(({ method }) => {
      if (method !== "subscribe") return undefined;
      refused++;
      return { error: { code: -32000, message: "too old", data } };
    });
    one.socket.close();
    await until("the refusal", () => refused === 1);
    expect(await take(stream, 1)).toEqual([2]);
    expect(await failure(stream)).toMatchObject({ code: "cursor-too-old", body: { error: { data } } });
  });

  it("retries temporary errors, as late as the service asks", async () => {
    const peer = await serveSubscriptions();
    const { live, clock } = watching(peer.url);
    let refusals = 0;
    peer.rules.push(({ method }) => {
      if (method !== "subscribe" || refusals === 2) return undefined;
      refusals++;
      const data = { code: 503, kind: "unavailable", retry_after: 7 };
      return { error: { code: -32000, message: "starting", data } };
    });
    const stream = live.transactions();
    const first = take(stream, 1);
    for (const n of [1, 2]) {
      await until("the refusal", () => refusals === n && clock.waits.includes(7000));
      clock.advance(7000);
    }
    peer.pay(await peer.subscription(1), 101, 1);
    expect(await first).toEqual([1]);
  });

  it("leaves a connection that is silent for 25 seconds", async () => {
    const peer = await serveSubscriptions();
    const { live, clock } = watching(peer.url);
    let isDeaf = false;
    peer.rules.push(() => (isDeaf ? { result: "never heard" } : undefined));
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    await until("the answer", () => clock.waits.includes(25_000));
    clock.advance(10_000);
    peer.pay(one, 101, 1);
    expect(await first).toEqual([1]);
    const next = take(stream, 1);
    const socket = one.socket as unknown as { send: (text: string) => void };
    const { send } = socket;
    socket.send = () => {};
    isDeaf = true;
    clock.advance(24_999);
    expect(peer.connections).toHaveLength(1);
    isDeaf = false;
    clock.advance(1);
    const two = await peer.subscription(2);
    socket.send = send;
    expect(two.params["from"]).toBe(cursorAt(101, 1));
    peer.pay(two, 102, 2);
    expect(await next).toEqual([2]);
  });

  it("reports void events, in order with the events, and yields them again", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const told: (number | Reset)[] = [];
    const stream = live.transactions({ finality: "pending", onReset: (reset) => told.push(reset) });
    const reading = (async () => {
      for await (const event of stream) told.push(ltOf(event));
    })();
    const one = await peer.subscription(1);
    const pending = { type: "transaction", transaction: { lt: "9" } };
    peer.tell(one, pending, { finality: "pending", id: "9.hash" });
    const invalidated = { type: "invalidated", trace_external_hash_norm: "t", transactions: ["hash"] };
    peer.tell(one, invalidated);
    peer.pay(one, 101, 1);
    peer.pay(one, 102, 2);
    const reverted = { type: "reverted", mc_seqno: 100 };
    peer.tell(one, reverted, { cursor: cursorAt(100) });
    peer.pay(one, 101, 1);
    await until("all of it", () => told.length === 6);
    expect(told).toEqual([9, invalidated, 1, 2, reverted, 1]);
    // Pending traces are not followed over the loss of a connection.
    one.socket.close();
    const two = await peer.subscription(2);
    expect(two.params["from"]).toBe(cursorAt(101, 1));
    expect(told.at(-1)).toEqual({ type: "speculative" });
    await stream.return();
    await reading;
  });

  it("keeps its place if a service reports a base above it", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const resets: Reset[] = [];
    const stream = live.transactions({ onReset: (reset) => resets.push(reset) });
    const next = take(stream, 2);
    const one = await peer.subscription(1);
    peer.pay(one, 101, 1);
    peer.tell(one, { type: "reverted", mc_seqno: 110 }, { cursor: cursorAt(110) });
    one.socket.close();
    const two = await peer.subscription(2);
    expect(two.params["from"]).toBe(cursorAt(101, 1));
    peer.pay(two, 102, 2);
    expect(await next).toEqual([1, 2]);
    expect(resets).toEqual([{ type: "reverted", mc_seqno: 110 }]);
    expect(stream.cursor).toBe(cursorAt(102, 2));
  });

  it("reports that it lags, and events that the service has forgotten", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const told: (WatchStatus | Reset["type"] | number)[] = [];
    const stream = live.transactions({
      finality: "confirmed",
      onStatus: (status) => told.push(status),
      onReset: ({ type }) => told.push(type),
    });
    const next = take(stream, 2);
    const one = await peer.subscription(1);
    peer.tell(
      one,
      { type: "transaction", transaction: { lt: "9" } },
      { finality: "confirmed", id: "9.hash" },
    );
    peer.tell(one, { type: "lagging", seconds: 12, speculative: "reset" });
    peer.tell(one, { type: "caught-up" }, { cursor: cursorAt(102) });
    peer.pay(one, 103, 9);
    expect(await next).toEqual([9, 9]);
    expect(told).toEqual(["connecting", "live", "lagging", "speculative", "live"]);
  });

  it("over a trace ends when it is complete or does not come true", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const ends = [
      { type: "end" },
      { type: "invalidated", trace_external_hash_norm: "hash", transactions: [] },
    ];
    for (const [n, end] of ends.entries()) {
      const resets: Reset[] = [];
      peer.after.push((to) => {
        peer.tell(to, { type: "trace", trace: { n } }, { finality: "pending" });
        peer.tell(to, end);
      });
      const seen: unknown[] = [];
      for await (const { trace } of live.trace("hash", { onReset: (reset) => resets.push(reset) }))
        seen.push(trace);
      expect(seen).toEqual([{ n }]);
      expect(resets).toEqual(end.type === "end" ? [] : [end]);
    }
    await until("the end of the second", () => !peer.subscriptions[1]!.isOpen);
    // The first was ended by the service.
    expect(peer.messages.flat().filter(({ method }) => method === "unsubscribe")).toHaveLength(1);
  });

  it("comes back at a random time to a service that stops", async () => {
    const peer = await serveSubscriptions();
    const clock = new FakeClock();
    const late = createClient({ transport: webSocket(peer.url), clock, random: () => 0.5 });
    onTestFinished(() => late.close());
    const stream = watch(late, { clock, random: () => 0.5 }).transactions();
    const next = take(stream, 1);
    const one = await peer.subscription(1);
    peer.tell(one, { type: "closing" }, { cursor: cursorAt(105) });
    one.socket.close(1001);
    await until("the wait", () => clock.waits.includes(2500));
    clock.advance(2500);
    // The connection is opened again after half of 500 ms.
    await until("the next wait", () => clock.waits.includes(250));
    clock.advance(250);
    const two = await peer.subscription(2);
    expect(two.params["from"]).toBe(cursorAt(105));
    peer.pay(two, 106, 1);
    expect(await next).toEqual([1]);
  });

  it("holds no more than some megabytes", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions();
    const first = take(stream, 1);
    const one = await peer.subscription(1);
    const long = { data: "x".repeat(1024 * 1024) };
    for (let lt = 1; lt <= 7; lt++) peer.pay(one, 101, lt, long);
    await first;
    await until("the subscription to end", () => !one.isOpen);
    expect(peer.subscriptions).toHaveLength(1);
    const rest = await take(stream, 3);
    const two = await peer.subscription(2);
    const received = Number(
      Buffer.from(two.params["from"] as string, "base64url")
        .toString()
        .split(".")[3],
    );
    expect(received).toBeLessThan(7);
    for (let lt = received + 1; lt <= 7; lt++) peer.pay(two, 101, lt, long);
    rest.push(...(await take(stream, 3)));
    expect(rest).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it("stands beside others of the same connection", async () => {
    const peer = await serveSubscriptions();
    const { live, client } = watching(peer.url);
    const [a, b] = [live.transactions({ accounts: ["a"] }), live.transactions({ accounts: ["a"] })];
    const both = [take(a, 1), take(b, 1)];
    const [one, two] = [await peer.subscription(1), await peer.subscription(2)];
    peer.pay(two, 101, 2);
    peer.pay(one, 101, 1);
    expect(await Promise.all(both)).toEqual([[1], [2]]);
    await a.return();
    await until("the end of the first", () => !one.isOpen);
    expect(two.isOpen).toBe(true);
    const error = failure(b);
    client.close();
    expect(await error).toMatchObject({ code: "closed" });
  });

  it("fails with the error of a callback", async () => {
    const peer = await serveSubscriptions();
    const { live } = watching(peer.url);
    const stream = live.transactions({
      onStatus: () => {
        throw new Error("mine");
      },
    });
    expect((await failure(stream)).message).toBe("mine");
  });
});

describe("watch", () => {
  it("is one object for a client, and its member", async () => {
    const peer = await serveSubscriptions();
    const { client, live } = watching(peer.url);
    expect(watch(client)).toBe(live);
    expect((client as unknown as { watch: unknown }).watch).toBe(live);
  });

  it("needs a client that hears its connections", async () => {
    const peer = await serveSubscriptions();
    const caller = createCaller({ transport: webSocket(peer.url) });
    onTestFinished(() => caller.close());
    expect(await failure(watch(caller).transactions())).toMatchObject({ code: "bad-answer" });
  });
});
