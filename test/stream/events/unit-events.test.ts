import { describe, expect, it } from "vitest";
import { rawAddressToBytes } from "../../../server/store/address-bytes.js";
import { codeOf, traceStates } from "../../../server/store/codes.js";
import type { ReadEdits } from "../../../server/stream/events/account-edits.js";
import type { StreamEvent } from "../../../server/stream/events/events.js";
import { maxTransactions, readUnitEvents } from "../../../server/stream/events/unit-events.js";
import { UnitSource } from "../../../server/stream/events/unit-source.js";
import { actionChoice } from "../../../server/stream/subscriptions/action-choice.js";
import { type Filter, nothing } from "../../../server/stream/subscriptions/filter.js";
import { Interests } from "../../../server/stream/subscriptions/interests.js";
import { Subscription } from "../../../server/stream/subscriptions/subscription.js";
import { asSent, nobody } from "../memory-client.js";
import { editOf, hashOf, type MadeTrace, MemoryIndex, nameOfHash, rawOf } from "../memory-index.js";

const [one, two, three, four] = [rawOf(1), rawOf(2), rawOf(3), rawOf(4)];
const every = actionChoice([], ["contract_deploy", "tick_tock"], { namedCount: true });

const to = (types: string[], more: Partial<Filter> = {}) =>
  new Subscription(nobody, { ...nothing, actions: every, types: new Set(types) as never, ...more });
const about = (types: string[], ...accounts: string[]) => to(types, { addresses: new Set(accounts) });
const aboutTrace = (name: number) => to(["trace"], { traces: new Set([nameOfHash(name)]) });

const read = (index: MemoryIndex, subscriptions: Subscription[], readEdits?: ReadEdits) =>
  readUnitEvents(new UnitSource(index, 6, { testOnly: false }, readEdits), new Interests(subscriptions));

/** Events as subscriptions get them. */
function sent(events: readonly StreamEvent[], subscriptions: Subscription[]) {
  const interests = new Interests(subscriptions);
  return events.map((event) => ({
    type: event.type,
    members: event.deliveries(interests).map(({ members }) => asSent(members) as Record<string, unknown>),
  }));
}

const hashesIn = (members: Record<string, unknown>) =>
  (members["transactions"] as { hash: string }[]).map(({ hash }) => hash);

/** Two traces in block 6: one of two accounts with an external message, one of the first account without. */
function twoTraces(more: Partial<MadeTrace> = {}): MemoryIndex {
  const index = new MemoryIndex();
  index.add(5, 6);
  index.traces.push(
    { id: 11, seqno: 6, accounts: [one, two], external_hash_norm: hashOf(91), end_lt: 6004n, ...more },
    { id: 14, seqno: 6, accounts: [one], end_lt: 6009n },
  );
  index.transactions.push(
    { seqno: 6, lt: 6001n, account: one, hash: 11, trace: 11, received: 71, sent: [72] },
    { seqno: 6, lt: 6003n, account: two, hash: 12, trace: 11, received: 72, sent: [73] },
    { seqno: 6, lt: 6004n, account: two, hash: 13, trace: 11, received: 73 },
    { seqno: 6, lt: 6008n, account: one, hash: 14, trace: 14, received: 74 },
  );
  return index;
}

