import type { ValidatorCycle } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { count, ton } from "./amount.js";
import { timeAt } from "./time.js";

/** A line about the network, with links to the pages that have more. */
export function networkFacts(cycle: ValidatorCycle | undefined): Markup {
  const set =
    cycle &&
    html`<span><a href="/validators">${count(cycle.total)} ${cycle.total === 1 ? "validator" : "validators"}</a>${cycle.total_stake !== undefined && html` with ${ton(cycle.total_stake)}`}${cycle.election_id !== undefined && html`, elected until ${timeAt(cycle.cycle_end)}`}</span>`;
  return html`<p class="network-facts">${set ?? html`<a href="/validators">Validators</a>`}
    <a href="/pools">Nominator pools</a> <a href="/config">Configuration</a> <a href="/supply">Supply and top accounts</a></p>`;
}
