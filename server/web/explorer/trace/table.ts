import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { amountText, coin } from "../parts/amount.js";
import { hexOf, transactionPath } from "../parts/hash.js";
import { failureOf } from "../parts/outcome.js";
import { whyLink } from "../parts/why-link.js";
import { accountOf, lookOf, operationIn } from "./step-texts.js";
import type { Step } from "./steps.js";

/** Rows shown at a time, as browsers lay out long tables slowly. */
const rowsPerPage = 200;

/** Fills an element with the steps of a trace as a table with exact values, and a button for further rows. */
export function showTable(place: HTMLElement, steps: readonly Step[], names: AnswerNames): void {
  place.innerHTML =
    html`${emptyTable()}<p class="more"><button type="button" data-rows>Show more rows</button></p>`.text;
  const body = elementOf(place, "tbody");
  const button = elementOf(place, "[data-rows]");
  const add = () => {
    const from = body.childElementCount;
    const rows = steps.slice(from, from + rowsPerPage).map((step, index) => row(step, from + index, names));
    body.insertAdjacentHTML("beforeend", html`${rows}`.text);
    button.hidden = body.childElementCount >= steps.length;
  };
  button.addEventListener("click", add);
  add();
}

export function emptyTable(): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Messages of the trace"><table class="list">
<thead><tr><th scope="col">#</th><th scope="col">After</th><th scope="col">To</th><th scope="col">Operation</th><th scope="col" class="end">Value, ${coin()}</th><th scope="col" class="end">Fees, ${coin()}</th><th scope="col">Outcome</th></tr></thead>
<tbody></tbody></table></div>`;
}

function row(step: Step, index: number, names: AnswerNames): Markup {
  const { parent, message, transaction, kind, messages } = step;
  const account = accountOf(step);
  const look = lookOf(step, names);
  const outcome = html`<span class="pill ${look.kind}">${look.text}</span>`;
  return html`<tr><td>${index + 1}</td><td>${parent !== undefined && parent + 1}</td>
<td>${kind === "more" ? `${messages} more` : account === undefined ? "outside" : accountLink(account, names)}</td>
<td>${operationIn(step)}</td>
<td class="end">${message && message.value !== null && amountText(message.value, 9)}</td>
<td class="end">${transaction && amountText(transaction.total_fees, 9)}</td>
<td>${transaction ? html`<a href="${transactionPath(hexOf(transaction.hash) ?? "")}">${outcome}</a>${failureOf(transaction) !== undefined && html` ${whyLink(transaction.hash)}`}` : outcome}</td></tr>`;
}
