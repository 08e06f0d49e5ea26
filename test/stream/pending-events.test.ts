import { describe, expect, it } from "vitest";
import type { PendingDeps, PendingTrace } from "../../server/present/v3/pending-traces.js";
import { rawAddressToBytes } from "../../server/store/address-bytes.js";
import type { Queries } from "../../server/store/database.js";
import type { ActionRow } from "../../server/store/tables/actions.js";
import type { StreamEvent } from "../../server/stream/events/events.js";
import { PendingEvents, type TraceChange } from "../../server/stream/pending-events.js";
import { actionChoice } from "../../server/stream/subscriptions/action-choice.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import { Interests } from "../../server/stream/subscriptions/interests.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import { asSent, nobody } from "./memory-client.js";
import { actionRow, type MadeAction, MemoryIndex, nameOfHash, rawOf } from "./memory-index.js";
import { type MadePending, traceOf } from "./pending-trace.js";

const [one, two, three] = [rawOf(1), rawOf(2), rawOf(3)];

const client = () => new Subscription(nobody, nothing);

/** Messages whose traces are pending, and what the index has of them. */
function world() {
  const index = new MemoryIndex();
  const clock = { now: 1000 };
  const given = { traces: [] as PendingTrace[], messages: undefined as PendingTrace[] | undefined };
  const actions: MadeAction[] = [];
  /** The numbers of messages whose traces were asked for. */
  const asked: number[][] = [];
  let reads = 0;
  const pending: PendingDeps["pending"] = {
    messages: async () => given.messages ?? given.traces,
    end: () => {},
    traces: async (messages) => {
      asked.push(messages.map(({ hash }) => hash[0]!));
      const names = new Set(messages.map(({ hash }) => hash[0]));
      return given.traces.filter(({ hash }) => names.has(hash[0]));
    },
    actions: async (_, traces): Promise<ActionRow[][]> =>
      traces.map(({ hash }) => actions.filter(({ trace }) => trace === hash[0]).map(actionRow)),
  };
  const events = new PendingEvents(pending, () => clock.now);
  const read = <T>(work: (queries: Queries) => Promise<T>) => {
    reads++;
    return work(index);
  };
  /** The changes since the last ones, which these clients receive. */
  const look = async (
    receivers: Subscription[] = [],
    { texts = false, settles = true, withUnchanged = false } = {},
  ) => {
    let taken: TraceChange[] = [];
    let takes = 0;
    const options = { call: {} as never, texts: texts ? { testOnly: false } : undefined, withUnchanged };
    await events.changes(options, read, async (queries, changes) => {
      expect(queries).toBe(index);
      takes++;
      taken = [...changes];
    });
    expect(takes).toBe(taken.length > 0 ? 1 : 0);
    if (settles) for (const change of taken) change.settle(receivers);
    return taken;
  };
  return { index, clock, given, actions, asked, events, look, reads: () => reads };
}

/** Two transactions: of the first account, and of the second one, which receives what the first has sent. */
const pair = (first: Partial<MadePending> = {}, second: Partial<MadePending> = {}): MadePending[] => [
  { account: one, hash: 11, received: 1, sent: [21], ...first },
  { account: two, hash: 12, received: 21, ...second },
];
const done = { isDone: true };

const words = (change: TraceChange | undefined) =>
  change?.events.map(({ type, finality }) => `${finality} ${type}`);

/** The part of an event that a subscription gets. */
function sent(event: StreamEvent, filter: Partial<Filter>): Record<string, unknown>[] {
  const minFinality = "pending" as const;
  const everything = actionChoice([], ["contract_deploy"], { namedCount: true });
  const subscription = new Subscription(nobody, { ...nothing, minFinality, actions: everything, ...filter });
  return event.deliveries(new Interests([subscription])).map(({ members }) => asSent(members));
}

