import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { downloadFile } from "../parts/download.js";
import { failure } from "../parts/failure.js";
import type { ViewContext } from "../view.js";
import { csvHeader, csvOf } from "./csv.js";
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
    const reader = new ActionReader(callQuietly, address, { ...filter, limit: pageLength, withText: true });
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
