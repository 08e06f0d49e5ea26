import type { Action } from "../../../shared/schema/v3/actions.js";
import type { TraceNode } from "../../../shared/schema/v3/traces.js";
import { addToGroup } from "../../../shared/values/groups.js";
import { lazy } from "../../../shared/values/lazy.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { addressesOfAction } from "../../present/v3/action.js";
import { listText } from "../../present/v3/answer-text.js";
import { isShown } from "../../present/v3/shown-actions.js";
import type { ActionTexts } from "../../present/v3/texts.js";
import type { TransactionRecord } from "../../present/v3/transaction.js";
import type { JettonWalletRecord } from "../../store/queries/tokens/jettons.js";
import type { ActionTypes } from "../../store/queries/traces/actions.js";
import type { ActionRow } from "../../store/tables/actions.js";
import type { EventKey } from "../subscriptions/event-key.js";
import { type Filter, type Finality, isAtLeast, type SubscribedType } from "../subscriptions/filter.js";
import type { Interests } from "../subscriptions/interests.js";
import type { Subscription } from "../subscriptions/subscription.js";
import { commonView } from "./abi-views.js";

/** A part of an event, and the subscriptions that receive it. */
export type Delivery = {
  /** Members of the event except its extras, in the order of the text. */
  readonly members: object;
  /** Raw addresses to include in the extras; `undefined` for events without extras. */
  readonly addresses: readonly string[] | undefined;
  readonly receivers: readonly Subscription[];
};

/** An event. Each subscription receives the part that matches its filter. */
export interface StreamEvent {
  readonly type: SubscribedType;
  readonly finality: Finality;
  /** The record's id; absent in TON Center's protocol. */
  readonly id?: string;
  /** The received message of a transaction, and its sent messages. */
  readonly message?: { readonly hash: string; readonly sent: readonly string[] } | undefined;
  /** The record's position in its trace; absent for transactions. */
  readonly place?: string;
  /** Whether subscriptions to this trace alone end after it. */
  readonly isLast?: true;
  /** The normalised hash of the external message that started the trace, for events of a trace. */
  readonly trace: string | undefined;
  /** Sort key among finalized events. */
  readonly key: EventKey | undefined;
  /** One delivery per distinct part. */
  deliveries(interests: Interests): Delivery[];
}

type Base = Pick<StreamEvent, "finality" | "key">;
type OfTrace = Base & { trace: string };

/** A transaction with its raw addresses, separated by blanks. */
export type ShownTransaction = {
  readonly record: TransactionRecord;
  readonly addresses: string;
  /** With what ABIs say of it, by view; absent if no subscription wanted that when it was read. */
  readonly byAbi?: ReadonlyMap<string, TransactionRecord> | undefined;
};
type DescribedAction = {
  readonly action: Action;
  /** Absent if no subscription wanted texts when the action was read. */
  readonly texts?: ActionTexts | undefined;
};
/** An action with the row that decides which clients receive it. */
export type ShownAction = DescribedAction & {
  readonly row: Pick<ActionRow, "type" | "ancestor_type">;
  /** With what ABIs say of it, like that of a transaction. */
  readonly byAbi?: ReadonlyMap<string, DescribedAction> | undefined;
};

/** The members that subscriptions request of records: texts, and what ABIs say, by the view. */
export type RecordForm = {
  /** Equal forms have equal names. */
  readonly name: string;
  readonly withTexts: boolean;
  readonly view: string | undefined;
};

/** The views that records were read for. */
export type ReadViews = Pick<ReadonlyMap<string, unknown>, "has">;

/** The forms of records that were read for some views. Equal ones are one object. */
export class RecordForms {
  readonly #views: ReadViews;
  readonly #known = new Map<string, RecordForm>();

  constructor(views: ReadViews = new Set()) {
    this.#views = views;
  }

  of({ withTexts = false, withAbi, owner }: Pick<Filter, "withTexts" | "withAbi" | "owner">): RecordForm {
    const own = owner !== undefined && this.#views.has(owner) ? owner : commonView;
    const view = withAbi ? own : undefined;
    const name = JSON.stringify([withTexts, view]);
    const form = this.#known.get(name) ?? { name, withTexts, view };
    this.#known.set(name, form);
    return form;
  }
}

/** A transaction for subscriptions of a form. */
export function transactionTo({ record, byAbi }: ShownTransaction, { view }: RecordForm): TransactionRecord {
  return (view === undefined ? undefined : byAbi?.get(view)) ?? record;
}

