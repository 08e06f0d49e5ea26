import type { Action, CommonColumns } from "../../../../server/indexer/actions/action.js";

const common: Record<keyof Omit<CommonColumns, "success">, true> = {
  trace_id: true,
  action_id: true,
  parent_action_id: true,
  ancestor_type: true,
  start_lt: true,
  start_utime: true,
  end_lt: true,
  end_utime: true,
  mc_seqno_end: true,
  tx_hashes: true,
  accounts: true,
  trace_external_hash: true,
  trace_external_hash_norm: true,
  trace_end_lt: true,
  trace_end_utime: true,
  trace_mc_seqno_end: true,
};

/** What rows of a type say beside where and when it happened. */
export function rowsOfType(type: Action["type"], actions: readonly Action[]): unknown[] {
  return actions
    .filter((action) => action.type === type)
    .map((action) => Object.fromEntries(Object.entries(action).filter(([name]) => !(name in common))));
}
