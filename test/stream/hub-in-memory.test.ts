import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../../server/errors.js";
import type { PendingTrace } from "../../server/present/v3/pending-traces.js";
import { Hub, type HubOptions } from "../../server/stream/hub.js";
import { cursorOf, type EventKey, endOf } from "../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import type { MessageStatus } from "../../shared/schema/v3/message-status.js";
import { MemoryClient } from "./memory-client.js";
import { hashOf, MemoryIndex, nameOfHash, rawOf, unitAt } from "./memory-index.js";
import { traceOf } from "./pending-trace.js";

const [one, two] = [rawOf(1), rawOf(2)];
const chain = "00000000";
const toBlocks: Partial<Filter> = { types: new Set(["block"]), requires: new Set() };

const filterOf = (filter: Partial<Filter> = toBlocks): Filter => ({ ...nothing, ...filter });

/** A hub over an index in memory, whose time a test passes. */
function world({
  hasPending = true,
  isDevnet = false,
  ...more
}: { hasPending?: boolean } & Partial<HubOptions> = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const index = new MemoryIndex();
  const errors: Error[] = [];
  /** Reads in their order. */
  const reads: string[] = [];
  const statuses = new Map<Uint8Array, string>();
  const state = { traces: [] as PendingTrace[], failure: undefined as Error | undefined };
  const pending: HubOptions["pending"] = {
    messages: async () => {
      reads.push("pending");
      return state.traces;
    },
    end: () => {},
    traces: async () => state.traces,
    actions: async (_, traces) => traces.map(() => []),
  };
  const hub = new Hub({
    index: {
      read: async (_: unknown, work: (queries: MemoryIndex) => unknown) => {
        reads.push("index");
        if (state.failure) throw state.failure;
        return work(index);
      },
    } as never,
    book: { testOnly: false },
    pending: hasPending ? pending : undefined,
    readMessage: async (hash) => {
      reads.push("status");
      return { status: statuses.get(hash) ?? "unknown" } as MessageStatus;
    },
    ...{ isDevnet, chain, now: () => 0, fallback: () => {}, onError: (error: Error) => errors.push(error) },
    ...more,
  } as HubOptions);
  onTestFinished(() => hub.close());
  /** Lets what is due happen. */
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const begin = async (...seqnos: number[]) => {
    index.add(...seqnos);
    hub.start();
    await settle();
  };
  const store = async (...seqnos: number[]) => {
    index.add(...seqnos);
    hub.indexChanged();
    await settle();
  };
  const join = (filter: Partial<Filter> = toBlocks, ...start: [Parameters<Hub["subscribe"]>[2]?]) => {
    const client = new MemoryClient();
    return { client, subscription: hub.subscribe(client, filterOf(filter), ...start) };
  };
  const readsOf = (name: string) => reads.filter((each) => each === name).length;
  return { hub, index, errors, reads, readsOf, statuses, state, settle, begin, store, join };
}

