import type { Trace } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { count, ton } from "../parts/amount.js";
import { failureOf } from "../parts/outcome.js";
import { whyLink } from "../parts/why-link.js";
import { totalsOf } from "./totals.js";

/** The size of a trace in one line: transactions, accounts, fees, duration, failures. */
export function traceSummary(trace: Trace): Markup {
  const { trace_info: info, start_utime: start, end_utime: end } = trace;
  const { accounts, failed, collected, forwarded } = totalsOf(trace);
  const isWhole = trace.transactions !== undefined;
  return html`<ul class="trace-summary" aria-label="Summary">
<li>${amountOf(info.transactions, "transaction")}</li>
${isWhole && html`<li>${amountOf(accounts, "account")}</li><li>fees <strong>${ton(collected + forwarded)}</strong></li>`}
${end !== null && html`<li>took <strong>${count(end - start)} s</strong></li>`}
${isWhole && (failed > 0 ? html`<li class="failed"><strong>${count(failed)}</strong> failed ${firstFailure(trace)}</li>` : html`<li>none failed</li>`)}</ul>`;
}

function firstFailure({ transactions = {} }: Trace): Markup | false {
  const [first] = Object.values(transactions)
    .filter((transaction) => failureOf(transaction) !== undefined)
    .sort((one, other) => (BigInt(one.lt) < BigInt(other.lt) ? -1 : 1));
  return first !== undefined && whyLink(first.hash);
}

function amountOf(number: number, noun: string): Markup {
  return html`<strong>${count(number)}</strong> ${noun}${number === 1 ? "" : "s"}`;
}
