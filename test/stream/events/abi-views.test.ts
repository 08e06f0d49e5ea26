import { describe, expect, it } from "vitest";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { paidTurns } from "../../../server/chain/paid-turns.js";
import { abiViews, readByViews } from "../../../server/stream/events/abi-views.js";
import {
  type ShownAction,
  type ShownTransaction,
  type StreamEvent,
  traceEvent,
  transactionsEvent,
} from "../../../server/stream/events/events.js";
import {
  actionRecordEvents,
  traceRecordEvent,
  transactionRecordEvent,
} from "../../../server/stream/events/records.js";
import { actionChoice } from "../../../server/stream/subscriptions/action-choice.js";
import { type Filter, nothing, type SubscribedType } from "../../../server/stream/subscriptions/filter.js";
import { Interests } from "../../../server/stream/subscriptions/interests.js";
import { Subscription } from "../../../server/stream/subscriptions/subscription.js";
import { asSent, nobody } from "../memory-client.js";

const account = `0:${"AB".repeat(32)}`;
const place = { finality: "confirmed", key: undefined } as const;
const types = new Set<SubscribedType>(["transactions", "trace", "transaction", "action", "trace_record"]);
const toAll: Filter = {
  ...{ ...nothing, types, addresses: new Set([account]), traces: new Set(["norm"]) },
  ...{ minFinality: "pending", actions: actionChoice([], []) },
};

/** Ann and Mallory have files of their own, Carl has none; the last one wants no ABIs. */
const subscriptions = [
  ...["ann", "mallory", "carl", undefined].map((owner) => ({ ...toAll, withAbi: true, owner })),
  { ...toAll, owner: "ann" },
].map((filter) => new Subscription(nobody, filter));

/** Words of the views "ann" and "mallory", of the common one, and of records without ABIs. */
const wordsOf = (members: unknown) => [
  ...new Set(JSON.stringify(asSent(members as object)).match(/by \w+/g)),
];

/** What each subscription is sent; those that are sent the same are together. */
const sent = (event: StreamEvent) =>
  event
    .deliveries(new Interests(subscriptions))
    .map(({ members, receivers }) => [
      wordsOf(members),
      receivers.map((receiver) => subscriptions.indexOf(receiver)),
    ]);

const byView = <T>(make: (word: string) => T) =>
  new Map([
    ["ann", make("by ann")],
    ["mallory", make("by mallory")],
    ["", make("by all")],
  ]);
const record = (word: string) =>
  ({ account, lt: "7", hash: "h", out_msgs: [], in_msg: null, word, trace_id: "t" }) as never;
const action = (word: string) =>
  ({
    ...{ action_id: "a", type: "call_contract", accounts: [account], details: {}, word },
    ...{ start_lt: "1", end_lt: "2" },
  }) as never;
const transaction: ShownTransaction = {
  record: record("by none"),
  addresses: account,
  byAbi: byView(record),
};
const call: ShownAction = {
  row: { type: "call_contract", ancestor_type: [] } as never,
  action: action("by none"),
  byAbi: byView((word) => ({ action: action(word) })),
};

describe("an event", () => {
  const each = [
    [["by ann"], [0]],
    [["by mallory"], [1]],
    [["by all"], [2, 3]],
    [["by none"], [4]],
  ];

  it.each<[string, StreamEvent]>([
    ["of transactions", transactionsEvent({ ...place, trace: "norm" }, [transaction])],
    [
      "of a trace",
      traceEvent(
        { ...place, trace: "norm" },
        { root: undefined, transactions: [transaction], actions: [call] },
      ),
    ],
    ["of a transaction", transactionRecordEvent(place, transaction, "norm")],
    ["of an action", actionRecordEvents([call], () => place, "norm")[0]!],
    [
      "of a trace without actions",
      traceRecordEvent(
        place,
        {
          ...{ names: ["norm"], accounts: [account], addresses: [], actions: [] },
          views: transaction.byAbi,
          present: (_, { view }) =>
            record(view === undefined ? "by none" : `by ${view === "" ? "all" : view}`),
        },
        "norm",
      ),
    ],
  ])("%s has what ABIs say by the files of each subscriber", (_, event) => {
    expect(sent(event)).toEqual(each);
  });
});

it("events are read once for each owner of files, and once for all others", async () => {
  const artifacts = new ArtifactStore({ isShared: true });
  const file = { file: "a.tlb", content: "poke#00000001 = M;" };
  await artifacts.add("ann", [file], paidTurns());
  await artifacts.add("mallory", [file], paidTurns());
  const book = { artifacts, seenBy: (owner: string) => artifacts.seenBy(owner) };
  const interests = new Interests(subscriptions);
  const views = abiViews(interests, book);
  expect([...views.keys()]).toEqual(["ann", "mallory", ""]);
  const trusts = await readByViews(views, 1, async ({ artifacts: seen }) => [
    Array.from(seen!.guesses(1), ({ trust }) => trust),
  ]);
  expect(trusts).toEqual([
    new Map([
      ["ann", ["own", "claimed"]],
      ["mallory", ["own", "claimed"]],
      ["", ["claimed", "claimed"]],
    ]),
  ]);
  for (const subscription of subscriptions.slice(0, 4)) interests.remove(subscription);
  expect([...abiViews(interests, book).keys()]).toEqual([]);
});
