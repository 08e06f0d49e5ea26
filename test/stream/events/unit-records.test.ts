import { describe, expect, it } from "vitest";
import { rawAddressToBytes } from "../../../server/store/address-bytes.js";
import { codeOf, traceStates } from "../../../server/store/codes.js";
import type { ReadEdits } from "../../../server/stream/events/account-edits.js";
import type { StreamEvent } from "../../../server/stream/events/events.js";
import { maxTransactions } from "../../../server/stream/events/unit-events.js";
import { readUnitRecords } from "../../../server/stream/events/unit-records.js";
import { UnitSource } from "../../../server/stream/events/unit-source.js";
import { actionChoice } from "../../../server/stream/subscriptions/action-choice.js";
import { type Filter, nothing, type RecordList } from "../../../server/stream/subscriptions/filter.js";
import { Interests } from "../../../server/stream/subscriptions/interests.js";
import { Subscription } from "../../../server/stream/subscriptions/subscription.js";
import { asSent, nobody } from "../memory-client.js";
import { editOf, hashOf, type MadeTrace, MemoryIndex, nameOfHash, rawOf } from "../memory-index.js";

const [one, two, three, four] = [rawOf(1), rawOf(2), rawOf(3), rawOf(4)];
const every = actionChoice([], ["contract_deploy", "tick_tock"], { namedCount: true });

const to = (types: string[], more: Partial<Filter> = {}, requires: RecordList[] = []) =>
  new Subscription(nobody, {
    ...nothing,
    actions: every,
    types: new Set(types) as never,
    requires: new Set(requires),
    ...more,
  });
const about = (types: string[], ...accounts: string[]) =>
  to(types, { addresses: new Set(accounts) }, ["accounts"]);

const read = (index: MemoryIndex, subscription: Subscription, readEdits?: ReadEdits) =>
  readUnitRecords(new UnitSource(index, 6, { testOnly: false }, readEdits), new Interests([subscription]));
const ids = (events: readonly StreamEvent[]) => events.map(({ key }) => key!.id);

/** Records of each event for the subscription. */
const sent = (events: readonly StreamEvent[], subscription: Subscription) =>
  events
    .flatMap((event) => event.deliveries(new Interests([subscription])))
    .map(({ members }) => asSent(members));

/** A trace of two accounts in block 6, and a transaction of a trace that goes on. */
function made(more: Partial<MadeTrace> = {}): MemoryIndex {
  const index = new MemoryIndex();
  index.add(5, 6);
  index.traces.push({
    ...{ id: 11, seqno: 6, accounts: [one, two], nodes_: 2, end_lt: 6003n },
    ...{ external_hash: hashOf(90), external_hash_norm: hashOf(91) },
    ...more,
  });
  index.transactions.push(
    { seqno: 6, lt: 6001n, account: one, hash: 11, trace: 11, received: 71, sent: [72] },
    { seqno: 6, lt: 6003n, account: two, hash: 12, trace: 11, received: 72 },
    { seqno: 6, lt: 6004n, account: two, hash: 13, trace: 14 },
  );
  return index;
}

describe("the records of a block", () => {
  it("are read only if somebody wants them", async () => {
    const index = made();
    expect(await read(index, to(["transactions"]))).toEqual([]);
    expect(index.asked).toEqual([]);
  });

  it("are in the order of their keys", async () => {
    const index = made();
    index.wallets.push({ address: two, owner: three, jetton: four, lt: 6004n });
    index.actions.push({ trace: 11, id: 1 });
    const all = ["action", "trace_record", "jetton", "account", "transaction", "block"];
    const events = await read(index, to(all));
    expect(events.map(({ type, key }) => `${key!.rank} ${type}`)).toEqual([
      "0 block",
      "1 transaction",
      "1 transaction",
      "1 transaction",
      "2 account",
      "2 account",
      "3 jetton",
      "4 trace_record",
      "5 action",
    ]);
    expect(events.every(({ finality, key }) => finality === "finalized" && key!.seqno === 6)).toBe(true);
  });
});

