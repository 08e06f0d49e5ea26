import {
  address,
  addressArray,
  bigint,
  boolean,
  currencies,
  hash,
  hashArray,
  integer,
  jsonb,
  nullable,
  numeric,
  opcode,
  text,
  textArray,
  wideInteger,
} from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";

export type ActionRow = RowOf<typeof actions.columns>;

/** What happened in traces that are complete, as people would say it. */
export const actions = table("actions", {
  columns: {
    trace_id: hash,
    action_id: hash,
    /** The action that this one is a part of. */
    parent_action_id: nullable(hash),
    type: text,
    /** Types of all actions that this one is a part of. Clients that know one of them do not see this one. */
    ancestor_type: textArray,
    start_lt: bigint,
    end_lt: bigint,
    start_utime: wideInteger,
    end_utime: wideInteger,
    mc_seqno_end: integer,
    trace_end_lt: bigint,
    trace_end_utime: wideInteger,
    trace_mc_seqno_end: integer,
    trace_external_hash: nullable(hash),
    trace_external_hash_norm: nullable(hash),
    tx_hashes: hashArray,
    accounts: addressArray,
    success: boolean,
    opcode: nullable(opcode),
    source: nullable(address),
    source_secondary: nullable(address),
    destination: nullable(address),
    destination_secondary: nullable(address),
    asset: nullable(address),
    asset_secondary: nullable(address),
    asset2: nullable(address),
    asset2_secondary: nullable(address),
    amount: nullable(numeric),
    value: nullable(numeric),
    value_extra_currencies: nullable(currencies),
    /** What only some types have, by the names of TON Center's columns. Amounts are decimal texts. */
    data: nullable(jsonb),
  },
  key: ["trace_id", "trace_end_lt", "action_id"],
  merge: "replace",
  revertBy: { block: "trace_mc_seqno_end" },
  partitionBy: "trace_end_lt",
});

/** The actions of an account, in the order of the list. */
export const actionAccounts = table("action_accounts", {
  columns: {
    account: address,
    trace_end_lt: bigint,
    trace_id: hash,
    end_lt: bigint,
    action_id: hash,
    trace_end_utime: wideInteger,
    end_utime: wideInteger,
  },
  key: ["account", "trace_end_lt", "trace_id", "end_lt", "action_id"],
  merge: "keep",
  spreadBy: "account",
});

/** The ends of the traces of the actions whose ids begin with a prefix. */
export const actionLocator = table("action_locator", {
  columns: { hash_prefix: bigint, trace_end_lt: bigint },
  key: ["hash_prefix", "trace_end_lt"],
  merge: "keep",
  spreadBy: "hash_prefix",
});
