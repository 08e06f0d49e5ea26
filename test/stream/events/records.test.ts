import { describe, expect, it } from "vitest";
import type { EditedAccount } from "../../../server/stream/events/account-edits.js";
import type {
  Delivery,
  ShownAction,
  ShownTransaction,
  StreamEvent,
} from "../../../server/stream/events/events.js";
import {
  accountStateEvent,
  actionsEvent,
  invalidation,
  jettonEvent,
  traceEvent,
  transactionsEvent,
} from "../../../server/stream/events/events.js";
import {
  accountRecordEvent,
  actionRecordEvents,
  blockRecordEvent,
  jettonRecordEvent,
  traceRecordEvent,
  transactionRecordEvent,
} from "../../../server/stream/events/records.js";
import { actionChoice } from "../../../server/stream/subscriptions/action-choice.js";
import { type Filter, nothing, type RecordList } from "../../../server/stream/subscriptions/filter.js";
import { Interests } from "../../../server/stream/subscriptions/interests.js";
import { Subscription } from "../../../server/stream/subscriptions/subscription.js";
import { asSent, nobody } from "../memory-client.js";

const raw = (byte: number, workchain = 0) => `${workchain}:${`0${byte}`.repeat(32).toUpperCase()}`;
const [one, two, three] = [raw(1), raw(2), raw(3)];

const subscribed = (filter: Partial<Filter>) =>
  new Subscription(nobody, { ...nothing, minFinality: "pending", actions: actionChoice([], []), ...filter });
/** A subscription to records that match these lists. */
const toRecords = (type: string, lists: Partial<Filter> = {}, requires: RecordList[] = []) =>
  subscribed({ types: new Set([type]) as never, requires: new Set(requires), ...lists });

/** Members of the deliveries as they are sent, each with the numbers of its receivers. */
function deliveries(event: StreamEvent, subscriptions: readonly Subscription[]) {
  return event
    .deliveries(new Interests(subscriptions))
    .map(({ members, addresses, receivers }: Delivery) => ({
      members: asSent(members),
      addresses,
      to: receivers.map((receiver) => subscriptions.indexOf(receiver)),
    }));
}
const receivers = (event: StreamEvent, subscriptions: readonly Subscription[]) =>
  deliveries(event, subscriptions).flatMap(({ to }) => to);

const key = { seqno: 5, rank: 1, lt: 7n, id: "" };
const place = { finality: "confirmed", key } as const;

const transaction = (account: string, more: object = {}): ShownTransaction => ({
  record: { account, lt: "7", hash: "h", out_msgs: [], in_msg: null, fee: "1", ...more } as never,
  addresses: `${account} ${three}`,
});

const action = (type: string, more: object = {}, ancestor_type: string[] = []): ShownAction => ({
  row: { type, ancestor_type } as never,
  action: {
    action_id: "a",
    type,
    accounts: [one],
    details: { source: one, destination: two },
    start_lt: "1",
    end_lt: "2",
    ...more,
  } as never,
});
const transfers = actionChoice([], ["ton_transfer"], { namedCount: true });
const swaps = actionChoice([], ["jetton_swap"], { namedCount: true });

describe("the record of a block", () => {
  const blocks = [
    { workchain: -1, shard: "8", seqno: 5 },
    { workchain: 0, shard: "8", seqno: 9 },
    { workchain: 1, shard: "4", seqno: 3 },
  ] as never[];
  const event = blockRecordEvent(place, blocks[0]!, blocks);

  it("has the blocks that it registers, for subscriptions to a workchain only its own", () => {
    const subscriptions = [
      toRecords("block"),
      toRecords("block", { workchain: 0 }),
      toRecords("block"),
      toRecords("transaction"),
    ];
    expect(event).toMatchObject({ type: "block", id: "5", trace: undefined, finality: "confirmed", key });
    expect(deliveries(event, subscriptions)).toEqual([
      {
        members: { type: "block", block: blocks[0], shards: blocks.slice(1) },
        addresses: undefined,
        to: [0, 2],
      },
      { members: { type: "block", block: blocks[0], shards: [blocks[1]] }, addresses: undefined, to: [1] },
    ]);
  });

  it("is not for subscriptions to later finality", () => {
    const waiting = toRecords("block", { minFinality: "finalized" });
    const early = toRecords("block", { minFinality: "pending" });
    expect(receivers(event, [waiting, early])).toEqual([1]);
  });
});

