import type { DevnetInfoResult } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf } from "./address.js";
import { amountText } from "./amount.js";
import { coin } from "./coin.js";
import { claimedText } from "./text.js";

/** Wallets that are named. */
const shownWallets = 4;

/** On a devnet: what a newcomer can do with its wallets. */
export function firstSteps({ wallets }: Pick<DevnetInfoResult, "wallets">): Markup {
  return html`<section class="first-steps" aria-labelledby="first-steps"><h2 id="first-steps">What to do first</h2>
    <ul>
      <li><a href="/devnet#from-wallet">Send a message</a> from one of the wallets, whose keys are known: ${wallets
        .slice(0, shownWallets)
        .map(
          ({ address, name, balance }) =>
            html`<span class="wallet"><a href="${accountPath(friendlyOf(address) ?? address)}">${claimedText(name, 30)}</a> <span class="aside">${amountText(BigInt(balance) / 10n ** 9n, 0)} ${coin()}</span></span> `,
        )}</li>
      <li><a href="/devnet#faucet">Take coins</a> or jettons from the faucet, to any address</li>
      <li><a href="/devnet">Make blocks</a>, set the time, take snapshots and go back to them</li>
      <li>Call the API: <a href="/reference">all methods</a>, <a href="/docs">guides</a>, and the calls of each page at its end</li>
    </ul></section>`;
}
