import { describe, expect, it } from "vitest";
import { actionChoice } from "../../../server/stream/subscriptions/action-choice.js";
import { Audience } from "../../../server/stream/subscriptions/audience.js";
import { endOf } from "../../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing, type SubscribedType } from "../../../server/stream/subscriptions/filter.js";
import { Interests, SubscriptionIndex } from "../../../server/stream/subscriptions/interests.js";
import { type Notice, type Sink, Subscription } from "../../../server/stream/subscriptions/subscription.js";

const sink: Sink = { isFull: false, send() {}, tell() {} };
const to = (special: Partial<Filter>) => new Subscription(sink, { ...nothing, ...special });
const types = (...names: SubscribedType[]) => new Set(names);
const [a, b, c] = ["0:A", "0:B", "0:C"];

describe("subscriptions to records", () => {
  const requiring = (
    lists: Partial<Filter>,
    ...requires: ("accounts" | "traces" | "opcodes" | "jettons")[]
  ) => to({ types: types("transaction"), requires: new Set(requires), ...lists });
  const found = (about: object, ...subscriptions: Subscription[]) =>
    new Interests(subscriptions).ofRecord("transaction", about).map((each) => subscriptions.indexOf(each));

  it("match the records that all of their lists have", () => {
    const subscriptions = [
      requiring({ addresses: new Set([a!]) }, "accounts"),
      requiring({ traces: new Set(["t"]) }, "traces"),
      requiring({ opcodes: new Set([5]) }, "opcodes"),
      requiring({ jettons: new Set([b!]) }, "jettons"),
      requiring({ addresses: new Set([a!]), jettons: new Set([b!]) }, "accounts", "jettons"),
      requiring({ traces: new Set(["t"]), opcodes: new Set([5]) }, "traces", "opcodes"),
      requiring({ opcodes: new Set([5]), jettons: new Set([b!]) }, "opcodes", "jettons"),
      requiring({ addresses: new Set([a!]), traces: new Set(["t"]) }, "accounts", "traces"),
      to({ types: types("transaction") }),
    ];
    const matching = (about: object) => found(about, ...subscriptions).toSorted();
    expect(matching({})).toEqual([8]);
    expect(matching({ accounts: [c, a] })).toEqual([0, 8]);
    expect(matching({ traces: ["s", "t"] })).toEqual([1, 8]);
    expect(matching({ opcode: 5 })).toEqual([2, 8]);
    expect(matching({ jettons: [c, b] })).toEqual([3, 8]);
    expect(matching({ accounts: [a], jettons: [b] })).toEqual([0, 3, 4, 8]);
    expect(matching({ traces: ["t"], opcode: 5 })).toEqual([1, 2, 5, 8]);
    expect(matching({ opcode: 5, jettons: [b] })).toEqual([2, 3, 6, 8]);
    expect(matching({ accounts: [a], traces: ["t"] })).toEqual([0, 1, 7, 8]);
    expect(matching({ accounts: [c], traces: ["s"], opcode: 6, jettons: [c] })).toEqual([8]);
    expect(matching({ accounts: [], traces: [], jettons: [] })).toEqual([8]);
  });

  it("match nothing by an absent list that they require, nor by records of another type", () => {
    const subscriptions = [requiring({}, "opcodes"), requiring({}, "jettons"), requiring({}, "accounts")];
    expect(found({ accounts: [a], opcode: 5, jettons: [b] }, ...subscriptions)).toEqual([]);
    const interests = new Interests([requiring({ addresses: new Set([a!]) }, "accounts")]);
    expect(interests.ofRecord("action", { accounts: [a!] })).toEqual([]);
    const events = to({ types: types("transactions"), addresses: new Set([a!]) });
    expect(found({ accounts: [a] }, events, to({ types: types("transaction") }))).toEqual([1]);
  });
});

describe("subscriptions by key", () => {
  it("are none, one or several, each once", () => {
    const index = new SubscriptionIndex<string>();
    const [one, two, three] = [to({}), to({}), to({})];
    expect([[...index.of("x")], index.size]).toEqual([[], 0]);
    index.add("x", one);
    index.add("x", one);
    expect([[...index.of("x")], index.size]).toEqual([[one], 1]);
    for (const each of [two, three, two]) index.add("x", each);
    index.add("y", two);
    expect([[...index.of("x")], [...index.of("y")], index.size]).toEqual([[one, two, three], [two], 2]);
  });

  it("are gone once they are deleted, and their key with the last one", () => {
    const index = new SubscriptionIndex<string>();
    const [one, two] = [to({}), to({})];
    index.add("x", one);
    index.delete("x", two);
    index.delete("z", one);
    expect([...index.of("x")]).toEqual([one]);
    index.delete("x", one);
    expect([[...index.of("x")], index.size]).toEqual([[], 0]);
    index.add("x", one);
    index.add("x", two);
    index.delete("x", one);
    index.delete("x", one);
    expect([[...index.of("x")], index.size]).toEqual([[two], 1]);
    index.delete("x", two);
    expect([[...index.of("x")], index.size]).toEqual([[], 0]);
  });
});

