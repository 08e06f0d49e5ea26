import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import { copierOf, someColumns } from "../../store/declare/table.js";
import { type ActionRow, actions as actionTable } from "../../store/tables/actions.js";
import { hashPrefix } from "../../store/tables/directories.js";
import type { UnknownContractRow } from "../../store/tables/unknown-contracts.js";
import { tables } from "../../store/tables.js";
import type { Action } from "../actions/action.js";
import type { AddressText, HashText } from "../actions/trace.js";

/** What the classification of a trace stores. */
export type StoredActions = {
  actions: readonly ActionRow[];
  /** Accounts that were asked for in vain, and that blocks before may tell of once they are stored. */
  unknown: readonly UnknownContractRow[];
};

/** Adds the rows of a trace's actions, those of the directories that lead to them, and what was not known of contracts. */
export function addActions(rows: RowSet, { actions, unknown }: StoredActions): void {
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
  const unknownContracts = rows.of(tables.unknownContracts);
  for (const row of unknown) unknownContracts.add(row);
}

/** An action as a row. */
export function actionRow(action: Action): ActionRow {
  return {
    ...copyUnchanged(action),
    trace_id: hashBytes(action.trace_id),
    action_id: hashBytes(action.action_id),
    parent_action_id: ifKnown(action.parent_action_id, hashBytes),
    trace_external_hash: ifKnown(action.trace_external_hash, hashBytes),
    trace_external_hash_norm: ifKnown(action.trace_external_hash_norm, hashBytes),
    tx_hashes: action.tx_hashes.map(hashBytes),
    accounts: action.accounts.map(addressBytes),
    source: ifKnown(action.source, addressBytes),
    source_secondary: ifKnown(action.source_secondary, addressBytes),
    destination: ifKnown(action.destination, addressBytes),
    destination_secondary: ifKnown(action.destination_secondary, addressBytes),
    asset: ifKnown(action.asset, addressBytes),
    asset_secondary: ifKnown(action.asset_secondary, addressBytes),
    asset2: ifKnown(action.asset2, addressBytes),
    asset2_secondary: ifKnown(action.asset2_secondary, addressBytes),
    value_extra_currencies: ifKnown(action.value_extra_currencies, (currencies) => ({ ...currencies })),
    // The column is signed.
    opcode: ifKnown(action.opcode, (value) => value | 0),
    data: detailsOf(action),
  };
}

/** Copies what a row has as the classifier says it. */
const copyUnchanged = copierOf(
  someColumns(actionTable.columns, [
    "type",
    "ancestor_type",
    "success",
    "start_lt",
    "start_utime",
    "end_lt",
    "end_utime",
    "mc_seqno_end",
    "trace_end_lt",
    "trace_end_utime",
    "trace_mc_seqno_end",
    "amount",
    "value",
  ]),
);

/** What has no column of its own, as JSON in which amounts are decimal texts. */
function detailsOf(action: Action): object | undefined {
  const details = Object.entries(action).filter(([name]) => !(name in actionTable.columns));
  if (details.length === 0) return undefined;
  return JSON.parse(
    JSON.stringify(Object.fromEntries(details), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    ),
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
