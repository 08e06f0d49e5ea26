import type { DevnetCallsResult, DevnetInfoResult, DevnetSnapshotsResult } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { amountText, count } from "../parts/amount.js";
import { copyButton } from "../parts/copy.js";
import type { Names } from "../parts/names.js";
import { claimedText } from "../parts/text.js";

type Wallet = DevnetInfoResult["faucet"];

/** Wallets with publicly known keys. */
export function walletTable({ faucet, wallets }: DevnetInfoResult, names: Names): Markup {
  return scrolled(
    "Wallets",
    ["Wallet", "Balance, TON", "Address", "Type", "Words"],
    [faucet, ...wallets].map((wallet) => walletRow(wallet, names)),
  );
}

function walletRow({ address, type, balance, mnemonic }: Wallet, names: Names): Markup {
  return html`<tr><th scope="row">${names.of(address) ?? "Wallet"}</th><td class="end">${amountText(balance, 9)}</td>
<td>${addressLink(address)}</td><td>${type}</td><td>${copyButton(mnemonic, `Copy the ${mnemonic.split(" ").length} words`)}</td></tr>`;
}

/** Snapshots with their buttons; `data-snapshot` is the method. */
export function snapshotTable(snapshots: DevnetSnapshotsResult[]): Markup {
  if (snapshots.length === 0) return html`<p class="empty">There are no snapshots.</p>`;
  return scrolled(
    "Snapshots",
    ["Snapshot", "Block", ""],
    snapshots.map(
      ({ id, seqno }) => html`<tr><th scope="row">${claimedText(id)}</th><td class="mono">${count(seqno)}</td>
<td class="end"><button type="button" data-snapshot="devnet.revert" data-id="${id}" aria-label="Revert to ${id}">Revert</button>
<button type="button" class="quiet" data-snapshot="devnet.deleteSnapshot" data-id="${id}" aria-label="Delete ${id}">Delete</button></td></tr>`,
    ),
  );
}

/** Calls that this page makes to render itself. */
const ownReads = new Set([
  "devnet.info",
  "devnet.calls",
  "devnet.snapshots",
  "subscribe",
  "acknowledge",
  "unsubscribe",
]);
/** Limit on the characters of parameters. */
const paramsLength = 160;

/** The newest calls to the service, optionally with the page's own. */
export function callTable(calls: DevnetCallsResult[], withOwn: boolean): Markup {
  const shown = calls.filter(({ method }) => withOwn || !ownReads.has(method));
  if (shown.length === 0) return html`<p class="empty">There were no calls.</p>`;
  return scrolled(
    "Calls to the service",
    ["Time", "Method", "Outcome", "ms", "Parameters"],
    shown.map(
      ({
        time,
        method,
        outcome,
        exit_meaning: why,
        duration_ms,
        params,
      }) => html`<tr><td class="mono">${time.slice(11, 23)}</td>
<td><code>${claimedText(method)}</code></td><td><span class="pill ${outcome === "ok" ? "good" : "bad"}">${claimedText(outcome, 40)}</span>${why !== undefined && html` <span class="aside">${why}</span>`}</td>
<td class="end">${duration_ms < 10 ? duration_ms.toFixed(1) : Math.round(duration_ms)}</td>
<td><code class="params">${claimedText(JSON.stringify(params), paramsLength)}</code></td></tr>`,
    ),
  );
}

function scrolled(title: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="list">
<thead><tr>${heads.map((head) => (head === "" ? html`<td></td>` : html`<th scope="col"${/, TON$|^ms$/.test(head) && html` class="end"`}>${head}</th>`))}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