describe("a hub", () => {
  it("follows the index from its newest block", async () => {
    const { hub, index, settle, begin, store, join } = world();
    index.add(4);
    hub.indexChanged();
    await settle();
    expect([hub.head, hub.seqno, hub.heartbeat, hub.chain]).toEqual([undefined, undefined, undefined, chain]);
    await begin(5);
    expect([hub.head, hub.seqno]).toEqual([unitAt(5), 5]);
    expect(hub.heartbeat?.key).toEqual(endOf(unitAt(5)));
    const { client } = join();
    let reached = 0;
    const end = hub.onReached(() => reached++);
    await store(6, 7, 8);
    expect([client.seqnos, hub.seqno, reached]).toEqual([[6, 7, 8], 8, 3]);
    end();
    await store(9);
    expect([client.seqnos.length, reached]).toEqual([4, 3]);
  });

  it("knows when it has sent a block", async () => {
    const { hub, begin, store, settle } = world();
    await begin(5);
    const [reached, not] = [hub.reaches(6, 60_000), hub.reaches(7, 1)];
    await store(6);
    await vi.advanceTimersByTimeAsync(1);
    expect([await reached, await not]).toEqual([true, false]);
    await settle();
  });

  it("looks at the index at the latest after five seconds", async () => {
    const { index, hub, begin } = world();
    await begin(5);
    index.add(6);
    await vi.advanceTimersByTimeAsync(4999);
    expect(hub.seqno).toBe(5);
    await vi.advanceTimersByTimeAsync(1);
    expect(hub.seqno).toBe(6);
  });

  it("tries again after failures, of which it reports defects", async () => {
    const { hub, errors, state, begin, store } = world();
    await begin(5);
    state.failure = new ServiceError("unavailable");
    await store(6);
    expect([hub.seqno, errors]).toEqual([5, []]);
    state.failure = new Error("a defect");
    await vi.advanceTimersByTimeAsync(500);
    expect(errors.map(({ message }) => message)).toEqual(["a defect"]);
    state.failure = undefined;
    await vi.advanceTimersByTimeAsync(500);
    expect(hub.seqno).toBe(6);
  });

  it("reads from snapshots of the index", async () => {
    const { hub, begin } = world();
    await begin(5);
    expect(await hub.read((queries) => queries.query({ text: "from indexed_range", values: [] }))).toEqual([
      { first: 5, last: 5 },
    ]);
  });

  it("does nothing any more once it is closed", async () => {
    const { hub, index, begin, store, join, readsOf } = world();
    await begin(5);
    const { client } = join(toBlocks, { next: 5 });
    let isRead = false;
    index.onStatement = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      isRead = true;
    };
    let hasClosed = false;
    const closing = hub.close().then(() => {
      hasClosed = true;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(hasClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    await closing;
    expect(isRead).toBe(true);
    index.onStatement = () => {};
    const before = readsOf("index");
    await store(6);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([readsOf("index"), client.seqnos.includes(6)]).toEqual([before, false]);
  });

  it("knows of reverts", async () => {
    const { hub, index, begin, store, settle, join } = world();
    await begin(4);
    const { client } = join();
    await store(5);
    index.units = [unitAt(4), unitAt(5, 2)];
    hub.indexChanged();
    await settle();
    expect([hub.reverts.count, hub.reverts.baseOf(5, "01010101")]).toEqual([1, unitAt(4)]);
    expect(client.notices).toEqual([{ type: "reverted", to: unitAt(4) }]);
    expect(client.seqnos).toEqual([5, 5]);
  });
});

describe("the subscriptions of a hub", () => {
  it("are counted, with their accounts and those that lag", async () => {
    const { hub, begin, join, settle } = world();
    await begin(5);
    const a = join({
      types: new Set(["account"]),
      addresses: new Set([one, two]),
      requires: new Set(["accounts"]),
    });
    const b = join();
    expect([hub.subscriptions, hub.accounts, hub.lagging]).toEqual([2, 2, 0]);
    b.subscription.next = 5;
    expect(hub.lagging).toBe(1);
    hub.unsubscribe(a.subscription);
    expect([hub.subscriptions, hub.accounts, a.subscription.isOpen]).toEqual([1, 0, false]);
    await settle();
  });

  it("begin at the head, or in the past", async () => {
    const { hub, begin, join, settle } = world();
    await begin(3, 4, 5, 6);
    const after: EventKey = endOf(unitAt(4));
    const starts = [
      {},
      { after },
      { next: 5 },
      { after, next: 6 },
      { next: 7 },
      { next: 8 },
      { next: 5, to: 5 },
    ];
    const joined = starts.map((start) => join(toBlocks, start));
    expect(joined.map(({ subscription }) => subscription.next)).toEqual([
      ...[undefined, 4, 5, 6, undefined, undefined, 5],
    ]);
    expect(joined[1]!.subscription.after).toEqual(after);
    // A start ahead of the head is that of the head.
    expect(join(toBlocks, { after: endOf(unitAt(9)) }).subscription.after).toBeUndefined();
    await settle();
    expect(joined.map(({ client }) => client.seqnos)).toEqual([[], [5, 6], [5, 6], [6], [], [], [5]]);
    expect(joined[6]!.client.notices).toEqual([{ type: "end" }]);
    expect(hub.lagging).toBe(0);
  });

  it("that are only prepared get nothing before they are resumed", async () => {
    const { hub, begin, settle } = world();
    await begin(3, 4, 5);
    const client = new MemoryClient();
    const subscription = hub.prepare(client, filterOf(), { next: 4 });
    await settle();
    expect([client.sent, subscription.next]).toEqual([[], 4]);
    hub.resume(subscription);
    await settle();
    expect(client.seqnos).toEqual([4, 5]);
    const early = world();
    expect(early.hub.prepare(client, filterOf(), { next: 1 }).next).toBe(1);
    expect(early.hub.prepare(client, filterOf(), { next: 2 }).next).toBeUndefined();
  });

  it("go on where their clients stopped", async () => {
    const { hub, begin, store, settle, join } = world();
    await begin(5);
    const { client, subscription } = join();
    client.isFull = true;
    await store(6, 7);
    expect([client.sent, subscription.next]).toEqual([[], 6]);
    client.isFull = false;
    hub.resume(subscription);
    hub.resume(subscription);
    await settle();
    expect([client.seqnos, subscription.next]).toEqual([[6, 7], undefined]);
  });

  it("at the head get what they are owed", async () => {
    const { hub, begin, join } = world();
    await begin(5);
    const { client, subscription } = join();
    subscription.owe({ type: "caught-up" });
    client.isFull = true;
    hub.resume(subscription);
    expect(client.notices).toEqual([]);
    client.isFull = false;
    hub.resume(subscription);
    expect(client.notices).toEqual([{ type: "caught-up" }]);
    subscription.owe({ type: "caught-up" });
    subscription.isOpen = false;
    hub.resume(subscription);
    expect(client.notices).toHaveLength(1);
  });

  it("have a cursor behind all that they were sent", async () => {
    const { hub, begin } = world();
    const client = new MemoryClient();
    const subscription = new Subscription(client, filterOf());
    expect(hub.cursorOf(subscription)).toBeUndefined();
    const after: EventKey = { seqno: 5, rank: 1, lt: 3n, id: "" };
    subscription.after = after;
    expect(hub.cursorOf(subscription)).toEqual(after);
    await begin(5);
    expect(hub.cursorOf(subscription)).toEqual(endOf(unitAt(5)));
    subscription.after = endOf(unitAt(6));
    expect(hub.cursorOf(subscription)).toEqual(endOf(unitAt(6)));
    subscription.after = undefined;
    expect(cursorOf(hub.cursorOf(subscription)!, chain)).toBe(cursorOf(endOf(unitAt(5)), chain));
    subscription.next = 4;
    expect(hub.cursorOf(subscription)).toBeUndefined();
    subscription.after = after;
    expect(hub.cursorOf(subscription)).toEqual(after);
  });

  it("are changed while they are open", async () => {
    const { hub, begin, store, join } = world();
    await begin(5);
    const { client, subscription } = join();
    const none = filterOf({ types: new Set(["account"]), requires: new Set() });
    hub.change(subscription, none);
    await store(6);
    expect([client.seqnos, subscription.filter]).toEqual([[], none]);
    const accounts = filterOf({
      types: new Set(["account"]),
      addresses: new Set([one]),
      requires: new Set(["accounts"]),
    });
    hub.change(subscription, accounts);
    expect(hub.accounts).toBe(1);
    const both = { ...accounts, addresses: new Set([one, two]) };
    const added = { addresses: [two], traces: [] };
    hub.edit(subscription, { filter: both, added, removed: { addresses: [], traces: [] } });
    expect([hub.accounts, subscription.filter]).toEqual([2, both]);
    hub.unsubscribe(subscription);
    hub.change(subscription, accounts);
    hub.edit(subscription, { filter: both, added, removed: { addresses: [], traces: [] } });
    expect([hub.accounts, hub.subscriptions, subscription.filter]).toEqual([0, 0, nothing]);
  });

  it("are idle when no block is read for them", async () => {
    const { hub, index, begin, settle, join } = world();
    await begin(5);
    const { subscription } = join();
    await hub.untilIdle(subscription);
    index.onStatement = (name) =>
      name === "blocks" ? new Promise((resolve) => setTimeout(resolve, 100)) : undefined;
    let idle = 0;
    const wait = async (of: Subscription) => {
      await hub.untilIdle(of);
      idle++;
    };
    index.add(6);
    hub.indexChanged();
    await settle();
    void wait(subscription);
    await vi.advanceTimersByTimeAsync(99);
    expect(idle).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(idle).toBe(1);
    const late = join(toBlocks, { next: 6 });
    await settle();
    void wait(late.subscription);
    await settle();
    expect(idle).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(idle).toBe(2);
  });
});

describe("pending events of a hub", () => {
  const early: Partial<Filter> = { ...toBlocks, minFinality: "pending" };

  it("are looked for at each change of the chain, if somebody wants them", async () => {
    const { hub, begin, settle, join, readsOf } = world();
    await begin(5);
    join();
    hub.chainChanged();
    await settle();
    expect(readsOf("pending")).toBe(0);
    join(early);
    await settle();
    expect(readsOf("pending")).toBe(1);
    hub.chainChanged();
    await settle();
    expect(readsOf("pending")).toBe(2);
    await vi.advanceTimersByTimeAsync(4999);
    expect(readsOf("pending")).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(readsOf("pending")).toBe(3);
  });

  it("are looked for at once for a subscription that begins to want them", async () => {
    const { hub, begin, settle, join, readsOf } = world();
    await begin(5);
    const { subscription } = join();
    hub.change(subscription, filterOf(early));
    await settle();
    expect(readsOf("pending")).toBe(1);
    const confirmed = filterOf({ ...toBlocks, minFinality: "confirmed" });
    hub.edit(subscription, { filter: confirmed, added: nothing, removed: nothing });
    await settle();
    expect(readsOf("pending")).toBe(2);
    hub.edit(subscription, { filter: filterOf(), added: nothing, removed: nothing });
    hub.change(subscription, filterOf());
    await settle();
    expect(readsOf("pending")).toBe(2);
  });

  it("come before those of a block on a devnet", async () => {
    const made = world({ isDevnet: true });
    await made.begin(5);
    made.join(early);
    await made.settle();
    made.reads.length = 0;
    await made.store(6, 7);
    expect(made.reads).toEqual(["pending", "index", "pending", "index"]);
    const other = world();
    await other.begin(5);
    other.join(early);
    await other.settle();
    other.reads.length = 0;
    await other.store(6);
    expect(other.reads).toEqual(["index"]);
  });

  it("are absent where messages are not emulated", async () => {
    const { hub, begin, store, settle, join, errors } = world({ hasPending: false, isDevnet: true });
    await begin(5);
    const { client } = join(early);
    hub.chainChanged();
    await store(6);
    await settle();
    await vi.advanceTimersByTimeAsync(5000);
    expect([client.seqnos, errors]).toEqual([[6], []]);
  });
});

describe("the last seconds of a hub", () => {
  const early: Partial<Filter> = { ...toBlocks, minFinality: "pending" };

  it("end with its newest block, if it has one", async () => {
    const { hub, begin } = world();
    expect(() => hub.lastSeconds()).toThrow(new ServiceError("unavailable", "The streams are starting"));
    await begin(5, 6, 7);
    expect(await hub.lastSeconds()).toEqual({ from: 5, tracesFrom: 5, to: 7 });
  });

  it("are sent again to a subscription, as long as it is open", async () => {
    const { hub, begin, store, settle, join } = world();
    await begin(5, 6);
    const past = await hub.lastSeconds();
    const { client, subscription } = join();
    hub.replay(subscription, past);
    await settle();
    await store(7);
    expect(client.seqnos).toEqual([5, 6, 7]);
    hub.unsubscribe(subscription);
    hub.replay(subscription, past);
    expect(subscription.next).toBeUndefined();
  });

  it("come before the traces of now, which are sent to those who want them, changed or not", async () => {
    const { hub, state, begin, settle, join, reads, errors } = world();
    await begin(5);
    state.traces = [traceOf(1, [{ account: one, hash: 11, received: 1 }])];
    // With a trace all blocks are read, as the index in memory cannot search for accounts.
    const names = { addresses: new Set([one]), traces: new Set([nameOfHash(255)]) };
    const filter: Partial<Filter> = { types: new Set(["transactions"]), ...names };
    const first = join({ ...filter, minFinality: "pending" });
    await settle();
    const [second, final] = [join({ ...filter, minFinality: "pending" }), join(filter)];
    const count = () => [first, second, final].map(({ client }) => client.sent.length);
    await settle();
    expect([count(), errors]).toEqual([[1, 0, 0], []]);
    for (const { subscription } of [second, final]) hub.replay(subscription, undefined);
    await settle();
    expect(count()).toEqual([1, 1, 0]);
    const past = await hub.lastSeconds();
    reads.length = 0;
    for (const { subscription } of [second, final]) hub.replay(subscription, past);
    await settle();
    expect(count()).toEqual([1, 2, 0]);
    expect(reads.lastIndexOf("pending")).toBeGreaterThan(reads.indexOf("index"));
  });

  it("end with one look at what is pending", async () => {
    const { hub, begin, settle, join, readsOf } = world();
    await begin(5);
    const { subscription } = join(early);
    await settle();
    hub.replay(subscription, undefined);
    await settle();
    expect(readsOf("pending")).toBe(2);
    subscription.owe({ type: "caught-up" });
    hub.resume(subscription);
    await settle();
    expect(readsOf("pending")).toBe(2);
  });
});

describe("the messages that a hub follows", () => {
  const message = hashOf(1);
  function following(made: ReturnType<typeof world>) {
    const told: string[] = [];
    const sink = {
      isFull: false,
      changed: ({ status }: MessageStatus) => told.push(status),
      ended: () => told.push("end"),
    };
    const watch = made.hub.follow({ hash: message, waitMs: 1000, lastStatus: undefined }, sink);
    return { told, sink, watch };
  }

  it("are looked at when they are added, when the chain changes, and after each block", async () => {
    const made = world();
    await made.begin(5);
    const { told } = following(made);
    await made.settle();
    expect(told).toEqual(["unknown"]);
    made.statuses.set(message, "pending");
    made.hub.chainChanged();
    await made.settle();
    made.statuses.set(message, "confirmed");
    await made.store(6);
    expect(told).toEqual(["unknown", "pending", "confirmed"]);
  });

  it("are looked at every five seconds, and not at all if there are none", async () => {
    const made = world();
    await made.begin(5);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made.readsOf("status")).toBe(0);
    const { told, watch } = following(made);
    await made.settle();
    const before = made.readsOf("status");
    made.statuses.set(message, "pending");
    await vi.advanceTimersByTimeAsync(5000);
    expect([told, made.readsOf("status") > before]).toEqual([["unknown", "pending"], true]);
    made.hub.unfollow(watch);
    const after = made.readsOf("status");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made.readsOf("status")).toBe(after);
  });

  it("are sent again to a client that can take more", async () => {
    const made = world();
    await made.begin(5);
    const { told, sink } = following(made);
    sink.isFull = true;
    await made.settle();
    expect(told).toEqual([]);
    sink.isFull = false;
    made.hub.lookAtMessages();
    await made.settle();
    expect(told).toEqual(["unknown"]);
  });

  it("may be unknown for the time that the client waits", async () => {
    const clock = { now: 0 };
    const made = world({ now: () => clock.now });
    await made.begin(5);
    const { told } = following(made);
    await made.settle();
    clock.now = 999;
    await made.store(6);
    expect(told).toEqual(["unknown"]);
    clock.now = 1000;
    await made.store(7);
    expect(told).toEqual(["unknown", "end"]);
  });
});
