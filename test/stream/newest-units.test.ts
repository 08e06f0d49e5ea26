import { describe, expect, it } from "vitest";
import { HubCounts } from "../../server/stream/hub-counts.js";
import { NewestUnits } from "../../server/stream/newest-units.js";
import type { PendingEvents } from "../../server/stream/pending-events.js";
import { Audience } from "../../server/stream/subscriptions/audience.js";
import { endOf } from "../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import { MemoryClient } from "./memory-client.js";
import { hashOf, MemoryIndex, nameOfHash, rawOf, unitAt } from "./memory-index.js";

const [one, two] = [rawOf(1), rawOf(2)];

/** As much of pending events as new blocks use. */
class FakePending {
  readonly ended: string[] = [];
  forgets = 0;
  isFollowing = false;
  known: { trace: string; receivers: Set<Subscription>; hashes: string[] }[] = [];
  replaced: string | undefined;
  end(trace: string): void {
    this.ended.push(trace);
  }
  forget() {
    this.forgets++;
    return this.known;
  }
  replacedBy(): string | undefined {
    return this.replaced;
  }
  drop(): void {}
}

function world({ isDevnet = true, hasPending = true } = {}) {
  const [index, pending, counts] = [new MemoryIndex(), new FakePending(), new HubCounts()];
  const audience = new Audience(pending);
  const newest = new NewestUnits({
    ...{ audience, counts, isDevnet, chain: "00000000", readEdits: undefined, book: { testOnly: false } },
    pendingEvents: hasPending ? (pending as unknown as PendingEvents) : undefined,
    now: () => Number(unitAt(6).genUtime + 3n) * 1000,
  });
  const join = (filter: Partial<Filter>) => {
    const client = new MemoryClient();
    const subscription = new Subscription(client, { ...nothing, ...filter });
    audience.add(subscription);
    return { client, subscription };
  };
  /** Steps until the newest block is reached. */
  const advance = async () => {
    let steps = 1;
    while (!(await newest.step(index))) steps++;
    return steps;
  };
  return { index, pending, counts, audience, newest, join, advance };
}

const toBlocks: Partial<Filter> = { types: new Set(["block"]), requires: new Set() };
const toTransactions: Partial<Filter> = { types: new Set(["transactions"]), addresses: new Set([one]) };

/** A transaction of its own trace in a block. */
function transactionIn(index: MemoryIndex, seqno: number, account = one, more: object = {}): void {
  index.traces.push({
    id: seqno,
    seqno,
    accounts: [account],
    external_hash_norm: hashOf(100 + seqno),
    ...more,
  });
  index.transactions.push({ seqno, lt: BigInt(seqno * 1000 + 1), account, hash: seqno, trace: seqno });
}