describe("the record of the block itself", () => {
  it("has the blocks of shards", async () => {
    const index = made();
    index.blocks.unshift({ seqno: 6, workchain: 0, number: 44 });
    const subscription = to(["block"]);
    const events = await read(index, subscription);
    expect(events).toMatchObject([{ key: { seqno: 6, rank: 0, lt: 0n, id: "" } }]);
    expect(sent(events, subscription)).toEqual([
      { type: "block", block: { workchain: -1, seqno: 6 }, shards: [{ workchain: 0, seqno: 44 }] },
    ]);
    index.blocks = index.blocks.filter(({ workchain }) => workchain === 0);
    expect(await read(index, subscription)).toEqual([]);
  });
});

describe("the records of transactions", () => {
  it("are of watched accounts, with the traces that are known", async () => {
    const index = made();
    const events = await read(index, about(["transaction"], two, three));
    expect(events).toMatchObject([
      { type: "transaction", trace: nameOfHash(11), key: { rank: 1, lt: 6003n, id: two } },
      { type: "transaction", trace: nameOfHash(14), key: { rank: 1, lt: 6004n, id: two } },
    ]);
    expect(await read(index, about(["transaction"], three))).toEqual([]);
    expect(index.keys.map(([, count]) => count)).toEqual([2]);
  });

  it("are all of them for a subscription to all, 500 at a time", async () => {
    const index = new MemoryIndex();
    index.add(6);
    for (let at = 0; at < 1001; at++)
      index.transactions.push({ seqno: 6, lt: BigInt(6000 + at), account: one, hash: 1, trace: 1 });
    const events = await read(index, to(["transaction"]));
    expect(events.map(({ key }) => Number(key!.lt))).toEqual(
      Array.from({ length: 1001 }, (_, at) => 6000 + at),
    );
    expect(index.keys.map(([, count]) => count)).toEqual([500, 500, 1]);
  });
});

describe("the records of accounts", () => {
  it("are their last states", async () => {
    const index = made();
    const subscription = about(["account"], two);
    const events = await read(index, subscription);
    expect(events).toMatchObject([{ id: `6004.${two}`, key: { rank: 2, lt: 6004n, id: two } }]);
    expect(sent(events, subscription)).toMatchObject([
      { account: two, state: { balance: "6004" }, lt: "6004" },
    ]);
    expect(ids(await read(index, to(["account"])))).toEqual([one, two]);
  });

  it("are those of edits, of accounts that were edited", async () => {
    const index = made();
    const readEdits: ReadEdits = async (seqno) =>
      seqno === 6 ? [editOf(one, 6500n, 77n), editOf(three, 6501n, 78n)] : [];
    const watching = about(["account"], one, two);
    const events = await read(index, watching, readEdits);
    expect(events.map(({ id, key }) => [id, key!.lt, key!.id])).toEqual([
      [`6004.${two}`, 6004n, two],
      [`6500.${nameOfHash(99)}`, 6500n, one],
    ]);
    expect(sent(events, watching)[1]).toMatchObject({ account: one, state: { balance: "77" }, lt: "6500" });
    expect(ids(await read(index, to(["account"]), readEdits))).toEqual([two, one, three]);
    expect(ids(await read(index, about(["account"], four), readEdits))).toEqual([]);
  });
});

describe("the records of jetton wallets", () => {
  it("are those that changed, by account, or all", async () => {
    const index = made();
    index.wallets.push({ address: two, owner: three, jetton: four, lt: 6004n });
    const events = await read(index, about(["jetton"], three));
    expect(events).toMatchObject([{ id: `6004.${two}`, key: { rank: 3, lt: 0n, id: two } }]);
    expect(ids(await read(index, to(["jetton"])))).toEqual([two]);
    expect(ids(await read(index, about(["jetton"], one)))).toEqual([]);
  });
});

