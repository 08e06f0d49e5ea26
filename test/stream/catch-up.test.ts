import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ServiceError } from "../../server/errors.js";
import type { UnitName } from "../../server/store/queries/blocks/units.js";
import { CatchUp } from "../../server/stream/catch-up.js";
import type { ReadEdits } from "../../server/stream/events/account-edits.js";
import { HubCounts } from "../../server/stream/hub-counts.js";
import { HubWork } from "../../server/stream/hub-work.js";
import { Audience } from "../../server/stream/subscriptions/audience.js";
import { endOf } from "../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import { MemoryClient } from "./memory-client.js";
import { MemoryIndex, nameOfHash, rawOf, unitAt } from "./memory-index.js";

const [one, two] = [rawOf(1), rawOf(2)];

/** `onRead`: called when a read gets its turn. */
type Options = { readEdits?: ReadEdits; onRead?: () => void };

/** An index with the blocks 3 to 8, all of which were sent. */
function world({ readEdits, onRead = () => {} }: Options = {}) {
  const [index, counts, audience] = [new MemoryIndex(), new HubCounts(), new Audience(undefined)];
  index.add(3, 4, 5, 6, 7, 8);
  const newest: {
    position: UnitName | undefined;
    reading: { seqno: number; done: Promise<void> } | undefined;
  } = {
    position: unitAt(8),
    reading: undefined,
  };
  const errors: Error[] = [];
  const work = new HubWork({
    index: {
      read(_: unknown, use: (queries: MemoryIndex) => unknown) {
        onRead();
        return use(index);
      },
    } as never,
    onError: (error) => errors.push(error),
  });
  const chain = "00000000";
  const caughtUp: Subscription[] = [];
  const catchUp = new CatchUp({
    work,
    audience,
    newest,
    counts,
    chain,
    readEdits,
    book: { testOnly: false },
    onCaughtUp: (subscription) => caughtUp.push(subscription),
  });
  const join = (next: number, filter: Partial<Filter> = toBlocks) => {
    const client = new MemoryClient();
    const subscription = new Subscription(client, { ...nothing, ...filter });
    subscription.next = next;
    audience.add(subscription);
    return { client, subscription };
  };
  /** Resolves when a subscription is not caught up any further. */
  const run = async (subscription: Subscription) => {
    catchUp.begin(subscription);
    await catchUp.close();
    expect([subscription.isCatchingUp, subscription.reading]).toEqual([false, undefined]);
  };
  return { index, counts, audience, newest, errors, work, catchUp, join, run };
}

const toBlocks: Partial<Filter> = { types: new Set(["block"]), requires: new Set() };
const toTransactions: Partial<Filter> = { types: new Set(["transaction"]), requires: new Set() };
const ofAccount = (...accounts: string[]): Partial<Filter> => ({
  types: new Set(["transaction"]),
  addresses: new Set(accounts),
  requires: new Set(["accounts"]),
});

/** This many transactions of an account in a block. */
function transactionsIn(index: MemoryIndex, seqno: number, count: number, account = one): void {
  for (let at = 0; at < count; at++)
    index.transactions.push({ seqno, lt: BigInt(seqno * 1000 + at), account, hash: seqno, trace: seqno });
}

