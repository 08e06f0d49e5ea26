import type { Action } from "../../../../client/api.js";
import { formatUnits } from "../../../../client/values/units.js";
import { friendlyOf } from "../parts/address.js";
import { hexOf } from "../parts/hash.js";

/** Names of the columns, as a line. */
export const csvHeader = "time,type,success,text,role,amount,symbol,asset,accounts,trace,action,lt\r\n";

/** Actions as lines of CSV, one for each amount, or one if there is none. They come from calls with `include_text`. */
export function csvOf(actions: readonly Action[]): string {
  return actions.flatMap((action) => linesOf(action)).join("");
}

function linesOf(action: Action): string[] {
  const { preview, type, success, text } = action;
  const accounts = (preview?.accounts ?? [])
    .map(({ role, account }) => `${role} ${friendlyOf(account) ?? account}`)
    .join("; ");
  const before = [new Date(action.end_utime * 1000).toISOString(), type, String(success ?? ""), text ?? ""];
  const after = [accounts, hexOf(action.trace_id ?? "") ?? "", hexOf(action.action_id) ?? "", action.end_lt];
  const amounts = (preview?.values ?? []).map(({ role, amount, decimals, symbol, asset }) => [
    role,
    // Units of a token without known decimals are whole.
    amount === null ? "" : formatUnits(amount, decimals ?? 0),
    symbol,
    asset === null ? "" : (friendlyOf(asset) ?? asset),
  ]);
  const lines = amounts.length > 0 ? amounts : [["", "", "", ""]];
  return lines.map((each) => `${[...before, ...each, ...after].map(cell).join(",")}\r\n`);
}

/**
 * A cell. Spreadsheets take text that begins with one of these as a formula; an apostrophe keeps it text. Numbers below
 * zero stay numbers.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