describe("the record of a transaction", () => {
  const message = { hash: "in", opcode: "0x00000005" };
  const shown = transaction(one, { in_msg: message, out_msgs: [{ hash: "out" }] });
  const event = transactionRecordEvent(place, shown, "trace");

  it("has its messages if they are wanted", () => {
    expect(event).toMatchObject({
      type: "transaction",
      id: "7.h",
      trace: "trace",
      message: { hash: "in", sent: ["out"] },
    });
    const [short, whole] = deliveries(event, [
      toRecords("transaction"),
      toRecords("transaction", { withMessages: true }),
    ]);
    expect(short).toEqual({
      members: { type: "transaction", transaction: { account: one, lt: "7", hash: "h", fee: "1" } },
      addresses: [one, three],
      to: [0],
    });
    expect(whole!.members.transaction).toEqual(shown.record);
  });

  it("is for subscriptions whose lists all have it", () => {
    const opcodes = (...all: number[]) => ({ opcodes: new Set(all) });
    const subscriptions = [
      toRecords("transaction", { addresses: new Set([one]) }, ["accounts"]),
      toRecords("transaction", { addresses: new Set([two]) }, ["accounts"]),
      toRecords("transaction", opcodes(5), ["opcodes"]),
      toRecords("transaction", opcodes(6), ["opcodes"]),
      toRecords("transaction", { addresses: new Set([one]), ...opcodes(5) }, ["accounts", "opcodes"]),
      toRecords("transaction", { addresses: new Set([one]), ...opcodes(6) }, ["accounts", "opcodes"]),
      toRecords("transaction", { workchain: 0 }),
      toRecords("transaction", { workchain: -1 }),
      toRecords("transaction", {}, ["accounts"]),
    ];
    expect(receivers(event, subscriptions).toSorted()).toEqual([0, 2, 4, 6]);
    const plain = transactionRecordEvent(place, transaction(raw(1, -1)), undefined);
    expect(plain.message).toBeUndefined();
    expect(receivers(plain, subscriptions)).toEqual([7]);
    const noOpcode = transactionRecordEvent(
      place,
      transaction(one, { in_msg: { hash: "in", opcode: null } }),
      "t",
    );
    expect(receivers(noOpcode, subscriptions).toSorted()).toEqual([0, 6]);
  });
});

describe("the records of actions", () => {
  it("are for subscriptions to their types, each with its place among those of its type", () => {
    const events = actionRecordEvents(
      [action("ton_transfer"), action("jetton_swap", { accounts: undefined }), action("ton_transfer")],
      ({ type }) => ({ ...place, key: { ...key, id: type } }),
      "trace",
    );
    expect(events.map((event) => [event.place, event.id, event.trace, event.key?.id])).toEqual([
      ["ton_transfer 1", "a", "trace", "ton_transfer"],
      ["jetton_swap 1", "a", "trace", "jetton_swap"],
      ["ton_transfer 2", "a", "trace", "ton_transfer"],
    ]);
    const subscriptions = [
      toRecords("action", { actions: transfers }),
      toRecords("action", { actions: swaps }),
      toRecords("action", { actions: transfers, addresses: new Set([two]) }, ["accounts"]),
      toRecords("action", { actions: transfers, jettons: new Set([two]) }, ["jettons"]),
      toRecords("action", { actions: transfers, jettons: new Set([three]) }, ["jettons"]),
    ];
    expect(receivers(events[0]!, subscriptions).toSorted()).toEqual([0, 3]);
    expect(receivers(events[1]!, subscriptions)).toEqual([1]);
    const [delivery] = deliveries(events[0]!, subscriptions);
    expect(delivery!.members).toMatchObject({
      type: "action",
      action: { action_id: "a", type: "ton_transfer" },
    });
    expect(delivery!.addresses).toEqual(expect.arrayContaining([one, two]));
  });
});

describe("the record of a trace", () => {
  const actions = [action("ton_transfer"), action("jetton_swap")];
  const event = traceRecordEvent(
    { ...place, isLast: true },
    {
      names: ["id", "other"],
      accounts: [one],
      addresses: [three],
      actions,
      present: (shown) => ({ shown }) as never,
    },
    "name",
  );

  it("has the actions of the types that are wanted, without their accounts", () => {
    expect(event).toMatchObject({
      type: "trace_record",
      id: "id",
      trace: "name",
      place: "trace",
      isLast: true,
    });
    const [first, second] = deliveries(event, [
      toRecords("trace_record", { actions: transfers }),
      toRecords("trace_record", { actions: swaps, traces: new Set(["other"]) }, ["traces"]),
      toRecords("trace_record", { actions: swaps, traces: new Set(["another"]) }, ["traces"]),
    ]);
    expect([first!.to, second!.to]).toEqual([[0], [1]]);
    const { accounts: _, ...swap } = actions[1]!.action as { accounts?: unknown };
    expect(second!.members).toEqual({ type: "trace", trace: { shown: [swap] } });
    expect(first!.members.trace.shown).toHaveLength(1);
    expect(first!.addresses).toEqual(expect.arrayContaining([one, two, three]));
  });
});

