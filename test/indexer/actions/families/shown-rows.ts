import type { Action, CommonColumns } from "../../../../server/indexer/actions/action.js";

const common: Record<keyof Omit<CommonColumns, "success">, true> = {
  trace_id: true,
  action_id: true,
  parent_action_id: true,
  ancestor_type: true,
  parent_gasless_action: true,
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

/** Columns of a type's rows, except place and time. */
export function rowsOfType(type: Action["type"], actions: readonly Action[]): unknown[] {
  return actions
    .filter((action) => action.type === type)
    .map((action) => Object.fromEntries(Object.entries(action).filter(([name]) => !(name in common))));
}