describe("the events of a trace that is expected", () => {
  it("are those of TON Center's protocol and records, with the name of the trace", async () => {
    const { given, look, events } = world();
    given.traces = [traceOf(1, pair())];
    const [change] = await look();
    expect(words(change)).toEqual([
      ...["pending transactions", "pending transaction", "pending transaction"],
      ...["pending trace", "pending trace_record"],
    ]);
    expect([change!.trace, change!.isBroken, events.isFollowing]).toEqual([nameOfHash(101), false, true]);
    expect(change!.events.every(({ trace, key }) => trace === nameOfHash(101) && key === undefined)).toBe(
      true,
    );
    expect(change!.events.map(({ id }) => id)).toEqual([
      ...[undefined, `11.${nameOfHash(11)}`, `12.${nameOfHash(12)}`, undefined, nameOfHash(11)],
    ]);
    expect(change!.events[1]!.message).toEqual({ hash: nameOfHash(1), sent: [nameOfHash(21)] });
  });

  it("have the transactions latest first, and the tree", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair())];
    const [change] = await look();
    const [transactions, , , trace] = change!.events;
    const both: Partial<Filter> = { types: new Set(["transactions"]), addresses: new Set([one, two]) };
    const hashes = sent(transactions!, both).flatMap(({ transactions: all }) =>
      (all as { hash: string }[]).map(({ hash }) => hash),
    );
    expect(hashes).toEqual([12, 11].map(nameOfHash));
    const byTrace: Partial<Filter> = { types: new Set(["trace"]), traces: new Set([nameOfHash(101)]) };
    expect(sent(trace!, byTrace)).toMatchObject([
      { trace: { tx_hash: nameOfHash(11), children: [{ tx_hash: nameOfHash(12) }] } },
    ]);
  });

  it("have a record of the trace, found by all of its names", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair(), 3)];
    const [change] = await look();
    const record = change!.events.at(-1)!;
    for (const name of [11, 1, 101]) {
      const filter: Partial<Filter> = {
        types: new Set(["trace_record"]),
        traces: new Set([nameOfHash(name)]),
        requires: new Set(["traces"]),
      };
      expect(sent(record, filter)).toMatchObject([
        { trace: { trace_id: nameOfHash(11), trace_info: { transactions: 2, pending_messages: 3 } } },
      ]);
    }
    const byAccount: Partial<Filter> = { addresses: new Set([two]), requires: new Set(["accounts"]) };
    expect(sent(record, { types: new Set(["trace_record"]), ...byAccount })).toHaveLength(1);
    const all = new Subscription(nobody, {
      ...nothing,
      ...{ minFinality: "pending", types: new Set(["trace_record"]), requires: new Set() },
    });
    const [delivery] = record.deliveries(new Interests([all]));
    expect(delivery!.addresses).toEqual(expect.arrayContaining([one, two]));
  });

  it("have its actions, with texts if somebody wants them", async () => {
    const { given, actions, look } = world();
    given.traces = [traceOf(1, pair())];
    actions.push({ trace: 1, id: 31, accounts: [rawAddressToBytes(two)] });
    const [change] = await look();
    expect(words(change)!.slice(3)).toEqual([
      ...["pending trace", "pending actions", "pending trace_record", "pending action"],
    ]);
    const [, , , trace, list, record, action] = change!.events;
    expect(sent(list!, { types: new Set(["actions"]), addresses: new Set([two]) })).toMatchObject([
      { finality: "pending", actions: [{ action_id: nameOfHash(31), finality: "pending" }] },
    ]);
    expect(action).toMatchObject({ id: nameOfHash(31), place: "contract_deploy 1", trace: nameOfHash(101) });
    const toTrace: Partial<Filter> = { types: new Set(["trace"]), traces: new Set([nameOfHash(101)]) };
    expect(sent(trace!, toTrace)[0]!["actions"]).toHaveLength(1);
    expect(sent(record!, { types: new Set(["trace_record"]), requires: new Set() })).toMatchObject([
      { trace: { actions: [{ action_id: nameOfHash(31) }] } },
    ]);
    const described: Partial<Filter> = { types: new Set(["action"]), requires: new Set(), withTexts: true };
    expect(sent(action!, described)[0]!["action"]).not.toHaveProperty("text");
  });

  it("are not read if no message waits", async () => {
    const { asked, look, reads, events } = world();
    expect([await look(), reads(), asked, events.isFollowing]).toEqual([[], 0, [], false]);
  });

  it("are not sent of a trace that was indexed before", async () => {
    const { index, given, asked, look } = world();
    given.traces = [traceOf(1, pair())];
    index.received.set(nameOfHash(1), true);
    expect([await look(), asked]).toEqual([[], [[]]]);
    index.received.set(nameOfHash(1), false);
    expect(await look()).toHaveLength(1);
  });
});

