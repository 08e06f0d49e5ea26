import type { z } from "zod";
import { JsonText } from "../../../shared/methods/json-text.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { trace } from "../../../shared/schema/v3/traces.js";
import { addToGroup } from "../../../shared/values/groups.js";
import { lazy } from "../../../shared/values/lazy.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { addressesOfAction, addressesWithin } from "../../present/v3/action.js";
import { isShown } from "../../present/v3/shown-actions.js";
import type { TransactionRecord } from "../../present/v3/transaction.js";
import type { JettonWalletRecord } from "../../store/queries/tokens/jettons.js";
import type { BlockRecord } from "../../store/tables/blocks.js";
import type { EventKey } from "../subscriptions/event-key.js";
import { type Filter, type Finality, isAtLeast, type RecordType } from "../subscriptions/filter.js";
import type { About, Interests } from "../subscriptions/interests.js";
import type { Subscription } from "../subscriptions/subscription.js";
import type { EditedAccount } from "./account-edits.js";
import {
  type ActionForm,
  actionForms,
  type Delivery,
  type ReadViews,
  type RecordForm,
  RecordForms,
  type ShownAction,
  type ShownTransaction,
  type StreamEvent,
  shownTo,
  transactionTo,
} from "./events.js";

// Events of our own protocol: each is one record.

type Place = { readonly finality: Finality; readonly key: EventKey | undefined };

type Parts<Form> = Place & {
  readonly type: RecordType;
  readonly id: string;
  readonly trace: string | undefined;
  readonly isLast?: true;
  readonly message?: StreamEvent["message"];
  readonly place?: string;
  readonly about: About;
  /** Raw addresses to include in the extras; `undefined` for records without extras. */
  readonly addresses: ((form: Form) => readonly string[]) | undefined;
};

/** `formOf` picks the form of the event for a filter; filters without one do not receive the event. */
function recordEvent<Form>(
  { about, addresses, ...event }: Parts<Form>,
  formOf: (filter: Filter) => Form | undefined,
  membersOf: (form: Form) => object,
): StreamEvent {
  const { type, finality } = event;
  return {
    ...event,
    deliveries: (interests: Interests): Delivery[] => {
      const groups = new Map<Form, Subscription[]>();
      for (const subscription of interests.ofRecord(type, about)) {
        if (!isAtLeast(finality, subscription.filter.minFinality)) continue;
        const form = formOf(subscription.filter);
        if (form !== undefined) addToGroup(groups, form, subscription);
      }
      return Array.from(groups, ([form, receivers]) => ({
        members: membersOf(form),
        addresses: addresses?.(form),
        receivers,
      }));
    },
  };
}

/** A masterchain block with the blocks of shards that it registers. */
export function blockRecordEvent(place: Place, block: BlockRecord, all: readonly BlockRecord[]): StreamEvent {
  const shards = all
    .filter((each) => each !== block)
    .map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno }));
  // Filters on another workchain than the masterchain receive only that workchain's blocks.
  const formOf = ({ workchain }: Filter) => workchain ?? "all";
  return recordEvent(
    { ...place, type: "block", id: String(block.seqno), trace: undefined, about: {}, addresses: undefined },
    formOf,
    (form) => ({
      type: "block",
      block,
      shards: form === "all" ? shards : shards.filter(({ workchain }) => workchain === form),
    }),
  );
}

/** A transaction. `trace` is its trace's name, if known. */
export function transactionRecordEvent(
  place: Place,
  shown: ShownTransaction,
  trace: string | undefined,
): StreamEvent {
  const { record, addresses, byAbi } = shown;
  const { account, in_msg, out_msgs } = record;
  const forms = new RecordForms(byAbi);
  const texts = new Map<string, () => string>();
  const textFor = ({ withMessages = false, withAbi = false, owner }: Filter) => {
    const form = forms.of({ withAbi, owner });
    const name = `${form.name} ${withMessages}`;
    const text = texts.get(name) ?? lazy(() => transactionText(transactionTo(shown, form), withMessages));
    texts.set(name, text);
    return text;
  };
  const opcode = in_msg?.opcode;
  return recordEvent(
    {
      ...place,
      type: "transaction",
      id: `${record.lt}.${record.hash}`,
      trace,
      ...(in_msg && { message: { hash: in_msg.hash, sent: out_msgs.map(({ hash }) => hash) } }),
      about: {
        accounts: [account],
        opcode: opcode === null || opcode === undefined ? undefined : Number(opcode),
        workchain: workchainOf(account),
      },
      addresses: () => addresses.split(" "),
    },
    textFor,
    (text) => ({ type: "transaction", transaction: new JsonText(text()) }),
  );
}

