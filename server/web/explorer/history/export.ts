import type { Action } from "../../../../client/api.js";
import { formatUnits } from "../../../../client/values/units.js";
import { csvCell } from "../../../../shared/text/csv-cell.js";
import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { friendlyOf } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { downloadFile } from "../parts/download.js";
import { failure } from "../parts/failure.js";
import { hexOf } from "../parts/hash.js";
import type { ViewContext } from "../view.js";
import { type ActionFilter, ActionReader } from "./read-actions.js";

const pageLength = 500;

type ExportOptions = { readonly address: string; readonly filter: ActionFilter };

/** A button that saves the actions of the history, all that the filter lets through, as CSV. */
export function showExport(
  { callQuietly, signal }: ViewContext,
  place: HTMLElement,
  { address, filter }: ExportOptions,
): void {
  place.innerHTML =
    html`<p class="more"><button type="button" class="quiet">Save all as CSV</button> <span class="aside" role="status"></span></p>`.text;
  const button = elementOf<HTMLButtonElement>(place, "button");
  const state = elementOf(place, "[role=status]");
  let running: AbortController | undefined;
  const save = async (stop: AbortSignal) => {
    const reader = new ActionReader(callQuietly, address, { ...filter, limit: pageLength });
    // The browser may keep the parts of a blob on disk.
    const parts: Blob[] = [new Blob([csvHeader])];
    let read = 0;
    while (!reader.isAtEnd && !stop.aborted) {
      const { actions } = await reader.next();
      parts.push(new Blob([csvOf(actions)]));
      read += actions.length;
      state.textContent = `${count(read)} actions`;
    }
    // A stopped export saves the actions that it has read.
    downloadFile(`${address.replace(":", "_")}.csv`, new Blob(parts, { type: "text/csv" }));
    state.textContent = `${count(read)} actions${reader.isAtEnd ? "" : ", not all"}`;
  };
  button.addEventListener("click", async () => {
    if (running) return running.abort();
    running = new AbortController();
    button.textContent = "Stop";
    try {
      await save(running.signal);
    } catch (error) {
      if (!signal.aborted) state.innerHTML = failure(error).text;
    }
    running = undefined;
    button.textContent = "Save all as CSV";
  });
}

/** Names of the columns, as a line. */
export const csvHeader = "time,type,success,text,role,amount,symbol,asset,accounts,trace,action,lt\r\n";

/** Actions as lines of CSV, one for each amount, or one if there is none. */
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
  return lines.map((each) => `${[...before, ...each, ...after].map(csvCell).join(",")}\r\n`);
}
