import { itemAt } from "../../../shared/values/lookups.js";
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
  smallint,
  text,
  textArray,
  wideInteger,
} from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";
import { initiatedKind, kindOf } from "./action-kinds.js";
import { accountKey, hashPrefix } from "./directories.js";

export type ActionRow = RowOf<typeof actions.columns>;

/** Events of complete traces, as people would say them. */
export const actions = table("actions", {
  columns: {
    trace_id: hash,
    action_id: hash,
    /** The action that this one is a part of. */
    parent_action_id: nullable(hash),
    type: text,
    /** Types of all actions that this one is a part of. Clients that know one of them do not see this one. */
    ancestor_type: textArray,
    /** The gasless request that this one follows from directly. */
    parent_gasless_action: nullable(hash),
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
    /** The place in `accounts`, from 1, of the account whose transaction began the trace, if it takes part. */
    initiator: nullable(smallint),
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
    /** Members that only some types have, by the names of TON Center's columns. Amounts are decimal texts. */
    data: nullable(jsonb),
  },
  key: ["trace_id", "trace_end_lt", "action_id"],
  uniqueBy: false,
  revertBy: { block: "trace_mc_seqno_end" },
  partitionBy: "trace_end_lt",
  // Entries of accounts have the key of the trace.
  divideBy: { column: "trace_prefix" },
  widenBy: {
    column: "trace_prefix",
    type: bigint,
    of: ({ trace_id }: { trace_id: Uint8Array }) => hashPrefix(trace_id),
  },
});

export type ActionAccountRow = RowOf<typeof actionAccounts.columns>;

/** The actions of the accounts of a key, in the order of the list. */
export const actionAccounts = table("action_accounts", {
  columns: {
    account_key: bigint,
    trace_end_lt: bigint,
    trace_key: bigint,
    end_lt: bigint,
    action_key: bigint,
    trace_end_utime: wideInteger,
    /** From `end_utime` of the action to that of the trace. */
    utime_left: integer,
    kind: smallint,
  },
  key: ["account_key", "trace_end_lt", "trace_key", "end_lt", "action_key"],
  uniqueBy: false,
  spreadBy: "account_key",
  divideBy: { column: "account_key" },
});

/**
 * The rows of the accounts of an action. Accounts that share a key, which anybody can make, share a row: if one of them began
 * the trace, lists of actions that an account did not initiate lack the action for the others.
 */
export function accountsOfAction(action: ActionRow): ActionAccountRow[] {
  const { trace_end_lt, end_lt, trace_end_utime } = action;
  const utime_left = trace_end_utime - action.end_utime;
  const kind = kindOf(action);
  const initiator = action.initiator && accountKey(itemAt(action.accounts, action.initiator - 1));
  const keys = { trace_key: hashPrefix(action.trace_id), action_key: hashPrefix(action.action_id) };
  return [...new Set(action.accounts.map(accountKey))].map((account_key) => ({
    account_key,
    trace_end_lt,
    end_lt,
    trace_end_utime,
    utime_left,
    kind: account_key === initiator ? initiatedKind(kind) : kind,
    ...keys,
  }));
}

/** The ends of the traces of the actions whose ids begin with a prefix. */
export const actionLocator = table("action_locator", {
  columns: { hash_prefix: bigint, trace_end_lt: bigint },
  key: ["hash_prefix", "trace_end_lt"],
  merge: "keep",
  spreadBy: "hash_prefix",
  divideBy: { column: "hash_prefix" },
  widenBy: { column: "trace_prefix", type: nullable(bigint) },
});

/** The entry of an action. The key of its trace is for divided indexes alone. */
export function locatorOfAction({ action_id, trace_id, trace_end_lt }: ActionRow) {
  return { hash_prefix: hashPrefix(action_id), trace_end_lt, trace_prefix: hashPrefix(trace_id) };
}
