import { type Finality, finalities } from "../../shared/schema/subscription-params.js";
import type { ActionTypes } from "../store/queries/actions.js";

/** The types of events that a client can subscribe to. */
export const eventTypes = [
  "transactions",
  "actions",
  "trace",
  "account_state_change",
  "jettons_change",
] as const;
export type EventType = (typeof eventTypes)[number];

/** What subscriptions of our own protocol are about: each event is one record. */
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

/** Lists by which subscriptions to records are narrowed. */
export type RecordList = "accounts" | "traces" | "opcodes" | "jettons";

export { type Finality, finalities };

/** Whether something is at least as final as asked. */
export function isAtLeast(finality: Finality, least: Finality): boolean {
  return finalities.indexOf(finality) >= finalities.indexOf(least);
}

/** The least final of some levels; `finalized` of none. */
export function leastOf(levels: Iterable<Finality>): Finality {
  let least: Finality = "finalized";
  for (const level of levels) if (!isAtLeast(level, least)) least = level;
  return least;
}

/** What a subscription receives. */
export type Filter = {
  readonly types: ReadonlySet<SubscribedType>;
  /** Raw addresses in capitals. */
  readonly addresses: ReadonlySet<string>;
  /** Normalised hashes of external messages, in base64. */
  readonly traces: ReadonlySet<string>;
  /** Lists that a record must match even if they are empty. Of records only. */
  readonly requires?: ReadonlySet<RecordList>;
  /** Opcodes of received messages. Of records only. */
  readonly opcodes?: ReadonlySet<number>;
  /** Raw addresses of jettons, in capitals. Of records only. */
  readonly jettons?: ReadonlySet<string>;
  /** Of records only. */
  readonly workchain?: number | undefined;
  readonly minFinality: Finality;
  /** Equal choices are one object, so that results for it can be shared. */
  readonly actions: ActionTypes;
  readonly withAddressBook: boolean;
  readonly withMetadata: boolean;
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