const after = {
  hash: "h",
  balance: "5",
  extra_currencies: {},
  account_status: "active",
  frozen_hash: null,
  data_hash: "d",
  code_hash: null,
};
const edited = { account: one, lt: "7", account_state_after: after } as unknown as EditedAccount;

describe("the record of an account", () => {
  it("has its state, with the hashes that it has", () => {
    const event = accountRecordEvent(place, edited);
    expect(event.id).toBe(`7.${one}`);
    expect(accountRecordEvent(place, edited, "mark").id).toBe("7.mark");
    const [delivery] = deliveries(event, [
      toRecords("account", { addresses: new Set([one]) }, ["accounts"]),
      toRecords("account", { addresses: new Set([two]) }, ["accounts"]),
    ]);
    expect(delivery).toEqual({
      members: {
        type: "account",
        account: one,
        state: { hash: "h", balance: "5", account_status: "active", data_hash: "d" },
        lt: "7",
      },
      addresses: undefined,
      to: [0],
    });
    const whole = { ...after, frozen_hash: "f", data_hash: null, code_hash: "c" };
    const other = accountRecordEvent(place, { ...edited, account_state_after: whole } as never);
    expect(deliveries(other, [toRecords("account")])[0]!.members.state).toEqual({
      hash: "h",
      balance: "5",
      account_status: "active",
      frozen_hash: "f",
      code_hash: "c",
    });
  });
});

const wallet = { address: one, owner: two, jetton: three, balance: "9" } as never;

describe("the record of a jetton wallet", () => {
  it("is for subscriptions to it, its owner or its jetton", () => {
    const event = jettonRecordEvent(place, wallet, "7");
    expect(event.id).toBe(`7.${one}`);
    const [delivery] = deliveries(event, [
      toRecords("jetton", { addresses: new Set([one]) }, ["accounts"]),
      toRecords("jetton", { addresses: new Set([two]) }, ["accounts"]),
      toRecords("jetton", { addresses: new Set([three]) }, ["accounts"]),
      toRecords("jetton", { jettons: new Set([three]) }, ["jettons"]),
      toRecords("jetton", { jettons: new Set([one]) }, ["jettons"]),
    ]);
    expect(delivery).toEqual({
      members: { type: "jetton", jetton: wallet, lt: "7" },
      addresses: [one, two, three],
      to: expect.arrayContaining([0, 1, 3]),
    });
    expect(delivery!.to).toHaveLength(3);
  });
});

/** Subscriptions to events of TON Center's protocol. */
const toEvents = (type: string, lists: Partial<Filter>) =>
  subscribed({ types: new Set([type]) as never, ...lists });
const base = { ...place, trace: "norm" };

describe("the transactions of a trace", () => {
  const event = transactionsEvent(base, [transaction(one), transaction(two), transaction(one, { lt: "9" })]);

  it("are sent to each subscription with those of its accounts, and to equal ones together", () => {
    const subscriptions = [
      toEvents("transactions", { addresses: new Set([one]) }),
      toEvents("transactions", { addresses: new Set([one, two]) }),
      toEvents("transactions", { addresses: new Set([one, three]) }),
      toEvents("transactions", { addresses: new Set([one]), minFinality: "finalized" }),
      toEvents("actions", { addresses: new Set([one]) }),
    ];
    expect(event).toMatchObject({ type: "transactions", trace: "norm", finality: "confirmed", key });
    const found = deliveries(event, subscriptions);
    expect(
      found.map(({ to, members }) => [to, members.transactions.map(({ lt }: { lt: string }) => lt)]),
    ).toEqual([
      [
        [0, 2],
        ["7", "9"],
      ],
      [[1], ["7", "7", "9"]],
    ]);
    expect(found[0]).toMatchObject({
      members: { type: "transactions", finality: "confirmed", trace_external_hash_norm: "norm" },
      addresses: [one, three, one, three],
    });
    expect(deliveries(event, [])).toEqual([]);
  });
});

