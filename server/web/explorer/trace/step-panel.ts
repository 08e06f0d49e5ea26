import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { ton } from "../parts/amount.js";
import { blockLink } from "../parts/block-id.js";
import { facts } from "../parts/facts.js";
import { hashText, hexOf, transactionPath } from "../parts/hash.js";
import { failureOf } from "../parts/outcome.js";
import { timeOf } from "../parts/time.js";
import { whyLink } from "../parts/why-link.js";
import { messageView } from "../transaction/message.js";
import { phases } from "../transaction/phases.js";
import { outcomePill } from "../transaction/summary.js";
import { accountOf, lookOf } from "./step-texts.js";
import type { Step } from "./steps.js";

/** Details of a step: its transaction's outcome, its message with the body, its phases. */
export function stepPanel(step: Step, names: AnswerNames): Markup {
  const { message, transaction, kind, messages } = step;
  if (kind === "more")
    return html`<button type="button" class="quiet close" data-close aria-label="Close">×</button><h2>${messages} more</h2><p>Messages that follow from here are not shown.</p>`;
  const account = accountOf(step);
  return html`<button type="button" class="quiet close" data-close aria-label="Close">×</button><h2>${account === undefined ? "Event" : accountLink(account, names)} ${transaction ? outcomePill(transaction, names) : html`<span class="pill">${lookOf(step, names).text}</span>`}</h2>
${
  transaction &&
  html`<p><a href="${transactionPath(hexOf(transaction.hash) ?? "")}">Whole transaction</a>${failureOf(transaction) !== undefined && html` ${whyLink(transaction.hash)}`}</p>
${facts(
  Object.entries({
    Fees: ton(transaction.total_fees),
    Time: timeOf(transaction.now),
    Block: blockLink(transaction.block_ref),
    Transaction: hashText(transaction.hash, transactionPath),
  }),
)}`
}
${message && messageView(message, "Message", names)}
${transaction && html`<details class="fold" open><summary>Phases</summary>${phases(transaction.description, names.contracts(transaction.account))}</details>`}`;
}