describe("the records of traces", () => {
  const byTrace = (name: number) => to(["trace_record"], { traces: new Set([nameOfHash(name)]) }, ["traces"]);

  it("are found by each of their names, and by their accounts", async () => {
    const index = made();
    for (const subscription of [byTrace(11), byTrace(90), byTrace(91), about(["trace_record"], two)]) {
      const events = await read(index, subscription);
      expect(events).toMatchObject([
        {
          ...{ type: "trace_record", id: nameOfHash(11), trace: nameOfHash(91), isLast: true },
          key: { rank: 4, lt: 6003n, id: nameOfHash(11) },
        },
      ]);
      expect(sent(events, subscription)).toHaveLength(1);
    }
    expect(await read(index, byTrace(92))).toEqual([]);
    expect(await read(index, about(["trace_record"], three))).toEqual([]);
    expect(await read(index, to(["trace_record"]))).toHaveLength(1);
  });

  it("have their transactions, actions and addresses", async () => {
    const index = made();
    index.actions.push({ trace: 11, id: 1, accounts: [] }, { trace: 11, id: 2, type: "auction_bid" });
    const subscription = byTrace(91);
    const events = await read(index, subscription);
    const [{ trace }] = sent(events, subscription);
    expect(trace).toMatchObject({
      trace_id: nameOfHash(11),
      end_lt: "6003",
      transactions_order: [11, 12].map(nameOfHash),
      trace: { tx_hash: nameOfHash(11), children: [{ tx_hash: nameOfHash(12) }] },
      actions: [{ action_id: nameOfHash(1) }],
      is_incomplete: false,
    });
    expect(trace.actions).toHaveLength(1);
    const [delivery] = events[0]!.deliveries(new Interests([subscription]));
    expect(delivery!.addresses).toEqual(expect.arrayContaining([one, two]));
  });

  it("of a trace without an external message have its first message as name", async () => {
    const index = made({ external_hash: undefined, external_hash_norm: undefined });
    const events = await read(index, byTrace(11));
    expect(events.map(({ trace }) => trace)).toEqual([nameOfHash(71)]);
    expect(events[0]!.deliveries(new Interests([byTrace(11)]))).toHaveLength(1);
  });

  it("have no transactions if they are too large", async () => {
    const largest = made({ nodes_: maxTransactions });
    expect(sent(await read(largest, byTrace(91)), byTrace(91))[0].trace.is_incomplete).toBe(false);
    const index = made({ nodes_: maxTransactions + 1 });
    const [{ trace }] = sent(await read(index, byTrace(91)), byTrace(91));
    expect([trace.is_incomplete, trace.trace]).toEqual([true, undefined]);
    expect(index.asked).not.toContain("transactionsOfTraces");
  });

  it("are not those of traces that are not complete, or wait for accounts", async () => {
    const broken = made({ state: codeOf(traceStates, "broken") });
    expect(await read(broken, to(["trace_record", "action"]))).toEqual([]);
    expect(broken.asked).toEqual(["slots", "spans", "ended", "delayed", "late"]);
    const index = made();
    index.lateTraces.push({ id: 11, told: null });
    expect(await read(index, to(["trace_record"]))).toEqual([]);
    index.traces[0] = { ...index.traces[0]!, seqno: 5 };
    index.lateTraces = [{ id: 11, told: 6 }];
    expect(await read(index, to(["trace_record"]))).toHaveLength(1);
  });
});

describe("the records of actions", () => {
  it("are of all traces that settled, each with its place", async () => {
    const index = made();
    index.traces.push({ id: 14, seqno: 6, end_lt: 6004n });
    index.actions.push(
      { trace: 11, id: 1, end_lt: 6003n, accounts: [rawAddressToBytes(two)] },
      { trace: 14, id: 2, end_lt: 6004n, accounts: [rawAddressToBytes(three)] },
    );
    const events = await read(index, about(["action"], three));
    expect(events).toMatchObject([
      { type: "action", trace: nameOfHash(91), key: { rank: 5, lt: 6003n, id: nameOfHash(1) } },
      { type: "action", trace: nameOfHash(14), key: { rank: 5, lt: 6004n, id: nameOfHash(2) } },
    ]);
    expect(sent(events, about(["action"], three)).map(({ action }) => action.action_id)).toEqual([
      nameOfHash(2),
    ]);
    // No subscription wants traces, so neither their accounts nor their transactions are read.
    expect(index.asked).not.toContain("participants");
    expect(index.asked).not.toContain("transactionsOfTraces");
  });

  it("are not sent to those who want traces only", async () => {
    const index = made();
    index.actions.push({ trace: 11, id: 1 });
    expect((await read(index, to(["trace_record"]))).map(({ type }) => type)).toEqual(["trace_record"]);
    // No actions of traces without a subscription are read.
    const other = made();
    await read(other, about(["trace_record"], three));
    expect(other.asked).not.toContain("actions");
  });
});
