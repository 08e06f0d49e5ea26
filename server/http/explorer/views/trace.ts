import { html } from "../../pages/markup.js";
import { needsIndex } from "../parts/failure.js";
import { record } from "../parts/record.js";
import type { View } from "../view.js";

/** A trace by its id, or by the hash of one of its transactions. */
export const showTrace: View = async ({ root, params, call, indexed, title }) => {
  title("Trace");
  const heading = html`<h1 tabindex="-1">Trace</h1>`;
  if (!indexed) {
    root.innerHTML = html`${heading}${needsIndex("A trace")}`.text;
    return;
  }
  const { traces } = await call("v3.traces", { trace_id: params["hash"]!, limit: 1 });
  root.innerHTML = html`${heading}${
    traces[0] ? record(traces[0]) : html`<p class="empty">The index has no such trace.</p>`
  }`.text;
};