describe("new blocks", () => {
  it("begin with the newest one, whose events nobody gets", async () => {
    const { index, newest, join, advance } = world();
    const { client } = join(toBlocks);
    expect([await newest.step(index), newest.position]).toEqual([true, undefined]);
    index.add(5, 6);
    expect([await advance(), newest.position, client.sent]).toEqual([1, unitAt(6), []]);
    expect(index.count("blocks")).toBe(0);
  });

  it("are sent one by one, with keys that have their hash", async () => {
    const { index, newest, join, advance } = world();
    index.add(5);
    await advance();
    const { client, subscription } = join(toBlocks);
    index.add(6, 7);
    expect(await newest.step(index)).toBe(false);
    expect([newest.position?.seqno, newest.reading]).toEqual([6, undefined]);
    expect(await newest.step(index)).toBe(true);
    expect(await newest.step(index)).toBe(true);
    expect(client.sent.map(({ key }) => [key?.seqno, key?.unit])).toEqual([
      [6, "01010101"],
      [7, "01010101"],
    ]);
    expect(client.records[0]).toEqual({ type: "block", block: { workchain: -1, seqno: 6 }, shards: [] });
    expect(subscription.after?.seqno).toBe(7);
  });

  it("name the block that is being read", async () => {
    const { index, newest, join, advance } = world();
    index.add(5);
    await advance();
    join(toBlocks);
    index.add(6);
    const seen = new Set<number | undefined>();
    index.onStatement = (name) => void (name === "blocks" && seen.add(newest.reading?.seqno));
    const done = newest.step(index);
    await done;
    expect([[...seen], newest.reading]).toEqual([[6], undefined]);
  });

  it("are read again if reading them has failed", async () => {
    const { index, newest, join, advance } = world();
    index.add(5);
    await advance();
    const { client } = join(toBlocks);
    index.add(6);
    index.onStatement = (name) => {
      if (name === "blocks") throw new Error("the database is gone");
    };
    await expect(newest.step(index)).rejects.toThrow("the database is gone");
    expect([newest.reading, newest.position?.seqno]).toEqual([undefined, 5]);
    index.onStatement = () => {};
    await advance();
    expect(client.sent).toHaveLength(1);
  });

  it("are passed over while nobody subscribes, with what is pending", async () => {
    const { index, newest, pending, advance } = world();
    index.add(5);
    await advance();
    index.add(6, 7, 8);
    expect([await advance(), newest.position?.seqno, pending.forgets]).toEqual([1, 8, 1]);
    const alone = world({ hasPending: false });
    alone.index.add(5);
    await alone.advance();
    alone.index.add(6);
    expect([await alone.advance(), alone.newest.position?.seqno]).toEqual([1, 6]);
  });

  it("wait for a block that is not stored yet", async () => {
    const { index, newest, join, advance } = world();
    index.add(5);
    await advance();
    join(toBlocks);
    index.range = { first: 5, last: 7 };
    expect([await newest.step(index), newest.position?.seqno]).toEqual([true, 5]);
    index.add(7);
    expect([await newest.step(index), newest.position?.seqno]).toEqual([true, 5]);
    index.add(6);
    expect([await advance(), newest.position?.seqno]).toEqual([2, 7]);
  });

  it("count their events and how late they are", async () => {
    const { index, counts, join, advance } = world();
    index.add(5);
    await advance();
    for (const isFull of [false, false, true]) join(toBlocks).client.isFull = isFull;
    index.add(6);
    await advance();
    expect(counts.events).toEqual([{ kind: "block", finality: "finalized", count: 2 }]);
    expect([counts.delay.count, counts.delay.sum]).toEqual([1, 3]);
  });

  it("leave a client that does not read at its block", async () => {
    const { index, join, advance, audience } = world();
    index.add(5);
    await advance();
    const { client, subscription } = join(toBlocks);
    client.isFull = true;
    index.add(6);
    await advance();
    expect([subscription.next, client.sent]).toEqual([6, []]);
    client.isFull = false;
    index.add(7);
    await advance();
    expect([subscription.next, client.sent, audience.all.size]).toEqual([6, [], 1]);
  });

  it("end subscriptions with their last block, unless these have to catch up", async () => {
    const { index, join, advance, audience } = world();
    index.add(5);
    await advance();
    const [last, later, behind, none] = [join(toBlocks), join(toBlocks), join(toBlocks), join(toBlocks)];
    last.subscription.to = 6;
    later.subscription.to = 7;
    behind.subscription.to = 6;
    behind.subscription.next = 4;
    index.add(6);
    await advance();
    expect(last.client.notices).toEqual([{ type: "end" }]);
    expect([...audience.all]).toEqual([later.subscription, behind.subscription, none.subscription]);
    index.add(7, 8);
    await advance();
    expect([later.client.sent.length, later.client.notices]).toEqual([2, [{ type: "end" }]]);
    expect(none.client.sent).toHaveLength(3);
  });

  it("end a subscription to a single trace with its record", async () => {
    const { index, join, advance } = world();
    index.add(5);
    await advance();
    const { client, subscription } = join({
      types: new Set(["trace_record"]),
      traces: new Set([nameOfHash(106)]),
      requires: new Set(["traces"]),
    });
    index.add(6);
    transactionIn(index, 6);
    await advance();
    expect(client.records.map(({ type }) => type)).toEqual(["trace"]);
    expect([client.notices, subscription.after]).toEqual([[{ type: "end" }], endOf(unitAt(6))]);
  });

  it("tell listeners, until these end", async () => {
    const { index, newest, join, advance } = world();
    let reached = 0;
    const end = newest.onReached(() => reached++);
    index.add(5);
    await advance();
    join(toBlocks);
    index.add(6, 7);
    await advance();
    expect(reached).toBe(3);
    end();
    index.add(8);
    await advance();
    expect(reached).toBe(3);
  });

  it("are waited for", async () => {
    const { index, newest, join, advance } = world();
    expect(await newest.reaches(1, 0)).toBe(false);
    index.add(5);
    await advance();
    expect([await newest.reaches(5, 0), await newest.reaches(6, 0)]).toEqual([true, false]);
    join(toBlocks);
    const reached = newest.reaches(6, 60_000);
    index.add(6);
    await advance();
    expect(await reached).toBe(true);
  });
});

describe("pending events, with a new block", () => {
  it("end for its traces, if any subscription has them", async () => {
    const { index, pending, join, advance } = world();
    index.add(5);
    await advance();
    const { subscription } = join({ ...toBlocks, minFinality: "finalized" });
    index.add(6);
    transactionIn(index, 6);
    await advance();
    expect([pending.ended, index.count("ended")]).toEqual([[], 0]);
    pending.isFollowing = true;
    index.add(7);
    transactionIn(index, 7);
    transactionIn(index, 8, one, { seqno: 7, external_hash_norm: undefined });
    await advance();
    expect(pending.ended).toEqual([nameOfHash(107)]);
    pending.isFollowing = false;
    expect(subscription.isOpen).toBe(true);
    join({ ...toBlocks, minFinality: "pending" });
    index.add(9);
    index.range = { first: 5, last: 9 };
    index.units.push(unitAt(8));
    transactionIn(index, 9);
    await advance();
    expect(pending.ended).toEqual([nameOfHash(107), nameOfHash(109)]);
  });

  it("are replaced by events with other ids", async () => {
    const { index, pending, join, advance } = world();
    index.add(5);
    await advance();
    const { client } = join(toBlocks);
    pending.replaced = "before";
    index.add(6);
    await advance();
    expect(client.sent.map(({ replaces }) => replaces)).toEqual(["before"]);
    pending.replaced = undefined;
    index.add(7);
    await advance();
    expect(client.sent.map(({ replaces }) => replaces)).toEqual(["before", undefined]);
  });
});