describe("a trace that was sent", () => {
  it("has all of its events for those who come later, and none for the others", async () => {
    const { given, look, events } = world();
    given.traces = [traceOf(1, pair({ ...done, hasState: true }))];
    const [first, late] = [client(), client()];
    const [sentOnce] = await look([first]);
    const [again] = await look([late], { withUnchanged: true });
    expect(again).toMatchObject({ trace: nameOfHash(101), isBroken: false, events: [] });
    expect(sentOnce!.all).toEqual([]);
    const wordsOf = (all: readonly StreamEvent[]) => all.map(({ type, finality }) => `${finality} ${type}`);
    expect(wordsOf(again!.all).sort()).toEqual(words(sentOnce)!.sort());
    expect(events.receiversOf(nameOfHash(101))).toEqual(new Set([first, late]));
    expect(await look()).toEqual([]);
  });

  it("is not sent again as it is", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair())];
    expect(await look([], { settles: false })).toHaveLength(1);
    expect(await look()).toHaveLength(1);
    expect(await look()).toEqual([]);
    // Later runs have other logical times.
    given.traces = [traceOf(1, pair({ hash: 13, lt: 50n }, { hash: 14, lt: 51n }))];
    expect(await look()).toEqual([]);
  });

  it.each<[string, Partial<MadePending>]>([
    ["another account", { account: three }],
    ["another opcode", { opcode: 8 }],
    ["another value", { value: 2n }],
    ["other messages", { sent: [22] }],
    ["another end", { aborted: true }],
  ])("is sent again with %s", async (_, second) => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair())];
    await look();
    given.traces = [traceOf(1, pair({}, second))];
    expect(words((await look())[0])).toEqual([
      ...["pending transactions", "pending transaction", "pending transaction"],
      ...["pending trace", "pending trace_record"],
    ]);
  });

  it("is sent with what has happened, and what is still expected", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair())];
    await look();
    given.traces = [traceOf(1, pair(done))];
    const [change] = await look();
    expect(words(change)).toEqual([
      // The transaction that is expected, then both.
      ...["pending transactions", "pending transactions"],
      ...["confirmed account_state_change", "confirmed account"],
      ...["pending transaction", "confirmed transaction", "pending trace", "pending trace_record"],
    ]);
    const toAll: Partial<Filter> = { types: new Set(["transactions"]), addresses: new Set([one, two]) };
    const [expected, all] = change!.events.map((event) => sent(event, toAll));
    const finalities = (events: typeof all) =>
      events!.flatMap(({ transactions }) =>
        (transactions as { finality: string }[]).map(({ finality }) => finality),
      );
    expect([finalities(expected), finalities(all)]).toEqual([["pending"], ["pending", "confirmed"]]);
    expect(await look()).toEqual([]);
  });

  it("is confirmed once all has happened, and not sent as final", async () => {
    const { index, given, look } = world();
    given.traces = [traceOf(1, pair(done, done))];
    const [change] = await look();
    expect(words(change)).toEqual([
      "confirmed transactions",
      ...["confirmed account_state_change", "confirmed account"],
      ...["confirmed account_state_change", "confirmed account"],
      ...["confirmed transaction", "confirmed transaction", "confirmed trace", "confirmed trace_record"],
    ]);
    index.received.set(nameOfHash(1), false).set(nameOfHash(21), false);
    expect(await look()).toEqual([]);
    const other = world();
    other.given.traces = [traceOf(1, pair(done, done))];
    other.index.received.set(nameOfHash(1), false).set(nameOfHash(21), false);
    expect(words((await other.look())[0])).toEqual([]);
  });

  it("is sent without expected transactions once all has happened", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair(done))];
    await look();
    given.traces = [traceOf(1, pair(done, done))];
    expect(words((await look())[0])).toEqual([
      ...["confirmed transactions", "confirmed account_state_change", "confirmed account"],
      ...["confirmed transaction", "confirmed trace", "confirmed trace_record"],
    ]);
  });

  it("is sent with what has happened beside the same expected transactions", async () => {
    const { given, look } = world();
    given.traces = [traceOf(1, pair(done))];
    await look();
    const [first, second] = pair({ ...done, sent: [22, 21] }) as [MadePending, MadePending];
    given.traces = [traceOf(1, [first, { account: three, hash: 13, received: 22, ...done }, second])];
    expect(words((await look())[0])).toEqual([
      ...["pending transactions", "confirmed account_state_change", "confirmed account"],
      ...["confirmed transaction", "pending trace", "pending trace_record"],
    ]);
  });

  it("has transactions that are indexed as final ones", async () => {
    const { index, given, look } = world();
    given.traces = [traceOf(1, pair(done))];
    index.received.set(nameOfHash(1), false);
    const [change] = await look();
    expect(words(change)).toEqual([
      ...["pending transactions", "pending transactions", "pending transaction"],
      ...["pending trace", "pending trace_record"],
    ]);
  });

  it("has the last known state of each account", async () => {
    const { given, look } = world();
    const both = pair({ ...done, sent: [21, 22] }, done);
    given.traces = [traceOf(1, [...both, { account: one, hash: 13, received: 22, ...done }])];
    const [change] = await look();
    const accounts = change!.events.filter(({ type }) => type === "account").map(({ id }) => id);
    expect(accounts).toEqual([`12.${two}`, `13.${one}`]);
    given.traces = [traceOf(2, pair({ ...done, hasState: false }, done))];
    const [other] = await look();
    expect(other!.events.filter(({ type }) => type === "account").map(({ id }) => id)).toEqual([`12.${two}`]);
    // A transaction that is expected later does not count.
    given.traces = [traceOf(3, [...pair(done), { account: one, hash: 13, received: 22 }])];
    const [third] = await look();
    expect(third!.events.filter(({ type }) => type === "account").map(({ id }) => id)).toEqual([`11.${one}`]);
  });

  it("knows its receivers and its transactions", async () => {
    const { given, events, look } = world();
    const [first, second] = [client(), client()];
    given.traces = [traceOf(1, pair())];
    await look([first]);
    const trace = nameOfHash(101);
    expect([...events.receiversOf(trace)]).toEqual([first]);
    expect(events.hashesOf(trace)).toEqual([11, 12].map(nameOfHash));
    given.traces = [traceOf(1, pair(done, { hash: 14 }))];
    await look([second]);
    expect([...events.receiversOf(trace)]).toEqual([first, second]);
    expect(events.hashesOf(trace)).toEqual([11, 12, 14].map(nameOfHash));
    events.drop(first);
    expect([...events.receiversOf(trace)]).toEqual([second]);
    expect([[...events.receiversOf("other")], events.hashesOf("other")]).toEqual([[], []]);
  });

  it("is broken if an account is not in it any more", async () => {
    const { given, events, look } = world();
    const [first, second] = [client(), client()];
    const trace = nameOfHash(101);
    given.traces = [traceOf(1, pair())];
    await look([first]);
    given.traces = [traceOf(1, pair({}, { account: three, hash: 13 }))];
    const [change] = await look([second]);
    expect([change!.isBroken, [...events.receiversOf(trace)]]).toEqual([true, [second]]);
    expect(events.hashesOf(trace)).toEqual([11, 13].map(nameOfHash));
    // With more accounts than before all of it still holds.
    const more = { account: rawOf(4), hash: 15, received: 23 };
    given.traces = [traceOf(1, [...pair({ sent: [21, 23] }, { account: three, hash: 13 }), more])];
    expect((await look())[0]!.isBroken).toBe(false);
  });
});