describe("the transactions of traces that ended in a block", () => {
  it("are those of watched accounts, latest first, with keys in the order of ends", async () => {
    const index = twoTraces();
    const subscriptions = [about(["transactions"], two)];
    const events = await read(index, subscriptions);
    expect(events).toMatchObject([
      {
        type: "transactions",
        finality: "finalized",
        trace: nameOfHash(91),
        key: { seqno: 6, rank: 1, lt: 6004n, id: nameOfHash(11) },
      },
    ]);
    const [event] = sent(events, subscriptions);
    expect(hashesIn(event!.members[0]!)).toEqual([13, 12].map(nameOfHash));
    expect(index.asked).not.toContain("last");
  });

  it("are named by the first message, or the first transaction, of a trace without an external one", async () => {
    const index = twoTraces();
    const events = await read(index, [about(["transactions"], one)]);
    expect(events.map(({ trace }) => trace)).toEqual([nameOfHash(91), nameOfHash(74)]);
    index.transactions = index.transactions.map(({ received: _, ...each }) => each);
    const systems = await read(index, [about(["transactions"], one)]);
    expect(systems.map(({ trace }) => trace)).toEqual([nameOfHash(91), nameOfHash(14)]);
    // Its first transaction is not known.
    index.transactions = [{ seqno: 6, lt: 6009n, account: one, hash: 15, trace: 14, received: 75 }];
    const torn = await read(index, [about(["transactions"], one)]);
    expect(torn.map(({ trace }) => trace)).toEqual([nameOfHash(91), nameOfHash(14)]);
  });

  it("are named by a first transaction of an account that nobody watches", async () => {
    const index = twoTraces();
    index.transactions.push({ seqno: 6, lt: 6007n, account: three, hash: 14, trace: 14, received: 79 });
    index.transactions = index.transactions.map((each) =>
      each.account === one && each.trace === 14 ? { ...each, hash: 15 } : each,
    );
    const events = await read(index, [about(["transactions"], one)]);
    expect(events.map(({ trace }) => trace)).toEqual([nameOfHash(91), nameOfHash(79)]);
  });

  it("are not read if nobody wants them", async () => {
    const index = twoTraces();
    expect(await read(index, [])).toEqual([]);
    expect(index.asked).toEqual([]);
    expect(await read(index, [about(["transactions"], three)])).toEqual([]);
    expect(index.asked).toEqual(["slots", "spans", "ended", "delayed", "late", "participants"]);
    const empty = new MemoryIndex();
    empty.add(6);
    await read(empty, [about(["transactions"], one)]);
    expect(empty.asked).toEqual(["slots", "spans", "ended", "delayed", "late"]);
  });

  it("are sent with the block in which their trace ended, whatever its actions wait for", async () => {
    const index = twoTraces();
    index.actions.push({ trace: 11, id: 1, accounts: [] });
    index.lateTraces.push({ id: 11, told: null });
    const subscriptions = [about(["transactions", "actions"], two), aboutTrace(91)];
    expect((await read(index, subscriptions)).map(({ type }) => type)).toEqual(["transactions"]);
    const later = new MemoryIndex();
    later.add(5, 6);
    Object.assign(later, { ...index, traces: [{ ...index.traces[0]!, seqno: 5 }] });
    later.lateTraces = [{ id: 11, told: 6 }];
    expect((await read(later, subscriptions)).map(({ type }) => type)).toEqual(["trace", "actions"]);
  });

  it("of large traces are those of watched accounts only, and the trace keeps its id as name", async () => {
    const index = twoTraces();
    index.traces[1] = { ...index.traces[1]!, nodes_: maxTransactions + 1, accounts: [one, two] };
    index.transactions.push({ seqno: 6, lt: 6009n, account: two, hash: 15, trace: 14 });
    const subscriptions = [about(["transactions"], one)];
    const events = await read(index, subscriptions);
    expect(hashesIn(sent(events, subscriptions)[1]!.members[0]!)).toEqual([nameOfHash(14)]);
    expect(index.keys).toEqual([["accounts", 2]]);
  });
});

