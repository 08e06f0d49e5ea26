import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { amountText } from "../parts/amount.js";
import { coin } from "../parts/coin.js";
import { hexOf, transactionPath } from "../parts/hash.js";
import { operationOf } from "../transaction/message-names.js";
import { accountOf, lookOf } from "./drawing.js";
import type { Step } from "./steps.js";

/** The steps of a trace as a table with exact values. */
export function traceTable(steps: readonly Step[], names: AnswerNames): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Messages of the trace"><table class="list">
<thead><tr><th scope="col">#</th><th scope="col">After</th><th scope="col">To</th><th scope="col">Operation</th><th scope="col" class="end">Value, ${coin()}</th><th scope="col" class="end">Fees, ${coin()}</th><th scope="col">Outcome</th></tr></thead>
<tbody>${steps.map((step, index) => row(step, index, names))}</tbody></table></div>`;
}

function row(step: Step, index: number, names: AnswerNames): Markup {
  const { parent, message, transaction, kind, messages } = step;
  const account = accountOf(step);
  const look = lookOf(step, names);
  const outcome = html`<span class="pill ${look.kind}">${look.text}</span>`;
  const operation = message ? operationOf(message) : transaction?.description.type.replaceAll("_", "-");
  return html`<tr><td>${index + 1}</td><td>${parent !== undefined && parent + 1}</td>
<td>${kind === "more" ? `${messages} more` : account === undefined ? "outside" : accountLink(account, names)}</td>
<td>${operation}</td>
<td class="end">${message && message.value !== null && amountText(message.value, 9)}</td>
<td class="end">${transaction && amountText(transaction.total_fees, 9)}</td>
<td>${transaction ? html`<a href="${transactionPath(hexOf(transaction.hash) ?? "")}">${outcome}</a>` : outcome}</td></tr>`;
}
