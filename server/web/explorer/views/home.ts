import { html, type Markup } from "../../pages/markup.js";
import { followBlocks } from "../follow-blocks.js";
import { type Latest, LatestReader } from "../latest.js";
import { count } from "../parts/amount.js";
import { blockPath, masterchainShard } from "../parts/block-id.js";
import { blockRows, transactionsOf } from "../parts/block-rows.js";
import { failure } from "../parts/failure.js";
import { meanRate, rateChart } from "../parts/rate-chart.js";
import { timeAgo } from "../parts/time.js";
import { transactionRows } from "../parts/transaction-rows.js";
import type { View } from "../view.js";

/** Rows of blocks; the chart shows more blocks. */
const shownRuns = 16;

/** The newest blocks and transactions, updated live. */
export const showHome: View = async (context) => {
  const { root, network, title, signal, callQuietly } = context;
  title(network);
  const reader = new LatestReader(context.indexed);
  const first = await reader.read(context.call);
  root.innerHTML = html`<h1 class="off-screen" tabindex="-1">What happens on the ${network}</h1>
    <div class="stats" data-part="stats"></div>
    <div class="halves">
      <section aria-labelledby="transactions"><div class="heading"><h2 id="transactions">Transactions</h2><a href="/transactions">All</a></div>
        <div data-part="transactions"></div></section>
      <section aria-labelledby="blocks"><div class="heading"><h2 id="blocks">Blocks</h2><a href="/blocks">All</a></div>
        <div data-part="blocks"></div></section>
    </div>`.text;
  let state = "connecting";
  const show = (latest: Latest) => {
    put(root, "stats", stats(latest, state));
    put(root, "transactions", transactionRows(latest.transactions, context));
    put(root, "blocks", blockRows(latest.blocks.slice(0, shownRuns)));
  };
  show(first);
  let latest = first;
  followBlocks(context, {
    onBeat: async () => {
      latest = await reader.read(callQuietly);
      if (!signal.aborted) show(latest);
    },
    onState: (now, error) => {
      state = now;
      put(root, "stats", stats(latest, state, error));
    },
    onReverted: () => reader.forget(),
  });
};

/** Replaces a part, unless it is hovered or contains the focus. */
function put(root: HTMLElement, part: string, markup: Markup): void {
  const place = root.querySelector<HTMLElement>(`[data-part="${part}"]`);
  if (!place || place.contains(document.activeElement) || place.matches(":hover:not(.stats)")) return;
  place.innerHTML = markup.text;
}

function stats({ blocks, lag }: Latest, state: string, error?: unknown): Markup {
  const head = blocks[0];
  const counted = blocks.map((row) => ({ at: row.now, many: transactionsOf(row) }));
  const rate = meanRate(counted);
  return html`<dl class="figures">
      <div><dt>Head</dt><dd>${
        head
          ? html`<a class="figure" href="${blockPath({ workchain: -1, shard: masterchainShard, seqno: head.seqno })}">${count(head.seqno)}</a>`
          : "none"
      }</dd></div>
      <div><dt>Made</dt><dd class="figure">${head ? timeAgo(head.now) : "never"}</dd></div>
      <div><dt>Per second</dt><dd class="figure">${rate === undefined ? "unknown" : html`${rate.toFixed(rate < 10 ? 2 : 0)} <span class="unit">transactions</span>`}</dd></div>
      ${lag > 1 && html`<div><dt>Index</dt><dd class="figure">${count(lag)} <span class="unit">blocks behind</span></dd></div>`}
    </dl>
    <div class="rate">${rateChart(counted, "Transactions per second in the last blocks")}</div>
    <p class="state"><span class="dot ${state}"></span>${stateTexts[state] ?? state}</p>
    ${error !== undefined && failure(error)}`;
}

const stateTexts: Readonly<Record<string, string>> = {
  live: "live",
  polling: "asked every few seconds",
  connecting: "connecting",
  lost: "no answer, trying again",
};