describe("a watched trace that ended in a block", () => {
  it("is sent whole by its external message, or by its id", async () => {
    const index = twoTraces();
    for (const name of [91, 11]) {
      const subscriptions = [aboutTrace(name)];
      const events = await read(index, subscriptions);
      expect(events).toMatchObject([
        { type: "trace", trace: nameOfHash(91), key: { seqno: 6, rank: 4, lt: 6004n, id: nameOfHash(11) } },
      ]);
    }
    const [event] = sent(await read(index, [aboutTrace(91)]), [aboutTrace(91)]);
    expect(event!.members[0]).toMatchObject({
      type: "trace",
      finality: "finalized",
      trace_external_hash_norm: nameOfHash(91),
      trace: {
        tx_hash: nameOfHash(11),
        in_msg_hash: nameOfHash(71),
        children: [{ tx_hash: nameOfHash(12), children: [{ tx_hash: nameOfHash(13), children: [] }] }],
      },
    });
  });

  it("is not sent if it is too large, or not complete", async () => {
    const largest = twoTraces({ nodes_: maxTransactions });
    expect(await read(largest, [aboutTrace(91)])).toHaveLength(1);
    expect(await read(twoTraces({ nodes_: maxTransactions + 1 }), [aboutTrace(91)])).toEqual([]);
    const broken = twoTraces({ state: codeOf(traceStates, "broken") });
    expect(await read(broken, [aboutTrace(91)])).toEqual([]);
    expect(await read(broken, [about(["transactions"], one)])).toHaveLength(2);
  });

  it("has its actions, of the types that somebody wants", async () => {
    const index = twoTraces();
    index.actions.push({ trace: 11, id: 1 }, { trace: 11, id: 2, type: "auction_bid" });
    const subscriptions = [aboutTrace(91)];
    const [event] = sent(await read(index, subscriptions), subscriptions);
    expect(event!.members[0]!["actions"]).toMatchObject([{ action_id: nameOfHash(1) }]);
    expect(event!.members[0]!["actions"]).toHaveLength(1);
  });
});

describe("the actions of traces that settled in a block", () => {
  it("are sent for each trace, with its name", async () => {
    const index = twoTraces();
    index.actions.push(
      { trace: 11, id: 1, accounts: [rawAddressToBytes(two)] },
      { trace: 11, id: 2, accounts: [rawAddressToBytes(two)], type: "tick_tock" },
      { trace: 14, id: 3, accounts: [rawAddressToBytes(four)] },
    );
    const subscriptions = [about(["actions"], two, four)];
    const events = await read(index, subscriptions);
    expect(events).toMatchObject([
      {
        type: "actions",
        trace: nameOfHash(91),
        finality: "finalized",
        key: { rank: 5, lt: 6004n, id: nameOfHash(11) },
      },
      { type: "actions", trace: nameOfHash(14), key: { rank: 5, lt: 6009n, id: nameOfHash(14) } },
    ]);
    const ids = sent(events, subscriptions).map(({ members }) =>
      members.flatMap((each) =>
        (each["actions"] as { action_id: string }[]).map(({ action_id }) => action_id),
      ),
    );
    expect(ids.map((each) => each.toSorted())).toEqual([[nameOfHash(1), nameOfHash(2)], [nameOfHash(3)]]);
    // No subscription wants transactions, so none are read.
    expect(index.asked).not.toContain("transactionsOfTraces");
    expect(index.asked).not.toContain("participants");
  });

  it("are not those of traces that are not complete", async () => {
    const index = twoTraces({ state: codeOf(traceStates, "broken") });
    index.actions.push({ trace: 11, id: 1, accounts: [rawAddressToBytes(two)] });
    expect(await read(index, [about(["actions"], two)])).toEqual([]);
  });

  it("are not sent as events to those who watch traces only", async () => {
    const index = twoTraces();
    index.actions.push({ trace: 11, id: 1 }, { trace: 14, id: 2 });
    const events = await read(index, [aboutTrace(91)]);
    expect(events.map(({ type }) => type)).toEqual(["trace"]);
    expect(await read(index, [about(["transactions"], one)])).toHaveLength(2);
  });
});

