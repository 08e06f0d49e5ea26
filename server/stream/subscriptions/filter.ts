import { type Finality, finalities } from "../../../shared/schema/streams/subscription-params.js";
import type { ActionTypes } from "../../store/queries/traces/actions.js";

/** The types of events that a client can subscribe to. */
export const eventTypes = [
  "transactions",
  "actions",
  "trace",
  "account_state_change",
  "jettons_change",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Record types of our own protocol: each event is one record. */
export const recordTypes = [
  "block",
  "transaction",
  "account",
  "jetton",
  "trace_record",
  "action",
  "message",
] as const;
export type RecordType = (typeof recordTypes)[number];

export type SubscribedType = EventType | RecordType;

/** Lists that narrow a subscription to records. */
export type RecordList = "accounts" | "traces" | "opcodes" | "jettons";

export { type Finality, finalities };

/** Whether a finality is at least the requested one. */
export function isAtLeast(finality: Finality, least: Finality): boolean {
  return finalities.indexOf(finality) >= finalities.indexOf(least);
}

/** The lowest of some finality levels; `finalized` if there are none. */
export function leastOf(levels: Iterable<Finality>): Finality {
  let least: Finality = "finalized";
  for (const level of levels) if (!isAtLeast(level, least)) least = level;
  return least;
}

/** Selects the events of a subscription. */
export type Filter = {
  readonly types: ReadonlySet<SubscribedType>;
  /** Raw addresses in capitals. */
  readonly addresses: ReadonlySet<string>;
  /** Normalised hashes of external messages, in base64. */
  readonly traces: ReadonlySet<string>;
  /** Lists that a record must match even if they are empty. Record subscriptions only. */
  readonly requires?: ReadonlySet<RecordList>;
  /** Hash of the body of the received message, in base64; narrows `transactions` alone. */
  readonly bodyHash?: string | undefined;
  /** Opcodes of received messages. Record subscriptions only. */
  readonly opcodes?: ReadonlySet<number>;
  /** Raw addresses of jettons, in capitals. Record subscriptions only. */
  readonly jettons?: ReadonlySet<string>;
  /** Record subscriptions only. */
  readonly workchain?: number | undefined;
  readonly minFinality: Finality;
  /** Equal choices are one object, so that results for it can be shared. */
  readonly actions: ActionTypes;
  readonly withAddressBook: boolean;
  readonly withMetadata: boolean;
  /** Whether actions and statuses have texts. */
  readonly withTexts?: boolean;
  /** Whether messages, exit codes and calls of contracts have what ABIs say of them. */
  readonly withAbi?: boolean;
  /** The owner whose artifacts come before those of other callers. */
  readonly owner?: string | undefined;
  /** Whether records of transactions have their messages. */
  readonly withMessages?: boolean;
  /** Whether final records of transactions have their bags of cells. */
  readonly withRaw?: boolean;
};

/** The filter of a subscription that has ended. */
export const nothing: Filter = {
  types: new Set(),
  addresses: new Set(),
  traces: new Set(),
  minFinality: "finalized",
  actions: { wanted: [], ancestors: [] },
  withAddressBook: false,
  withMetadata: false,
};
