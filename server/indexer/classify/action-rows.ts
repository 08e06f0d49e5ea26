import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import { rawAddressToBytes } from "../../store/address-bytes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import {
  type ActionRow,
  accountsOfAction,
  actions as actionTable,
  locatorOfAction,
} from "../../store/tables/actions.js";
import { tables } from "../../store/tables/all-tables.js";
import type { AwaitedContractRow } from "../../store/tables/recognition.js";
import type { UnknownContractRow } from "../../store/tables/unknown-contracts.js";
import type { Action } from "../actions/action.js";
import type { AddressText, HashText } from "../actions/trace.js";

/** The stored results of classifying a trace. */
export type StoredActions = {
  actions: readonly ActionRow[];
  /** Requested accounts without a known contract; earlier blocks may identify them once they are stored. */
  unknown: readonly UnknownContractRow[];
  /** Requested accounts that wait for recognition. */
  awaited: readonly AwaitedContractRow[];
};

/** Adds a trace's actions, their entries by account and hash, and its unknown and awaited contracts. */
export function addActions(rows: RowSet, { actions, unknown, awaited }: StoredActions): void {
  const stored = rows.of(tables.actions);
  const accounts = rows.of(tables.actionAccounts);
  const locators = rows.of(tables.actionLocator);
  for (const row of actions) {
    stored.add(row);
    locators.add(locatorOfAction(row));
    for (const each of accountsOfAction(row)) accounts.add(each);
  }
  const unknownContracts = rows.of(tables.unknownContracts);
  for (const row of unknown) unknownContracts.add(row);
  const awaitedContracts = rows.of(tables.awaitedContracts);
  for (const row of awaited) awaitedContracts.add(row);
}

/** The actions of a trace as rows. `initiator`: the account of its first transaction. */
export function actionRows(actions: readonly Action[], initiator?: AddressText): ActionRow[] {
  const bytes = new TraceBytes();
  return actions.map((action) => actionRow(action, initiator, bytes));
}

/** Caches the bytes of a trace's hashes and addresses, which its actions share. */
class TraceBytes {
  readonly #known = new Map<string, Uint8Array>();

  readonly hash = (text: HashText): Uint8Array =>
    this.#known.get(text) ?? this.#keep(text, bytesOfBase64(text));

  readonly address = (text: AddressText): Uint8Array =>
    this.#known.get(text) ?? this.#keep(text, rawAddressToBytes(text));

  #keep(text: string, bytes: Uint8Array): Uint8Array {
    this.#known.set(text, bytes);
    return bytes;
  }
}

function actionRow(action: Action, initiator: AddressText | undefined, bytes: TraceBytes): ActionRow {
  // A literal: an object with varying member names takes a hundred times as long, and traces have many actions.
  return {
    trace_id: bytes.hash(action.trace_id),
    action_id: bytes.hash(action.action_id),
    parent_action_id: ifKnown(action.parent_action_id, bytes.hash),
    type: action.type,
    ancestor_type: action.ancestor_type,
    parent_gasless_action: ifKnown(action.parent_gasless_action, bytes.hash),
    start_lt: action.start_lt,
    end_lt: action.end_lt,
    start_utime: action.start_utime,
    end_utime: action.end_utime,
    mc_seqno_end: action.mc_seqno_end,
    trace_end_lt: action.trace_end_lt,
    trace_end_utime: action.trace_end_utime,
    trace_mc_seqno_end: action.trace_mc_seqno_end,
    trace_external_hash: ifKnown(action.trace_external_hash, bytes.hash),
    trace_external_hash_norm: ifKnown(action.trace_external_hash_norm, bytes.hash),
    tx_hashes: action.tx_hashes.map(bytes.hash),
    accounts: action.accounts.map(bytes.address),
    success: action.success,
    initiator: ifKnown(initiator, (account) => action.accounts.indexOf(account) + 1 || undefined),
    // The column is signed.
    opcode: ifKnown(action.opcode, (value) => value | 0),
    source: ifKnown(action.source, bytes.address),
    source_secondary: ifKnown(action.source_secondary, bytes.address),
    destination: ifKnown(action.destination, bytes.address),
    destination_secondary: ifKnown(action.destination_secondary, bytes.address),
    asset: ifKnown(action.asset, bytes.address),
    asset_secondary: ifKnown(action.asset_secondary, bytes.address),
    asset2: ifKnown(action.asset2, bytes.address),
    asset2_secondary: ifKnown(action.asset2_secondary, bytes.address),
    amount: action.amount,
    value: action.value,
    value_extra_currencies: ifKnown(action.value_extra_currencies, (currencies) => ({ ...currencies })),
    data: detailsOf(action),
  };
}

const columnNames: ReadonlySet<string> = new Set(Object.keys(actionTable.columns));

/** Fields without a column, as JSON with amounts as decimal strings. */
function detailsOf(action: Action): object | undefined {
  const details: Record<string, unknown> = {};
  let hasDetails = false;
  for (const name in action) {
    if (columnNames.has(name)) continue;
    hasDetails = true;
    const value = (action as Record<string, unknown>)[name];
    if (value !== undefined) details[name] = jsonOf(value);
  }
  return hasDetails ? details : undefined;
}

function jsonOf(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : jsonOf(item)));
  const json: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) if (item !== undefined) json[name] = jsonOf(item);
  return json;
}

function ifKnown<T, R>(value: T | undefined, convert: (value: T) => R): R | undefined {
  return value === undefined ? undefined : convert(value);
}