describe("a trace that was sent and is gone", () => {
  it("is broken, unless the index has all of it", async () => {
    const { index, given, events, look } = world();
    given.traces = [traceOf(1, pair())];
    await look([client()]);
    given.messages = given.traces;
    given.traces = [];
    index.received.set(nameOfHash(1), true);
    expect(await look()).toEqual([]);
    index.received.clear();
    const [change] = await look();
    expect(change).toMatchObject({ trace: nameOfHash(101), isBroken: true, events: [] });
    expect([events.isFollowing, events.receiversOf(nameOfHash(101)).size]).toEqual([false, 0]);
    expect(await look()).toEqual([]);
  });

  it("is not missed if it was never sent", async () => {
    const { given, look } = world();
    given.messages = [traceOf(1, pair())];
    expect(await look()).toEqual([]);
  });

  it("is broken ten minutes after it was sent if its message is not among the newest and not received", async () => {
    const { clock, given, events, index, look, asked } = world();
    given.traces = [traceOf(1, pair())];
    await look();
    clock.now += 1000;
    given.traces = [traceOf(1, pair({}, { opcode: 9 }))];
    await look();
    given.traces = [];
    clock.now = 601_000;
    expect(await look()).toEqual([]);
    clock.now = 601_001;
    index.received.set(nameOfHash(1), false);
    expect(await look()).toEqual([]);
    index.received.clear();
    const [change] = await look();
    expect(change).toMatchObject({ trace: nameOfHash(101), isBroken: true, events: [] });
    expect([events.isFollowing, asked.at(-1)]).toEqual([false, []]);
  });
});