/** An action for subscriptions of a form. */
export function shownTo(shown: ShownAction, { withTexts, view }: RecordForm): Action {
  const { action, texts } = (view === undefined ? undefined : shown.byAbi?.get(view)) ?? shown;
  return withTexts ? { ...action, ...texts } : action;
}

/** Transactions of a trace, newest first. */
export function transactionsEvent(base: OfTrace, transactions: readonly ShownTransaction[]): StreamEvent {
  return listEvent("transactions", base, transactions, {
    record: transactionTo,
    addresses: ({ addresses }) => addresses.split(" "),
    receivers: ({ record }, interests) =>
      [...interests.ofAccount("transactions", record.account)].filter(
        ({ filter: { bodyHash } }) =>
          bodyHash === undefined || bodyHash === record.in_msg?.message_content?.hash,
      ),
  });
}

/** Actions of a trace, latest first as in TON Center's events. */
export function actionsEvent(base: OfTrace, actions: readonly ShownAction[]): StreamEvent {
  return listEvent("actions", base, [...actions].sort(latestFirst), {
    record: shownTo,
    addresses: (shown, form) => addressesOfAction(shownTo(shown, form)),
    receivers: ({ row, action }, interests) =>
      (action.accounts ?? [])
        .flatMap((account) => [...interests.ofAccount("actions", account)])
        .filter((subscription) => isShown(row, subscription.filter.actions)),
  });
}

type EntryRules<Entry> = {
  /** The record sent for an entry. */
  readonly record: (entry: Entry, form: RecordForm) => object;
  readonly addresses: (entry: Entry, form: RecordForm) => readonly string[];
  /** The subscriptions interested in an entry; may repeat. */
  readonly receivers: (entry: Entry, interests: Interests) => Iterable<Subscription>;
};

/** A list of a trace's entries; each subscription receives the matching ones. */
function listEvent<Entry extends ShownTransaction | ShownAction>(
  type: "transactions" | "actions",
  { trace, finality, key }: OfTrace,
  entries: readonly Entry[],
  { record, addresses, receivers }: EntryRules<Entry>,
): StreamEvent {
  const forms = new RecordForms(entries[0]?.byAbi);
  const texts = new Map<RecordForm, readonly (() => string)[]>();
  const textsIn = (form: RecordForm) => {
    const all = texts.get(form) ?? entries.map((entry) => lazy(() => JSON.stringify(record(entry, form))));
    texts.set(form, all);
    return all;
  };
  return {
    type,
    finality,
    trace,
    key,
    deliveries: (interests) =>
      byEntries(
        receiving(finality, (add) => {
          for (const [at, entry] of entries.entries())
            for (const subscription of receivers(entry, interests)) add(subscription, at);
        }),
        forms,
        (chosen, form) => ({
          members: {
            type,
            finality,
            trace_external_hash_norm: trace,
            [type]: listText(chosen.map((at) => itemAt(textsIn(form), at)())),
          },
          addresses: chosen.flatMap((at) => addresses(itemAt(entries, at), form)),
        }),
      ),
  };
}

/** Contents of a trace: transactions by logical time, actions in any order. */
type WholeTrace = {
  root: TraceNode | undefined;
  transactions: readonly ShownTransaction[];
  actions: readonly ShownAction[];
};

/** A trace with all its transactions, and the actions shown to each client. */
export function traceEvent(
  { trace, finality, key }: OfTrace,
  { root, transactions, actions: given }: WholeTrace,
): StreamEvent {
  const actions = [...given].sort(latestFirst);
  const records = (form: RecordForm) => ({
    trace: root,
    transactions: Object.fromEntries(
      transactions.map((each) => [each.record.hash, transactionTo(each, form)]),
    ),
  });
  const ofTransactions = lazy(() => transactions.flatMap(({ addresses }) => addresses.split(" ")));
  const type = "trace";
  const chosenBy = (types: ActionTypes) =>
    actions.flatMap(({ row }, at) => (isShown(row, types) ? [at] : []));
  return {
    type,
    finality,
    trace,
    key,
    deliveries: (interests) => {
      const formOf = actionForms((transactions[0] ?? actions[0])?.byAbi);
      const groups = new Map<ActionForm, Subscription[]>();
      for (const subscription of interests.ofTrace(trace)) {
        if (!isAtLeast(finality, subscription.filter.minFinality)) continue;
        addToGroup(groups, formOf(subscription.filter), subscription);
      }
      return Array.from(groups, ([{ types, record }, receivers]) => {
        const shown = chosenBy(types).map((at) => shownTo(itemAt(actions, at), record));
        return {
          members: {
            type,
            finality,
            trace_external_hash_norm: trace,
            ...records(record),
            ...(shown.length > 0 && { actions: shown }),
          },
          addresses: [...ofTransactions(), ...shown.flatMap(addressesOfAction)],
          receivers,
        };
      });
    },
  };
}

