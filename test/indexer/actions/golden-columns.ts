import type { Action } from "../../../server/indexer/actions/action.js";

type Row = Record<string, unknown>;

/** Columns of a row that the reference does not have. */
const ownColumns = new Set([
  "trace_id",
  "trace_external_hash",
  "trace_external_hash_norm",
  "trace_end_lt",
  "trace_end_utime",
  "trace_mc_seqno_end",
  "value_extra_currencies",
  "extra",
]);
/** Lists without a meaningful order. */
const unordered = new Set(["tx_hashes", "accounts", "ancestor_type", "vault_excesses"]);

/** One of our rows in the reference's form. */
export function shownAction(action: Action): Row {
  const columns = Object.entries(action).filter(([name]) => !ownColumns.has(name));
  return comparable({ ...Object.fromEntries(columns), ...extraColumns(action) }) as Row;
}

/** The three columns for addresses in which the reference keeps texts; they come with its accounts too. */
function extraColumns(action: Action): Row {
  if (!("extra" in action)) return {};
  const { extra } = action;
  if ("btc_txid" in extra) return { asset_secondary: extra["btc_txid"] };
  if (action.type === "tgbtc_dkg_log_fallback") return { asset: extra["pubkey"] };
  return { source_secondary: extra["pubkey"] };
}

/** A row of the reference in the same form. */
export function shownReference(row: Row): Row {
  const shown = comparable(row) as Row;
  const key = row["type"] === "tgbtc_new_key" || row["type"] === "tgbtc_new_key_fallback";
  const accounts = shown["accounts"] as unknown[];
  return key ? { ...shown, accounts: accounts.filter((each) => each !== row["source_secondary"]) } : shown;
}

/**
 * Omits nulls, writes integers as text, and sorts lists without an order. Numbers that the reference rounds are rounded
 * in the same way.
 */
function comparable(value: unknown, name = ""): unknown {
  if (typeof value === "bigint") return roughly.has(name) ? rough(Number(value)) : String(value);
  if (typeof value === "number") return roughly.has(name) ? rough(value) : String(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return unordered.has(name) ? items.sort(byText) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  if ("$int" in value) return roughly.has(name) ? rough(Number(value.$int)) : value.$int;
  if ("$float" in value) return rough(Number(value.$float));
  const members = Object.entries(value)
    .map(([key, member]) => [key, comparable(member, key)] as const)
    .filter(([, member]) => member !== null && member !== undefined && !isEmptyObject(member));
  return Object.fromEntries(members);
}

/** Copied by the reference from a snapshot of floating point numbers. */
const roughly = new Set(["nft_item_index"]);

function rough(value: number): string {
  return value.toPrecision(12);
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

function byText(a: unknown, b: unknown): number {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
