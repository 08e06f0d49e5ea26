import { describe, expect, it } from "vitest";
import { CatchUp } from "../../server/stream/catch-up.js";
import { HubCounts } from "../../server/stream/hub-counts.js";
import { HubWork } from "../../server/stream/hub-work.js";
import { lastSeconds } from "../../server/stream/replays.js";
import { Audience } from "../../server/stream/subscriptions/audience.js";
import { type EventType, type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import { MemoryClient } from "./memory-client.js";
import { MemoryIndex, nameOfHash, rawOf, unitAt } from "./memory-index.js";

const [one, two] = [rawOf(1), rawOf(2)];
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const types = (...names: EventType[]) => new Set(names);

/** An index with a block each second, of which the newest is the hundredth. */
function world() {
  const index = new MemoryIndex();
  index.add(...upTo(100));
  const audience = new Audience(undefined);
  const work = new HubWork({
    index: { read: (_: unknown, use: (queries: MemoryIndex) => unknown) => use(index) } as never,
    onError: (error) => {
      throw error;
    },
  });
  const parts = { work, audience, counts: new HubCounts(), chain: "00000000", book: { testOnly: false } };
  const newest = { position: unitAt(100), reading: undefined };
  const caughtUp: Subscription[] = [];
  const onCaughtUp = (subscription: Subscription) => caughtUp.push(subscription);
  const catchUp = new CatchUp({ ...parts, newest, readEdits: undefined, onCaughtUp });
  /** A transaction that is a trace of its own. */
  const add = (seqno: number, account: string) => {
    const lt = BigInt(seqno * 1000);
    index.transactions.push({ seqno, lt, account, hash: seqno, trace: seqno, received: seqno });
    index.traces.push({ id: seqno, seqno, accounts: [account], end_lt: lt });
  };
  const join = (filter: Partial<Filter>) => {
    const client = new MemoryClient();
    // With a trace all blocks are read, as the index in memory cannot search for accounts.
    const names = { addresses: new Set([one, two]), traces: new Set([nameOfHash(255)]) };
    const subscription = new Subscription(client, { ...nothing, ...names, ...filter });
    audience.add(subscription);
    return { client, subscription };
  };
  const run = async (subscription: Subscription) => {
    if (subscription.next === undefined) return;
    catchUp.begin(subscription);
    await catchUp.close();
  };
  return { index, add, join, run, caughtUp };
}

describe("the past that a new subscription gets", () => {
  it("is that of 60 seconds before the newest block, for traces of 30", async () => {
    const { index } = world();
    expect(await lastSeconds(index, unitAt(100))).toEqual({ from: 40, tracesFrom: 70, to: 100 });
    expect(await lastSeconds(index, unitAt(20))).toEqual({ from: 1, tracesFrom: 1, to: 20 });
  });

  it("is that of 500 blocks at most", async () => {
    const index = new MemoryIndex();
    index.units = upTo(2000).map((seqno) => ({ ...unitAt(seqno), genUtime: 7n }));
    const head = index.units.at(-1)!;
    expect(await lastSeconds(index, head)).toEqual({ from: 1501, tracesFrom: 1501, to: 2000 });
  });

  it("has traces and the last state of each account, in the order of blocks", async () => {
    const { index, add, join, run, caughtUp } = world();
    for (const [seqno, account] of [
      [39, two],
      [45, one],
      [50, two],
      [75, one],
      [80, one],
    ] as const)
      add(seqno, account);
    const { client, subscription } = join({ types: types("transactions", "account_state_change") });
    // It has had the newest already.
    subscription.passed(unitAt(100));
    subscription.next = undefined;
    subscription.goBack(await lastSeconds(index, unitAt(100)));
    await run(subscription);
    expect(
      client.records.map(({ type, account, trace_external_hash_norm: trace }) => [type, account ?? trace]),
    ).toEqual([
      ["account_state_change", two],
      ["transactions", nameOfHash(75)],
      ["transactions", nameOfHash(80)],
      ["account_state_change", one],
    ]);
    expect(client.seqnos).toEqual([50, 75, 80, 80]);
    expect([subscription.next, subscription.replay]).toEqual([undefined, undefined]);
    expect(caughtUp).toEqual([subscription]);
  });

  it("leaves out nothing that a client has not had yet", async () => {
    const { index, add, join, run } = world();
    for (const seqno of [35, 36, 80]) add(seqno, one);
    const { client, subscription } = join({ types: types("account_state_change") });
    subscription.next = 35;
    subscription.goBack(await lastSeconds(index, unitAt(100)));
    expect(subscription.next).toBe(35);
    await run(subscription);
    expect(client.seqnos).toEqual([35, 36, 80]);
  });

  it("is sent anew to a client that asks again while it gets it", async () => {
    const { index, add, join, run } = world();
    for (const seqno of [72, 75, 80]) add(seqno, one);
    const { client, subscription } = join({ types: types("transactions") });
    const past = await lastSeconds(index, unitAt(100));
    client.onSent = () => {
      if (client.sent.length === 2) subscription.goBack(past);
    };
    subscription.goBack(past);
    await run(subscription);
    expect(client.seqnos).toEqual([72, 75, 72, 75, 80]);
  });

  it("waits for a client that is full", async () => {
    const { index, add, join, run } = world();
    for (const seqno of [72, 75, 80]) add(seqno, one);
    const { client, subscription } = join({ types: types("transactions") });
    client.after = 1;
    subscription.goBack(await lastSeconds(index, unitAt(100)));
    for (const had of [1, 2, 3]) {
      await run(subscription);
      expect(client.sent.length).toBe(had);
      client.isFull = false;
    }
    await run(subscription);
    expect(client.seqnos).toEqual([72, 75, 80]);
  });
});