/** Which actions of a trace a subscription receives, and the form of its records. */
export type ActionForm = { readonly types: ActionTypes; readonly record: RecordForm };

/** Makes the forms of filters for records that were read for some views: equal ones are one object. */
export function actionForms(
  views: ReadViews | undefined,
): (filter: Pick<Filter, "actions" | "withTexts" | "withAbi" | "owner">) => ActionForm {
  const records = new RecordForms(views);
  const known = new Map<ActionTypes, Map<RecordForm, ActionForm>>();
  return ({ actions: types, ...filter }) => {
    const record = records.of(filter);
    const forms = known.get(types) ?? new Map<RecordForm, ActionForm>();
    known.set(types, forms);
    const form = forms.get(record) ?? { types, record };
    forms.set(record, form);
    return form;
  };
}

type AccountState = TransactionRecord["account_state_after"];

/** Latest first, as `/actions` lists them. */
function latestFirst({ action: a }: ShownAction, { action: b }: ShownAction): number {
  const difference = BigInt(b.end_lt) - BigInt(a.end_lt) || BigInt(b.start_lt) - BigInt(a.start_lt);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return a.action_id < b.action_id ? 1 : -1;
}

/** The account's state after the transaction. */
export function accountStateEvent(
  { finality, key }: Base,
  account: string,
  state: AccountState,
): StreamEvent {
  const type = "account_state_change";
  const { hash, balance, account_status, frozen_hash, data_hash, code_hash } = state;
  const members = {
    type,
    finality,
    account,
    state: {
      hash,
      balance,
      account_status,
      ...(frozen_hash && { frozen_hash }),
      ...(data_hash && { data_hash }),
      ...(code_hash && { code_hash }),
    },
  };
  return {
    type,
    finality,
    trace: undefined,
    key,
    deliveries: (interests) => {
      const receivers = [...interests.ofAccount(type, account)].filter(({ filter }) =>
        isAtLeast(finality, filter.minFinality),
      );
      return receivers.length === 0 ? [] : [{ members, addresses: undefined, receivers }];
    },
  };
}

/** A changed jetton wallet, for subscriptions to it or its owner. */
export function jettonEvent({ finality, key }: Base, jetton: JettonWalletRecord): StreamEvent {
  const type = "jettons_change";
  return {
    type,
    finality,
    trace: undefined,
    key,
    deliveries: (interests) => {
      const found = new Set([
        ...interests.ofAccount(type, jetton.address),
        ...interests.ofAccount(type, jetton.owner),
      ]);
      const receivers = [...found].filter(({ filter }) => isAtLeast(finality, filter.minFinality));
      const addresses = [jetton.address, jetton.owner, jetton.jetton];
      return receivers.length === 0 ? [] : [{ members: { type, finality, jetton }, addresses, receivers }];
    },
  };
}

/** Makes clients of TON Center's protocol discard the events of a trace. */
export function invalidation(trace: string): string {
  return JSON.stringify({ type: "trace_invalidated", trace_external_hash_norm: trace });
}

/** The entries of a list that each subscription receives, ascending. */
function receiving(
  finality: Finality,
  find: (add: (subscription: Subscription, at: number) => void) => void,
): ReadonlyMap<Subscription, number[]> {
  const found = new Map<Subscription, number[]>();
  find((subscription, at) => {
    if (!isAtLeast(finality, subscription.filter.minFinality)) return;
    const chosen = found.get(subscription);
    if (!chosen) found.set(subscription, [at]);
    else if (chosen.at(-1) !== at) chosen.push(at);
  });
  return found;
}

/** One delivery for each set of entries and form. */
function byEntries(
  found: ReadonlyMap<Subscription, readonly number[]>,
  forms: RecordForms,
  make: (chosen: readonly number[], form: RecordForm) => Pick<Delivery, "members" | "addresses">,
): Delivery[] {
  type Group = { chosen: readonly number[]; form: RecordForm; receivers: Subscription[] };
  const groups = new Map<string, Group>();
  for (const [subscription, chosen] of found) {
    const form = forms.of(subscription.filter);
    const key = `${chosen.join()} ${form.name}`;
    const group = groups.get(key);
    if (group) group.receivers.push(subscription);
    else groups.set(key, { chosen, form, receivers: [subscription] });
  }
  return Array.from(groups.values(), ({ chosen, form, receivers }) => ({
    ...make(chosen, form),
    receivers,
  }));
}
