import type { ActionType, ColumnsOf } from "../../store/tables/action-details.js";
import type { AddressText, HashText } from "./trace.js";

/** The columns that every row has. */
export type CommonColumns = {
  readonly trace_id: HashText;
  readonly action_id: HashText;
  /** Undefined at top level. */
  readonly parent_action_id: HashText | undefined;
  /** Types of all blocks that this one is a part of, before any of them is renamed; distinct. */
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

/** One row of actions. Its `type` tells which details it has. */
export type Action = {
  [T in ActionType]: CommonColumns & { readonly type: T } & ColumnsOf<T>;
}[ActionType];

/** What became of a trace. */
export type Classification = {
  /** `unclassified`: it is left for later, and has the actions of its messages until then. */
  readonly state: "ok" | "broken" | "failed" | "unclassified";
  /** By start_lt, then action_id. */
  readonly actions: readonly Action[];
  /** Why the state is `failed`. */
  readonly error?: unknown;
};
