import { html } from "../../pages/markup.js";
import { needsIndex } from "../parts/failure.js";
import { record } from "../parts/record.js";
import type { View } from "../view.js";

/** A transaction by its hash. */
export const showTransaction: View = async ({ root, params, call, indexed, title }) => {
  title("Transaction");
  const heading = html`<h1 tabindex="-1">Transaction</h1>`;
  if (!indexed) {
    root.innerHTML = html`${heading}${needsIndex("A transaction by its hash")}`.text;
    return;
  }
  const { transactions } = await call("v3.transactions", { hash: params["hash"]!, limit: 1 });
  root.innerHTML = html`${heading}${
    transactions[0] ? record(transactions[0]) : html`<p class="empty">The index has no such transaction.</p>`
  }`.text;
};