describe("a subscription that lags", () => {
  it("is sent block by block until it has caught up", async () => {
    const { counts, join, run } = world();
    const { client, subscription } = join(5);
    await run(subscription);
    expect(client.seqnos).toEqual([5, 6, 7, 8]);
    expect([subscription.next, subscription.after?.seqno]).toEqual([undefined, 8]);
    expect(counts.resumedUnits).toBe(4);
    expect(counts.events).toEqual([{ kind: "block", finality: "finalized", count: 4 }]);
    expect(client.notices).toEqual([]);
  });

  it("is behind a block without events for it, too", async () => {
    const { join, run } = world();
    const { subscription } = join(5, toTransactions);
    await run(subscription);
    expect([subscription.next, subscription.after]).toEqual([undefined, endOf(unitAt(8))]);
  });

  it("is told of its lag and of its end", async () => {
    const { index, join, run } = world();
    index.units[0] = { ...unitAt(3), genUtime: unitAt(8).genUtime - 11n };
    const [late, timely] = [join(3), join(4)];
    await run(late.subscription);
    expect(late.client.notices).toEqual([
      { type: "lagging", seconds: 11, isReset: false },
      { type: "caught-up" },
    ]);
    await run(timely.subscription);
    expect(timely.client.notices).toEqual([]);
  });

  it("gets what it is owed, though it has no event", async () => {
    const { join, run } = world();
    const { client, subscription } = join(9);
    subscription.owe({ type: "lagging", seconds: 3, isReset: true });
    await run(subscription);
    expect(client.notices).toEqual([{ type: "lagging", seconds: 3, isReset: true }]);
    expect(subscription.next).toBeUndefined();
  });

  it("reads the block that is being read for the others", async () => {
    const { newest, join, run } = world();
    newest.position = unitAt(7);
    newest.reading = { seqno: 8, done: Promise.resolve() };
    const { client, subscription } = join(7);
    await run(subscription);
    expect(client.seqnos).toEqual([7, 8]);
    newest.reading = undefined;
    const other = join(7);
    await run(other.subscription);
    expect(other.client.seqnos).toEqual([7]);
    newest.position = undefined;
    const early = join(7);
    await run(early.subscription);
    expect([early.client.seqnos, early.subscription.next]).toEqual([[], undefined]);
  });

  it("goes on where it is set back to, also while its next read waits", async () => {
    let reads = 0;
    const { join, run } = world({
      onRead: () => {
        if (++reads === 2) subscription.goBack({ from: 4, tracesFrom: 4, to: 8 });
      },
    });
    const { client, subscription } = join(5);
    await run(subscription);
    expect(client.seqnos).toEqual([5, 4, 5, 6, 7, 8]);
  });

  it("is not read at all if it is full, closed, at the head, or the work has ended", async () => {
    const { index, work, join, run } = world();
    const [full, closed, current, ended] = [join(5), join(5), join(5), join(5)];
    full.client.isFull = true;
    closed.subscription.isOpen = false;
    current.subscription.next = undefined;
    for (const { subscription } of [full, closed, current]) await run(subscription);
    work.end();
    await run(ended.subscription);
    expect(index.asked).toEqual([]);
    expect(full.subscription.next).toBe(5);
  });

  it("ends behind its last block", async () => {
    const { audience, join, run } = world();
    const { client, subscription } = join(5);
    subscription.to = 6;
    await run(subscription);
    expect([client.seqnos, client.notices, audience.all.size]).toEqual([[5, 6], [{ type: "end" }], 0]);
  });

  it("ends with the record of its only trace", async () => {
    const { index, join, run } = world();
    index.traces.push({ id: 11, seqno: 6, accounts: [] });
    const { client, subscription } = join(5, {
      types: new Set(["trace_record"]),
      traces: new Set([nameOfHash(11)]),
      requires: new Set(["traces"]),
    });
    await run(subscription);
    expect([client.seqnos, client.notices, subscription.isOpen]).toEqual([[6], [{ type: "end" }], false]);
    expect(subscription.after).toEqual(endOf(unitAt(6)));
  });

  it("begins at the first stored block if its own is older", async () => {
    const { join, run } = world();
    const { client, subscription } = join(1);
    await run(subscription);
    expect(client.seqnos).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it("waits for the hub if its block was reverted", async () => {
    const { index, errors, join, run } = world();
    const { client, subscription } = join(3);
    index.range = { first: 3, last: 8 };
    const first = index.units.shift()!;
    let looks = 0;
    index.onStatement = (name) => {
      if (name === "range") looks++;
    };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const done = run(subscription);
    await vi.advanceTimersByTimeAsync(499);
    expect([looks, subscription.next]).toEqual([1, 3]);
    index.units.unshift(first);
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect([client.seqnos, errors]).toEqual([[3, 4, 5, 6, 7, 8], []]);
  });

  it("is read again after a failure", async () => {
    const { index, errors, join, run } = world();
    const { client, subscription } = join(8);
    let failures = 0;
    index.onStatement = (name) => {
      if (name === "blocks" && ++failures === 1) throw new ServiceError("unavailable");
      if (name === "blocks" && failures === 2) throw new Error("a defect");
    };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const done = run(subscription);
    await vi.advanceTimersByTimeAsync(499);
    expect([failures, errors]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(501);
    await done;
    expect([client.seqnos, errors.map(({ message }) => message)]).toEqual([[8], ["a defect"]]);
  });

  it("is told which read goes on", async () => {
    const { index, join, run } = world();
    const { subscription } = join(8);
    const readings: unknown[] = [];
    index.onStatement = () => void readings.push(subscription.reading);
    await run(subscription);
    expect(readings.at(-1)).toBeInstanceOf(Promise);
  });
});

describe("a client that is full in the middle of a block", () => {
  it("gets the rest of the block without another read", async () => {
    const { index, counts, join, run } = world();
    transactionsIn(index, 5, 5);
    transactionsIn(index, 6, 1);
    const { client, subscription } = join(5, toTransactions);
    client.after = 2;
    await run(subscription);
    expect([client.sent.length, subscription.next, subscription.rest?.events.length]).toEqual([2, 5, 3]);
    expect(subscription.rest).toMatchObject({ unit: unitAt(5), isWhole: true });
    const reads = index.count("transactions");
    client.isFull = false;
    await run(subscription);
    expect([client.sent.length, subscription.rest?.events.length]).toEqual([4, 1]);
    expect(index.count("transactions")).toBe(reads);
    client.isFull = false;
    client.after = Number.POSITIVE_INFINITY;
    await run(subscription);
    expect(client.sent.map(({ key }) => Number(key!.lt))).toEqual([5000, 5001, 5002, 5003, 5004, 6000]);
    expect([subscription.next, subscription.rest]).toEqual([undefined, undefined]);
    expect(counts.resumedUnits).toBe(4);
    expect(counts.events.map(({ count }) => count)).toEqual([6]);
  });

  it("is kept no more than 64 KiB, and reads the block again behind them", async () => {
    const { index, counts, join, run } = world();
    transactionsIn(index, 8, 700);
    const { client, subscription } = join(8, toTransactions);
    client.after = 1;
    await run(subscription);
    const { rest } = subscription;
    const size = rest!.events[0]!.sent.json.length;
    expect([rest!.isWhole, rest!.events.length]).toEqual([false, Math.ceil((64 * 1024) / size)]);
    client.after = Number.POSITIVE_INFINITY;
    client.isFull = false;
    await run(subscription);
    expect(client.sent.map(({ key }) => Number(key!.lt))).toEqual(
      Array.from({ length: 700 }, (_, at) => 8000 + at),
    );
    expect([counts.resumedUnits, subscription.next]).toEqual([2, undefined]);
  });

  it("gets what it is owed before the rest", async () => {
    const { index, join, run } = world();
    transactionsIn(index, 8, 3);
    const { client, subscription } = join(8, toTransactions);
    client.after = 1;
    await run(subscription);
    subscription.owe({ type: "lagging", seconds: 3, isReset: false });
    client.isFull = false;
    client.onSent = () => expect(client.notices).toHaveLength(1);
    await run(subscription);
    expect(client.sent).toHaveLength(2);
  });

  it.each<[string, (subscription: Subscription) => void]>([
    [
      "its filter changes",
      (subscription) => {
        subscription.filter = { ...subscription.filter };
      },
    ],
    ["the index is reverted", (subscription) => subscription.revert(unitAt(7))],
  ])("reads the block again if %s", async (_, change) => {
    const { index, counts, join, run } = world();
    transactionsIn(index, 8, 4);
    const { client, subscription } = join(8, toTransactions);
    client.after = 2;
    await run(subscription);
    expect(counts.resumedUnits).toBe(1);
    change(subscription);
    client.isFull = false;
    await run(subscription);
    expect(counts.resumedUnits).toBe(2);
    expect(client.sent.length).toBe(4);
  });

  it("gets no rest once it has left", async () => {
    const { index, join, run } = world();
    transactionsIn(index, 8, 4);
    const { client, subscription } = join(8, toTransactions);
    client.after = 1;
    await run(subscription);
    client.isFull = false;
    client.after = Number.POSITIVE_INFINITY;
    client.onSent = () => {
      subscription.isOpen = false;
    };
    await run(subscription);
    expect([client.sent.length, subscription.rest, subscription.next]).toEqual([2, undefined, 8]);
  });
});

describe("a change while a block is read for a subscription", () => {
  it("that reverts the index takes back its progress", async () => {
    const { index, join, run } = world();
    const { client, subscription } = join(8, toTransactions);
    transactionsIn(index, 8, 1);
    let isFirst = true;
    index.onStatement = (name) => {
      if (name !== "transactions" || !isFirst) return;
      isFirst = false;
      client.after = 1;
      subscription.revert(unitAt(6));
    };
    await run(subscription);
    // Block 7 has none for it; then the client is full.
    expect([client.seqnos, subscription.next]).toEqual([[8], 9]);
    expect(client.notices).toEqual([{ type: "reverted", to: unitAt(6) }]);
    expect(index.count("within")).toBe(3);
  });

  it("that ends the subscription sends nothing any more", async () => {
    const { index, join, run } = world();
    const { client, subscription } = join(7, toTransactions);
    transactionsIn(index, 7, 2);
    index.onStatement = (name) => {
      if (name === "transactions") subscription.isOpen = false;
    };
    await run(subscription);
    expect([client.sent, subscription.next, subscription.rest]).toEqual([[], 7, undefined]);
  });
});

describe("a subscription to few accounts", () => {
  it("reads only the blocks that may have something of them", async () => {
    const { index, counts, join, run } = world();
    transactionsIn(index, 6, 1);
    transactionsIn(index, 7, 1, two);
    const { client, subscription } = join(4, ofAccount(one));
    await run(subscription);
    expect([client.seqnos, counts.resumedUnits]).toEqual([[6], 1]);
    expect([subscription.next, subscription.after]).toEqual([undefined, endOf(unitAt(8))]);
    expect(index.count("unitsOfAccounts")).toBe(1);
  });

  it("searches again for other accounts, and after a revert", async () => {
    const { index, counts, join, run } = world();
    transactionsIn(index, 5, 1);
    transactionsIn(index, 7, 1, two);
    const { client, subscription } = join(4, ofAccount(one));
    client.onSent = () => {
      if (client.sent.length === 1) subscription.filter = { ...nothing, ...ofAccount(two) };
    };
    await run(subscription);
    expect([client.seqnos, counts.resumedUnits, index.count("unitsOfAccounts")]).toEqual([[5, 7], 2, 2]);
    const other = join(4, ofAccount(one));
    let isFirst = true;
    other.client.onSent = () => {
      if (isFirst) other.subscription.revert(unitAt(4));
      isFirst = false;
    };
    await run(other.subscription);
    expect(index.count("unitsOfAccounts")).toBe(4);
  });

  it("is read up to its last block only", async () => {
    const { index, join, run } = world();
    transactionsIn(index, 8, 1);
    const { client, subscription } = join(4, ofAccount(one));
    subscription.to = 6;
    await run(subscription);
    expect([client.seqnos, client.notices, subscription.after]).toEqual([
      [],
      [{ type: "end" }],
      endOf(unitAt(6)),
    ]);
  });

  it("reads all blocks where accounts change without a transaction", async () => {
    const { counts, join, run } = world({ readEdits: async () => [] });
    const { subscription } = join(4, { ...ofAccount(one), types: new Set(["account"]) });
    await run(subscription);
    expect(counts.resumedUnits).toBe(5);
  });

  it("waits for the hub if the block before was reverted", async () => {
    const { index, errors, join, run } = world();
    transactionsIn(index, 7, 1);
    const { client, subscription } = join(5, ofAccount(one));
    const { units } = index;
    index.onStatement = (name) => {
      if (name === "unitsOfAccounts") index.units = units.filter(({ seqno }) => seqno !== 6);
    };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const done = run(subscription);
    await vi.advanceTimersByTimeAsync(499);
    expect([client.seqnos, subscription.next]).toEqual([[], 5]);
    index.onStatement = () => {};
    index.units = units;
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect([client.seqnos, errors]).toEqual([[7], []]);
  });

  it("keeps its progress if the index is reverted meanwhile", async () => {
    const { index, join, run, work } = world();
    const { subscription } = join(5, ofAccount(one));
    index.onStatement = (name) => {
      if (name !== "unitsOfAccounts") return;
      subscription.revert(unitAt(3));
      work.end();
    };
    await run(subscription);
    expect(subscription.next).toBe(4);
  });
});