describe("the actions of a trace", () => {
  it("are sent latest first, of the types that are wanted", () => {
    const event = actionsEvent(base, [
      action("ton_transfer", { action_id: "a", end_lt: "2" }),
      action("ton_transfer", { action_id: "b", end_lt: "10" }),
      action("ton_transfer", { action_id: "c", end_lt: "2", start_lt: "2" }),
      action("ton_transfer", { action_id: "d", end_lt: "2", accounts: [one, two] }),
      action("ton_transfer", { action_id: "e", accounts: undefined }),
      action("jetton_swap", { action_id: "f" }),
    ]);
    const subscriptions = [
      toEvents("actions", { addresses: new Set([one]), actions: transfers }),
      toEvents("actions", { addresses: new Set([one, two]), actions: transfers }),
      toEvents("actions", { addresses: new Set([two]), actions: transfers }),
    ];
    const found = deliveries(event, subscriptions).map(({ to, members }) => [
      to,
      members.actions.map((each: { action_id: string }) => each.action_id),
    ]);
    expect(found).toEqual([
      [
        [0, 1],
        ["b", "c", "d", "a"],
      ],
      [[2], ["d"]],
    ]);
  });
});

describe("a whole trace", () => {
  const transactions = [transaction(one), transaction(two, { lt: "8" })];
  const event = traceEvent(base, {
    root: { tx_hash: "h" } as never,
    transactions,
    actions: [action("ton_transfer"), action("jetton_swap", { details: { source: three } })],
  });

  it("is for its subscriptions, with the actions that each wants", () => {
    const traces = new Set(["norm"]);
    const subscriptions = [
      toEvents("trace", { traces, actions: transfers }),
      toEvents("trace", { traces, actions: swaps }),
      toEvents("trace", { traces, actions: actionChoice([], ["nft_mint"], { namedCount: true }) }),
      toEvents("trace", { traces: new Set(["other"]), actions: transfers }),
      toEvents("trace", { traces, actions: transfers, minFinality: "finalized" }),
    ];
    expect(event).toMatchObject({ type: "trace", trace: "norm", finality: "confirmed", key });
    const found = deliveries(event, subscriptions);
    expect(found.map(({ to, members }) => [to, members.actions?.length])).toEqual([
      [[0], 1],
      [[1], 1],
      [[2], undefined],
    ]);
    expect(found[0]!.members).toMatchObject({
      type: "trace",
      finality: "confirmed",
      trace_external_hash_norm: "norm",
    });
    expect(found[1]!.addresses).toEqual(expect.arrayContaining([one, two, three]));
  });
});

describe("the state of an account", () => {
  const event = accountStateEvent(place, one, after as never);

  it("is for subscriptions to the account", () => {
    const type = "account_state_change";
    const [delivery, ...rest] = deliveries(event, [
      toEvents(type, { addresses: new Set([one]) }),
      toEvents(type, { addresses: new Set([two]) }),
      toEvents(type, { addresses: new Set([one]), minFinality: "finalized" }),
    ]);
    expect(rest).toEqual([]);
    expect(delivery).toEqual({
      members: {
        type,
        finality: "confirmed",
        account: one,
        state: { hash: "h", balance: "5", account_status: "active", data_hash: "d" },
      },
      addresses: undefined,
      to: [0],
    });
    expect(deliveries(event, [])).toEqual([]);
    const other = { ...after, frozen_hash: "f", data_hash: null, code_hash: "c" };
    const [whole] = deliveries(accountStateEvent(place, one, other as never), [
      toEvents(type, { addresses: new Set([one]) }),
    ]);
    expect(whole!.members.state).toEqual({
      hash: "h",
      balance: "5",
      account_status: "active",
      frozen_hash: "f",
      code_hash: "c",
    });
  });
});

describe("a changed jetton wallet", () => {
  it("is for subscriptions to it or its owner, once", () => {
    const type = "jettons_change";
    const event = jettonEvent(place, wallet);
    const [delivery, ...rest] = deliveries(event, [
      toEvents(type, { addresses: new Set([one, two]) }),
      toEvents(type, { addresses: new Set([two]) }),
      toEvents(type, { addresses: new Set([three]) }),
      toEvents(type, { addresses: new Set([one]), minFinality: "finalized" }),
    ]);
    expect(rest).toEqual([]);
    expect(delivery).toEqual({
      members: { type, finality: "confirmed", jetton: wallet },
      addresses: [one, two, three],
      to: [0, 1],
    });
    expect([event.trace, deliveries(event, [])]).toEqual([undefined, []]);
  });
});

it("an invalidation names the trace", () => {
  expect(JSON.parse(invalidation("norm"))).toEqual({
    type: "trace_invalidated",
    trace_external_hash_norm: "norm",
  });
});