describe("a trace that was sent and still waits", () => {
  it("is not gone after ten minutes", async () => {
    const { clock, given, events, look } = world();
    given.traces = [traceOf(1, pair())];
    await look();
    clock.now += 10_000_000;
    expect([await look(), events.isFollowing]).toEqual([[], true]);
  });
});

describe("traces that are final", () => {
  it("are not looked at any more", async () => {
    const { given, events, look, reads } = world();
    given.traces = [traceOf(1, pair())];
    await look([client()]);
    const before = reads();
    events.end(nameOfHash(101));
    expect([events.isFinal(nameOfHash(101)), events.isFollowing]).toEqual([true, false]);
    expect([await look(), reads()]).toEqual([[], before]);
  });

  it("are remembered, the last 10,000 of them", () => {
    const { events } = world();
    for (let at = 0; at < 10_000; at++) events.end(`${at}`);
    expect(events.isFinal("0")).toBe(true);
    events.end("last");
    expect([events.isFinal("0"), events.isFinal("1"), events.isFinal("last")]).toEqual([false, true, true]);
  });

  it("may be pending again after a revert, which drops all that was sent", async () => {
    const { given, events, look } = world();
    const receiver = client();
    given.traces = [traceOf(1, pair()), traceOf(2, pair({ received: 2 }, { received: 22 }))];
    events.end(nameOfHash(102));
    await look([receiver]);
    expect(events.forget()).toEqual([
      { trace: nameOfHash(101), receivers: new Set([receiver]), hashes: [11, 12].map(nameOfHash) },
    ]);
    expect([events.forget(), events.isFinal(nameOfHash(102)), events.isFollowing]).toEqual([
      [],
      false,
      false,
    ]);
    expect(await look()).toHaveLength(2);
  });
});

describe("the traces that are followed", () => {
  it("are 1,000 at most, and the oldest ones are given up", async () => {
    const { events, given, look } = world();
    const hashFor = (number: number) => {
      const hash = new Uint8Array(32);
      new DataView(hash.buffer).setUint32(0, number);
      return hash;
    };
    const receiver = client();
    const numbered = (at: number): PendingTrace => ({
      ...traceOf(1, [{ account: one, hash: 11, received: 1 }]),
      ...{ hash: hashFor(at), hashNorm: hashFor(at) },
    });
    const nameAt = (at: number) => Buffer.from(hashFor(at)).toString("base64");
    given.traces = Array.from({ length: 1000 }, (_, at) => numbered(at));
    await look([receiver]);
    expect(events.receiversOf(nameAt(0)).size).toBe(1);
    given.traces = [numbered(1000)];
    await look([receiver]);
    expect([0, 1, 999, 1000].map((at) => events.receiversOf(nameAt(at)).size)).toEqual([0, 1, 1, 1]);
  });
});