function transactionText(record: TransactionRecord, withMessages: boolean): string {
  if (withMessages) return JSON.stringify(record);
  const { account, in_msg: _, out_msgs: __, ...rest } = record;
  return JSON.stringify({ account, ...rest });
}

/** The actions of a trace, by start. */
export function actionRecordEvents(
  actions: readonly ShownAction[],
  placeOf: (action: ShownAction["action"]) => Place,
  trace: string | undefined,
): StreamEvent[] {
  const counts = new Map<string, number>();
  return actions.map((shown) => {
    const { type } = shown.action;
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return actionRecordEvent({ ...placeOf(shown.action), trace, place: `${type} ${count}` }, shown);
  });
}

function actionRecordEvent(
  place: Pick<Parts<unknown>, "finality" | "key" | "trace" | "place">,
  shown: ShownAction,
): StreamEvent {
  const { row, action, byAbi } = shown;
  const forms = new RecordForms(byAbi);
  const texts = new Map<RecordForm, string>();
  const textOf = (form: RecordForm) => {
    const text = texts.get(form) ?? JSON.stringify(shownTo(shown, form));
    texts.set(form, text);
    return text;
  };
  return recordEvent(
    {
      ...place,
      type: "action",
      id: action.action_id,
      about: { accounts: action.accounts ?? [], jettons: addressesWithin(action.details) },
      addresses: (form: RecordForm) => addressesOfAction(shownTo(shown, form)),
    },
    (filter) => (isShown(row, filter.actions) ? forms.of(filter) : undefined),
    (form) => ({ type: "action", action: new JsonText(textOf(form)) }),
  );
}

/** A trace, and its presentation for clients with certain action types. */
export type TraceParts = {
  /** All names that identify the trace, its own id first. */
  names: readonly string[];
  accounts: readonly string[];
  /** Raw addresses in its transactions. */
  addresses: readonly string[];
  actions: readonly ShownAction[];
  /** The views that its records were read for, if any. */
  views?: ReadViews | undefined;
  present: (actions: ShownAction["action"][], form: RecordForm) => z.output<typeof trace>;
};

/** A trace; each client gets those of its actions that it knows. `name`: as in `StreamEvent`. */
export function traceRecordEvent(
  place: Place & { isLast?: true },
  { names, accounts, addresses, actions, views, present }: TraceParts,
  name: string | undefined,
): StreamEvent {
  const formOf = actionForms(views);
  const shown = ({ types, record }: ActionForm) =>
    actions.filter(({ row }) => isShown(row, types)).map((each) => shownTo(each, record));
  return recordEvent(
    {
      ...place,
      type: "trace_record",
      id: itemAt(names, 0),
      trace: name,
      place: "trace",
      about: { accounts, traces: names },
      addresses: ({ record }: ActionForm) => [
        ...addresses,
        ...actions.flatMap((each) => addressesOfAction(shownTo(each, record))),
      ],
    },
    formOf,
    (form) => ({
      type: "trace",
      // The same form as in lists of traces.
      trace: present(
        shown(form).map(({ accounts: _, ...action }) => action as Action),
        form.record,
      ),
    }),
  );
}

/** `mark` distinguishes the record from others of the account at this lt. */
export function accountRecordEvent(
  place: Place,
  { account, lt, account_state_after }: EditedAccount,
  mark = account,
): StreamEvent {
  const { hash, balance, account_status, frozen_hash, data_hash, code_hash } = account_state_after;
  const state = {
    hash,
    balance,
    account_status,
    ...(frozen_hash && { frozen_hash }),
    ...(data_hash && { data_hash }),
    ...(code_hash && { code_hash }),
  };
  return recordEvent(
    {
      ...place,
      type: "account",
      id: `${lt}.${mark}`,
      trace: undefined,
      about: { accounts: [account] },
      addresses: undefined,
    },
    () => true,
    () => ({ type: "account", account, state, lt }),
  );
}

/** A jetton wallet after a change of its balance at `lt`. */
export function jettonRecordEvent(place: Place, jetton: JettonWalletRecord, lt: string): StreamEvent {
  const { address, owner, jetton: master } = jetton;
  return recordEvent(
    {
      ...place,
      type: "jetton",
      id: `${lt}.${address}`,
      trace: undefined,
      about: { accounts: [address, owner], jettons: [master] },
      addresses: () => [address, owner, master],
    },
    () => true,
    () => ({ type: "jetton", jetton, lt }),
  );
}

function workchainOf(account: string): number {
  return Number(account.slice(0, account.indexOf(":")));
}
