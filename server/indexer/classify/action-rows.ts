import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { hashPrefix } from "../../store/tables/directories.js";
import { tables } from "../../store/tables.js";
import type { Action } from "../actions/action.js";
import type { AddressText, HashText } from "../actions/trace.js";

/** Adds the rows of actions with those of the directories that lead to them. */
export function addActions(rows: RowSet, actions: readonly ActionRow[]): void {
  const stored = rows.of(tables.actions);
  const accounts = rows.of(tables.actionAccounts);
  const locators = rows.of(tables.actionLocator);
  for (const row of actions) {
    const { trace_id, action_id, trace_end_lt, end_lt, trace_end_utime, end_utime } = row;
    stored.add(row);
    locators.add({ hash_prefix: hashPrefix(action_id), trace_end_lt });
    for (const account of row.accounts)
      accounts.add({ account, trace_end_lt, trace_id, end_lt, action_id, trace_end_utime, end_utime });
  }
}

/** An action as a row. */
export function actionRow(action: Action): ActionRow {
  const {
    trace_id,
    action_id,
    parent_action_id,
    trace_external_hash,
    trace_external_hash_norm,
    tx_hashes,
    accounts,
    source,
    source_secondary,
    destination,
    destination_secondary,
    asset,
    asset_secondary,
    asset2,
    asset2_secondary,
    opcode,
    ...rest
  } = action;
  return {
    ...commonOf(rest),
    trace_id: hashBytes(trace_id),
    action_id: hashBytes(action_id),
    parent_action_id: ifKnown(parent_action_id, hashBytes),
    trace_external_hash: ifKnown(trace_external_hash, hashBytes),
    trace_external_hash_norm: ifKnown(trace_external_hash_norm, hashBytes),
    tx_hashes: tx_hashes.map(hashBytes),
    accounts: accounts.map(addressBytes),
    source: ifKnown(source, addressBytes),
    source_secondary: ifKnown(source_secondary, addressBytes),
    destination: ifKnown(destination, addressBytes),
    destination_secondary: ifKnown(destination_secondary, addressBytes),
    asset: ifKnown(asset, addressBytes),
    asset_secondary: ifKnown(asset_secondary, addressBytes),
    asset2: ifKnown(asset2, addressBytes),
    asset2_secondary: ifKnown(asset2_secondary, addressBytes),
    // The column is signed.
    opcode: ifKnown(opcode, (value) => value | 0),
  };
}

type Rest = Pick<
  Action,
  | "type"
  | "ancestor_type"
  | "success"
  | "start_lt"
  | "start_utime"
  | "end_lt"
  | "end_utime"
  | "mc_seqno_end"
  | "trace_end_lt"
  | "trace_end_utime"
  | "trace_mc_seqno_end"
  | "amount"
  | "value"
  | "value_extra_currencies"
>;

/** The columns that a row has as they are; all others are details. */
function commonOf({
  type,
  ancestor_type,
  success,
  start_lt,
  start_utime,
  end_lt,
  end_utime,
  mc_seqno_end,
  trace_end_lt,
  trace_end_utime,
  trace_mc_seqno_end,
  amount,
  value,
  value_extra_currencies,
  ...details
}: Rest) {
  return {
    type,
    ancestor_type,
    success,
    start_lt,
    start_utime,
    end_lt,
    end_utime,
    mc_seqno_end,
    trace_end_lt,
    trace_end_utime,
    trace_mc_seqno_end,
    amount,
    value,
    value_extra_currencies: ifKnown(value_extra_currencies, (currencies) => ({ ...currencies })),
    data: jsonOf(details),
  };
}

/** Details as JSON, in which amounts are decimal texts. */
function jsonOf(details: object): object | undefined {
  if (Object.keys(details).length === 0) return undefined;
  return JSON.parse(
    JSON.stringify(details, (_, value) => (typeof value === "bigint" ? String(value) : value)),
  );
}

function ifKnown<T, R>(value: T | undefined, convert: (value: T) => R): R | undefined {
  return value === undefined ? undefined : convert(value);
}

function hashBytes(text: HashText): Uint8Array {
  return base64ToBytes(text)!;
}

function addressBytes(text: AddressText): Uint8Array {
  return addressToBytes(Address.read(text)!.address);
}