describe("a revert", () => {
  /** Blocks 5 to 7 were sent; then 6 and 7 are replaced by another 6. */
  async function reverted(options: { isDevnet?: boolean; hasPending?: boolean } = {}) {
    const made = world(options);
    const { index, join, advance, newest } = made;
    index.add(5);
    await advance();
    const [own, other] = [join(toTransactions), join({ ...toTransactions, addresses: new Set([two]) })];
    index.add(6, 7);
    for (const seqno of [6, 7]) transactionIn(index, seqno);
    await advance();
    index.units = [unitAt(5), unitAt(6, 2)];
    index.transactions = [];
    index.traces = [];
    return { ...made, own, other, step: () => newest.step(index) };
  }

  it("takes back the events since the common block, of each client", async () => {
    const { own, other, newest, step } = await reverted();
    let reached = 0;
    newest.onReached(() => reached++);
    expect(own.client.sent).toHaveLength(2);
    expect(await step()).toBe(false);
    expect([newest.position, reached]).toEqual([unitAt(5), 1]);
    expect(own.client.notices).toEqual([
      { type: "invalidated", trace: nameOfHash(106), transactions: [] },
      { type: "invalidated", trace: nameOfHash(107), transactions: [] },
      { type: "reverted", to: unitAt(5) },
    ]);
    expect(other.client.notices).toEqual([{ type: "reverted", to: unitAt(5) }]);
    expect(own.subscription.after).toEqual(endOf(unitAt(5)));
    expect([await step(), newest.position]).toEqual([true, unitAt(6, 2)]);
  });

  it("is kept for cursors of the blocks that are gone", async () => {
    const { newest, step } = await reverted();
    expect(newest.reverts.count).toBe(0);
    await step();
    expect(newest.reverts.count).toBe(1);
    expect(newest.reverts.baseOf(6, "01010101")).toEqual(unitAt(5));
    expect(newest.reverts.baseOf(7, "01010101")).toEqual(unitAt(5));
    expect(newest.reverts.baseOf(5, "01010101")).toBeUndefined();
    expect(newest.reverts.baseOf(6, "02020202")).toBeUndefined();
  });

  it("takes back pending events with their transactions", async () => {
    const { pending, own, other, step } = await reverted();
    pending.known = [
      {
        trace: "pending",
        receivers: new Set([own.subscription, other.subscription]),
        hashes: ["a", "b"],
      },
    ];
    await step();
    expect(own.client.notices.map((notice) => "trace" in notice && notice.trace)).toEqual([
      nameOfHash(106),
      nameOfHash(107),
      "pending",
      false,
    ]);
    expect(other.client.notices).toEqual([
      { type: "invalidated", trace: "pending", transactions: ["a", "b"] },
      { type: "reverted", to: unitAt(5) },
    ]);
  });

  it("does without pending events", async () => {
    const { own, step } = await reverted({ hasPending: false });
    await step();
    expect(own.client.notices).toHaveLength(3);
  });

  it("takes back no events by name of a chain that is not a devnet", async () => {
    const { own, step } = await reverted({ isDevnet: false });
    await step();
    expect(own.client.notices).toEqual([{ type: "reverted", to: unitAt(5) }]);
  });

  it("to a block before all that were sent goes on behind the newest one", async () => {
    const { index, own, newest, step } = await reverted();
    index.units = [unitAt(3, 2), unitAt(4, 2)];
    expect(await step()).toBe(false);
    expect(newest.position).toEqual(unitAt(4, 2));
    expect(own.client.notices.at(-1)).toEqual({ type: "reverted", to: unitAt(4, 2) });
    expect(own.client.notices).toHaveLength(3);
    expect(await step()).toBe(true);
  });

  it("is found by the last block, even if it has as many blocks", async () => {
    const { index, newest, step } = await reverted();
    index.units = [unitAt(5), unitAt(6, 2), unitAt(7, 2)];
    expect([await step(), newest.position]).toEqual([false, unitAt(5)]);
    expect([await step(), await step(), newest.position]).toEqual([false, true, unitAt(7, 2)]);
  });

  it("takes back nothing twice", async () => {
    const { index, own, step } = await reverted();
    await step();
    await step();
    const before = own.client.notices.length;
    index.units = [unitAt(5), unitAt(6, 3)];
    await step();
    expect(own.client.notices.slice(before)).toEqual([{ type: "reverted", to: unitAt(5) }]);
  });
});