describe("the interests of subscriptions", () => {
  it("know the types that are wanted, and for all accounts", () => {
    const interests = new Interests();
    expect([interests.wants("transaction"), interests.wantsAll("transaction")]).toEqual([false, false]);
    const narrow = to({ types: types("transaction", "action"), requires: new Set(["accounts"]) });
    const ofTrace = to({ types: types("trace_record"), requires: new Set(["traces"]) });
    const broad = to({ types: types("transaction"), requires: new Set(["opcodes"]) });
    interests.add(narrow);
    interests.add(ofTrace);
    expect([interests.wants("transaction"), interests.wants("action"), interests.wants("block")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([interests.wantsAll("transaction"), interests.wantsAll("trace_record")]).toEqual([false, false]);
    interests.add(broad);
    expect([interests.wantsAll("transaction"), interests.wantsAll("action")]).toEqual([true, false]);
    interests.remove(broad);
    interests.remove(broad);
    interests.remove(narrow);
    expect([interests.wants("transaction"), interests.wantsAll("transaction")]).toEqual([false, false]);
    expect([...interests.all]).toEqual([ofTrace]);
  });

  it("know whether anybody wants pending events", () => {
    const [early, sure, late] = [
      to({ minFinality: "pending" }),
      to({ minFinality: "confirmed" }),
      to({ minFinality: "finalized" }),
    ];
    const interests = new Interests([late]);
    expect(interests.wantsPending).toBe(false);
    for (const each of [early, sure]) interests.add(each);
    interests.remove(early);
    expect(interests.wantsPending).toBe(true);
    interests.remove(sure);
    expect(interests.wantsPending).toBe(false);
  });

  it("have each action type once", () => {
    const wanted = (...names: string[]) => to({ actions: actionChoice(["v1"], names) });
    const interests = new Interests([
      wanted("ton_transfer", "jetton_transfer"),
      wanted("jetton_transfer", "nft_transfer"),
    ]);
    expect(interests.actionTypes().sort()).toEqual(["jetton_transfer", "nft_transfer", "ton_transfer"]);
  });

  it("find events by account and by trace, of the types that were chosen", () => {
    const one = to({ types: types("transactions"), addresses: new Set([a, b]) });
    const other = to({
      types: types("transactions", "trace"),
      addresses: new Set([b]),
      traces: new Set(["t"]),
    });
    const interests = new Interests([one, other]);
    expect(interests.accounts).toBe(2);
    expect([...interests.ofAccount("transactions", a)]).toEqual([one]);
    expect([...interests.ofAccount("transactions", b)]).toEqual([one, other]);
    expect([...interests.ofAccount("actions", b)]).toEqual([]);
    expect([interests.hasAccount("transactions", a), interests.hasAccount("transactions", c)]).toEqual([
      true,
      false,
    ]);
    expect(interests.hasAccount("actions", a)).toBe(false);
    expect([...interests.ofTrace("t")]).toEqual([other]);
    expect([interests.hasTrace("t"), interests.hasTrace("u"), interests.hasTrace("t", "actions")]).toEqual([
      true,
      false,
      false,
    ]);
    interests.remove(one);
    expect([interests.accounts, [...interests.ofAccount("transactions", b)]]).toEqual([1, [other]]);
  });

  it("find records that match every list that is required", () => {
    const type = types("transaction");
    const all = to({ types: type });
    const ofAccount = to({ types: type, requires: new Set(["accounts"]), addresses: new Set([a]) });
    const ofOpcode = to({ types: type, requires: new Set(["opcodes"]), opcodes: new Set([1, 2]) });
    const ofBoth = to({
      types: type,
      requires: new Set(["accounts", "opcodes"]),
      addresses: new Set([a]),
      opcodes: new Set([2]),
    });
    const ofTrace = to({ types: type, requires: new Set(["traces"]), traces: new Set(["t"]) });
    const ofJetton = to({ types: type, requires: new Set(["jettons"]), jettons: new Set([c]) });
    const ofNothing = to({ types: type, requires: new Set(["accounts"]) });
    const basechain = to({ types: type, workchain: 0 });
    const ofBlocks = to({ types: types("block") });
    const interests = new Interests([
      ...[all, ofAccount, ofOpcode, ofBoth, ofTrace, ofJetton, ofNothing, basechain, ofBlocks],
    ]);
    const found = (about: object) => new Set(interests.ofRecord("transaction", about));
    expect(found({})).toEqual(new Set([all, basechain]));
    expect(found({ accounts: [b, a], opcode: 1 })).toEqual(new Set([all, basechain, ofAccount, ofOpcode]));
    expect(found({ accounts: [a], opcode: 2 })).toEqual(
      new Set([all, basechain, ofAccount, ofOpcode, ofBoth]),
    );
    expect(found({ accounts: [b], opcode: 2, workchain: -1 })).toEqual(new Set([all, ofOpcode]));
    expect(found({ traces: ["s", "t"], jettons: [c], workchain: 0 })).toEqual(
      new Set([all, basechain, ofTrace, ofJetton]),
    );
    expect(found({ accounts: [c], jettons: [a] })).toEqual(new Set([all, basechain]));
    expect(interests.ofRecord("block", {})).toEqual([ofBlocks]);
    expect(interests.ofRecord("jetton", { jettons: [c] })).toEqual([]);
    for (const each of [all, ofOpcode, ofTrace]) interests.remove(each);
    expect(found({ accounts: [a], opcode: 2, traces: ["t"], jettons: [c] })).toEqual(
      new Set([basechain, ofAccount, ofBoth, ofJetton]),
    );
  });

  it("follow a list that gains and loses entries", () => {
    const requires = new Set(["accounts"] as const);
    const subscription = to({ types: types("transaction"), requires, addresses: new Set([a, b]) });
    const interests = new Interests([subscription]);
    const filter = { ...subscription.filter, addresses: new Set([b, c]) };
    interests.edit(subscription, filter, { addresses: [c], traces: [] }, { addresses: [a], traces: [] });
    const found = (account: string) => interests.ofRecord("transaction", { accounts: [account] });
    expect([a, b, c].map((each) => found(each!).length)).toEqual([0, 1, 1]);
    expect(subscription.filter).toBe(filter);
  });
});

describe("an audience", () => {
  const unit = { seqno: 7, rootHash: new Uint8Array(32), genUtime: 1n, endLt: 1n };
  const setUp = (filter: Partial<Filter>) => {
    const notices: Notice[] = [];
    const dropped: Subscription[] = [];
    const audience = new Audience({ drop: (each: Subscription) => void dropped.push(each) });
    const teller: Sink = { isFull: false, send() {}, tell: (notice) => void notices.push(notice) };
    const subscription = new Subscription(teller, { ...nothing, ...filter });
    audience.add(subscription);
    return { audience, subscription, notices, dropped };
  };

  it("holds nothing of a subscription that was removed", () => {
    const { audience, subscription, dropped } = setUp({ types: types("block") });
    expect([audience.all.has(subscription), audience.interests.wants("block")]).toEqual([true, true]);
    subscription.rest = { events: [] } as never;
    audience.remove(subscription);
    audience.remove(subscription);
    expect([audience.all.size, audience.interests.wants("block"), subscription.isOpen]).toEqual([
      0,
      false,
      false,
    ]);
    expect([subscription.filter, subscription.rest, dropped]).toEqual([nothing, undefined, [subscription]]);
  });

  it("changes what a subscription receives", () => {
    const { audience, subscription } = setUp({ types: types("block") });
    audience.change(subscription, { ...nothing, types: types("action") });
    expect([audience.interests.wants("block"), audience.interests.wants("action")]).toEqual([false, true]);
    expect(audience.all.size).toBe(1);
  });

  it("edits a subscription's lists", () => {
    const { audience, subscription } = setUp({ types: types("transactions"), addresses: new Set([a!]) });
    const filter = { ...subscription.filter, addresses: new Set([b!]) };
    audience.edit(subscription, {
      filter,
      added: { addresses: [b!], traces: [] },
      removed: { addresses: [a!], traces: [] },
    });
    expect([a, b].map((each) => audience.interests.hasAccount("transactions", each!))).toEqual([false, true]);
  });

  it("tells a finished subscription its end, once", () => {
    const { audience, subscription, notices } = setUp({ types: types("block") });
    audience.finish(subscription);
    audience.finish(subscription);
    expect([notices, subscription.isOpen]).toEqual([[{ type: "end" }], false]);
  });

  it("finishes a subscription to one trace with its block, and no other one", () => {
    const other = setUp({ types: types("trace_record"), requires: new Set(["accounts"]) });
    other.audience.finishTrace(other.subscription, unit);
    expect([other.subscription.isOpen, other.subscription.after]).toEqual([true, undefined]);
    const unnarrowed = setUp({ types: types("trace_record") });
    unnarrowed.audience.finishTrace(unnarrowed.subscription, unit);
    expect(unnarrowed.subscription.isOpen).toBe(true);
    const trace = setUp({ types: types("trace_record"), requires: new Set(["traces"]) });
    trace.audience.finishTrace(trace.subscription, unit);
    expect([trace.subscription.isOpen, trace.subscription.after]).toEqual([false, endOf(unit)]);
    expect(trace.notices).toEqual([{ type: "end" }]);
  });
});
