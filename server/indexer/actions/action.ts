import type { StoredType } from "../../../shared/actions/all.js";
import type { AddressText, ExtraCurrencies } from "../../../shared/actions/member.js";
import type { HashText } from "./trace.js";

/** Columns common to all rows. */
export type CommonColumns = {
  readonly trace_id: HashText;
  readonly action_id: HashText;
  /** Undefined at top level. */
  readonly parent_action_id: HashText | undefined;
  /** Types of all enclosing blocks, before any renaming; distinct. */
  readonly ancestor_type: readonly string[];
  /** The gasless request that it follows from directly. */
  readonly parent_gasless_action: HashText | undefined;
  readonly success: boolean;
  readonly start_lt: bigint;
  readonly start_utime: number;
  readonly end_lt: bigint;
  readonly end_utime: number;
  readonly mc_seqno_end: number;
  /** Ascending by lt. */
  readonly tx_hashes: readonly HashText[];
  /** Ascending. */
  readonly accounts: readonly AddressText[];
  readonly trace_external_hash: HashText | undefined;
  readonly trace_external_hash_norm: HashText | undefined;
  readonly trace_end_lt: bigint;
  readonly trace_end_utime: number;
  readonly trace_mc_seqno_end: number;
};

/** The columns for members, and the objects of `data`; the declaration of its type decides which a row has. */
export type MemberColumns = {
  readonly source?: AddressText | undefined;
  readonly source_secondary?: AddressText | undefined;
  readonly destination?: AddressText | undefined;
  readonly destination_secondary?: AddressText | undefined;
  /** Undefined for TON where the type can carry TON. */
  readonly asset?: AddressText | undefined;
  readonly asset_secondary?: AddressText | undefined;
  readonly asset2?: AddressText | undefined;
  readonly asset2_secondary?: AddressText | undefined;
  readonly amount?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly value_extra_currencies?: ExtraCurrencies | undefined;
  /** Unsigned. */
  readonly opcode?: number | undefined;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly [object: `${string}_data`]: Readonly<Record<string, unknown>> | undefined;
};

/** An action row. */
export type Action = {
  [Type in StoredType]: CommonColumns & { readonly type: Type } & MemberColumns;
}[StoredType];

/** Result of classifying a trace. */
export type Classification = {
  /** `unclassified`: deferred; until it is classified, only its messages are shown as actions. */
  readonly state: "ok" | "broken" | "failed" | "unclassified";
  /** By start_lt, then action_id. */
  readonly actions: readonly Action[];
  /** The reason if the state is `failed`. */
  readonly error?: unknown;
};