describe("a record that was sent before under another id", () => {
  const receiver = client();

  async function sentOnce() {
    const made = world();
    made.given.traces = [traceOf(1, pair())];
    made.actions.push({ trace: 1, id: 31 });
    await made.look([receiver]);
    return made;
  }
  const transaction = (hash: number, received: number, more: Partial<StreamEvent> = {}): StreamEvent =>
    ({ id: `x.${hash}`, message: { hash: nameOfHash(received), sent: [] }, ...more }) as StreamEvent;

  it("is replaced by its place in the trace", async () => {
    const { events } = await sentOnce();
    expect(events.replacedBy(transaction(61, 1), receiver)).toBe(`11.${nameOfHash(11)}`);
    expect(events.replacedBy(transaction(62, 21), receiver)).toBe(`12.${nameOfHash(12)}`);
    const trace = { trace: nameOfHash(101), place: "trace", id: "new" } as StreamEvent;
    expect(events.replacedBy(trace, receiver)).toBe(nameOfHash(11));
    const action = { trace: nameOfHash(101), place: "contract_deploy 1", id: "new" } as StreamEvent;
    expect(events.replacedBy(action, receiver)).toBe(nameOfHash(31));
    expect(events.replacedBy({ ...action, place: "contract_deploy 2" }, receiver)).toBeUndefined();
  });

  it("is found by messages with other hashes, behind a transaction that has other ones", async () => {
    const { events } = await sentOnce();
    expect(events.replacedBy(transaction(62, 77), receiver)).toBeUndefined();
    const message = { hash: nameOfHash(1), sent: [nameOfHash(77)] };
    events.replacedBy(transaction(61, 1, { message }), receiver);
    expect(events.replacedBy(transaction(62, 77), receiver)).toBe(`12.${nameOfHash(12)}`);
  });

  it("is not replaced for others, or by itself", async () => {
    const { events } = await sentOnce();
    expect(events.replacedBy(transaction(61, 1), client())).toBeUndefined();
    expect(events.replacedBy(transaction(61, 1, { id: `11.${nameOfHash(11)}` }), receiver)).toBeUndefined();
    const { id: _, ...nameless } = transaction(61, 1);
    expect(events.replacedBy(nameless as StreamEvent, receiver)).toBeUndefined();
    expect(events.replacedBy({ id: "new", trace: nameOfHash(101) } as StreamEvent, receiver)).toBeUndefined();
    expect(events.replacedBy({ id: "new", place: "trace" } as StreamEvent, receiver)).toBeUndefined();
    const other = { id: "new", trace: nameOfHash(102), place: "trace" } as StreamEvent;
    expect(events.replacedBy(other, receiver)).toBeUndefined();
  });

  it("is the last one sent, with those of all clients", async () => {
    const { events, given, look } = await sentOnce();
    given.traces = [traceOf(1, pair({}, { hash: 15, opcode: 9 }))];
    await look();
    expect(events.replacedBy(transaction(62, 21), receiver)).toBe(`15.${nameOfHash(15)}`);
    expect(events.replacedBy(transaction(61, 1), receiver)).toBe(`11.${nameOfHash(11)}`);
  });

  it("is forgotten with a broken trace, and with its end", async () => {
    const { events, given, look, actions } = await sentOnce();
    actions.length = 0;
    given.traces = [traceOf(1, pair({}, { account: three, hash: 13 }))];
    await look([receiver]);
    const action = { trace: nameOfHash(101), place: "contract_deploy 1", id: "new" } as StreamEvent;
    expect(events.replacedBy(action, receiver)).toBeUndefined();
    expect(events.replacedBy(transaction(62, 21), receiver)).toBe(`13.${nameOfHash(13)}`);
    given.traces.push(traceOf(2, [{ account: one, hash: 18, received: 2 }]));
    await look([receiver]);
    events.end(nameOfHash(101));
    expect(events.replacedBy(transaction(62, 21), receiver)).toBeUndefined();
    expect(events.replacedBy(transaction(68, 2), receiver)).toBe(`18.${nameOfHash(18)}`);
  });
});