describe("account states after a block", () => {
  it("are the last ones of watched accounts", async () => {
    const index = twoTraces();
    const subscriptions = [about(["account_state_change"], two, three)];
    const events = await read(index, subscriptions);
    expect(events).toMatchObject([
      {
        type: "account_state_change",
        finality: "finalized",
        key: { seqno: 6, rank: 2, lt: 6004n, id: two },
      },
    ]);
    const [event] = sent(events, subscriptions);
    expect(event!.members[0]).toMatchObject({ account: two, state: { balance: "6004" } });
    expect(index.asked).not.toContain("ended");
  });

  it("are those of edits, of accounts that were edited", async () => {
    const index = twoTraces();
    const edited = [editOf(one, 6500n, 77n), editOf(three, 6501n, 78n)];
    const subscriptions = [about(["account_state_change"], one, two)];
    const events = await read(index, subscriptions, async (seqno) => (seqno === 6 ? edited : []));
    expect(sent(events, subscriptions).map(({ members }) => members[0])).toMatchObject([
      { account: two, state: { balance: "6004" } },
      { account: one, state: { balance: "77" } },
    ]);
    expect(events.map(({ key }) => [key!.lt, key!.id])).toEqual([
      [6004n, two],
      [6500n, one],
    ]);
  });
});

describe("jetton wallets after a block", () => {
  const wallet = (address: string, owner: string, lt: bigint) => ({ address, owner, jetton: four, lt });
  const addresses = (events: readonly StreamEvent[]) => events.map(({ key }) => key!.id);
  const watching = (...accounts: string[]) => [about(["jettons_change"], ...accounts)];

  it("are those that changed last in it, by address or owner", async () => {
    const index = twoTraces();
    index.wallets.push(wallet(one, three, 6008n), wallet(two, rawOf(5), 6004n));
    const events = await read(index, watching(three));
    expect(events).toMatchObject([
      { type: "jettons_change", finality: "finalized", key: { seqno: 6, rank: 3, lt: 0n, id: one } },
    ]);
    expect(addresses(await read(index, watching(two, three)))).toEqual([one, two]);
    expect(addresses(await read(index, watching(four)))).toEqual([]);
    index.wallets = [wallet(one, three, 6009n), wallet(two, three, 6001n)];
    expect(await read(index, watching(three))).toEqual([]);
  });

  it("are sent later if they wait for recognition", async () => {
    const index = twoTraces();
    index.wallets.push(wallet(one, three, 6008n), wallet(two, three, 6004n));
    index.lateWallets.push({ account: two, lt: 6004n, told: null });
    expect(addresses(await read(index, watching(three)))).toEqual([one]);
    // Another state of the same account waits.
    index.lateWallets = [{ account: two, lt: 5004n, told: null }];
    expect(addresses(await read(index, watching(three)))).toEqual([one, two]);
  });

  it("are also those that waited, as long as they have not changed again", async () => {
    const index = twoTraces();
    index.wallets.push(wallet(three, three, 5004n), wallet(two, three, 6004n));
    index.lateWallets.push({ account: three, lt: 5004n, told: 6 }, { account: two, lt: 5001n, told: 6 });
    expect(addresses(await read(index, watching(three))).toSorted()).toEqual([two, three]);
    index.wallets[0] = wallet(three, three, 7004n);
    expect(addresses(await read(index, watching(three)))).toEqual([two]);
  });

  it("are read 1,000 at a time", async () => {
    const index = new MemoryIndex();
    index.add(6);
    const raw = (number: number) => `0:${number.toString(16).padStart(64, "0").toUpperCase()}`;
    for (let at = 0; at < 2001; at++) {
      index.transactions.push({ seqno: 6, lt: BigInt(6000 + at), account: raw(at), hash: 1, trace: 1 });
      index.wallets.push(wallet(raw(at), three, BigInt(6000 + at)));
    }
    expect(await read(index, watching(three))).toHaveLength(2001);
    expect(index.keys.map(([, count]) => count)).toEqual([1000, 1000, 1]);
  });
});
