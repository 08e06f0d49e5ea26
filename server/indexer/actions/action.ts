import type { ActionType, ColumnsOf } from "../../store/tables/action-details.js";
import type { AddressText, HashText } from "./trace.js";

/** Columns common to all rows. */
export type CommonColumns = {
  readonly trace_id: HashText;
  readonly action_id: HashText;
  /** Undefined at top level. */
  readonly parent_action_id: HashText | undefined;
  /** Types of all enclosing blocks, before any renaming; distinct. */
  readonly ancestor_type: readonly string[];
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

/** An action row. Its `type` decides which details it has. */
export type Action = {
  [T in ActionType]: CommonColumns & { readonly type: T } & ColumnsOf<T>;
}[ActionType];

/** Result of classifying a trace. */
export type Classification = {
  /** `unclassified`: deferred; until it is classified, only its messages are shown as actions. */
  readonly state: "ok" | "broken" | "failed" | "unclassified";
  /** By start_lt, then action_id. */
  readonly actions: readonly Action[];
  /** The reason if the state is `failed`. */
  readonly error?: unknown;
};
