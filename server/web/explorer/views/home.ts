import type { ActionList, DevnetInfoResult, ValidatorCycle } from "../../../../client/api.js";
import { isMissingMethod, isRpcError } from "../../../../client/errors.js";
import { html, type Markup } from "../../pages/markup.js";
import { HourlyPart } from "../charts/hourly-part.js";
import { meanRate, rateChart } from "../charts/rate-chart.js";
import { followBlocks } from "../follow-blocks.js";
import { type Latest, LatestReader } from "../latest.js";
import { latestActions, readLatestActions } from "../latest-actions.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { amountText, coin, count, ton } from "../parts/amount.js";
import { blockPath, masterchainShard } from "../parts/block-id.js";
import { blockRows, transactionsOf } from "../parts/block-rows.js";
import { claim } from "../parts/claim.js";
import { failure } from "../parts/failure.js";
import { claimedText } from "../parts/text.js";
import { timeAgo, timeAt, timeOf } from "../parts/time.js";
import { transactionRows } from "../parts/transaction-rows.js";
import type { Call, View, ViewContext } from "../view.js";

/** Rows of blocks; the chart shows more blocks. */
const shownRuns = 12;

/** Facts of the network, and its newest actions, transactions and blocks, updated live. */
export const showHome: View = async (context) => {
  const { root, network, title, signal, call, callQuietly, indexed, devnet } = context;
  title(network);
  const reader = new LatestReader(indexed);
  const [first, firstActions, cycle, info] = await Promise.all([
    reader.read(call),
    indexed ? readLatestActions(call) : undefined,
    indexed ? readCycle(call) : undefined,
    // It may require a key.
    devnet ? callQuietly("devnet.info").catch(() => undefined) : undefined,
  ]);
  root.innerHTML = html`<h1 class="off-screen" tabindex="-1">What happens on the ${network}</h1>
    <div class="stats" data-part="stats"></div>
    ${networkFacts(cycle)}
    ${indexed && html`<section class="hourly" aria-label="The last day" data-part="hours"></section>`}
    ${info?.fork && forkFacts(info.fork)}
    ${info && firstSteps(info)}
    <div class="halves">
      <section aria-labelledby="actions"><h2 id="actions">What happens now</h2><div data-part="actions"></div></section>
      <div><section aria-labelledby="transactions"><div class="heading"><h2 id="transactions">Transactions</h2><a href="/transactions">All</a></div>
        <div data-part="transactions"></div></section>
      <section aria-labelledby="blocks"><div class="heading"><h2 id="blocks">Blocks</h2><a href="/blocks">All</a></div>
        <div data-part="blocks"></div></section></div>
    </div>`.text;
  // Read with the first beat: the first view has few requests.
  const hours = new HourlyPart(context);
  let state = "connecting";
  const show = (latest: Latest, actions: ActionList | undefined) => {
    put(root, "stats", stats(latest, state));
    put(root, "actions", latestActions(actions, context));
    put(root, "transactions", transactions(latest, context));
    put(root, "blocks", blockRows(latest.blocks.slice(0, shownRuns)));
  };
  show(first, firstActions);
  let latest = first;
  followBlocks(context, {
    onBeat: async () => {
      const [next, actions] = await Promise.all([
        reader.read(callQuietly),
        indexed ? readLatestActions(callQuietly) : undefined,
      ]);
      latest = next;
      void hours.refresh();
      if (!signal.aborted) show(latest, actions);
    },
    onState: (now, error) => {
      state = now;
      put(root, "stats", stats(latest, state, error));
    },
    onReverted: () => reader.forget(),
  });
};

/** The newest set of validators, if the index has one. Databases of TON Center are not read for it. */
async function readCycle(call: Call): Promise<ValidatorCycle | undefined> {
  try {
    return (await call("v3.validators.cycles", { limit: 1 })).cycles[0];
  } catch (error) {
    if (isRpcError(error, "unavailable") || isMissingMethod(error)) return undefined;
    throw error;
  }
}

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
          ? html`<a class="figure" href="${blockPath({ workchain: -1, shard: masterchainShard, seqno: head.seqno })}">${count(head.seqno)}</a>${claim(["block", -1, masterchainShard, head.seqno], { gen_utime: head.now })}`
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

function transactions({ transactions: rows }: Latest, context: ViewContext): Markup {
  return rows.length > 0 ? transactionRows(rows, context) : html`<p class="empty">None yet.</p>`;
}

/** On a fork: of which network, since when, and what it has of that network. */
function forkFacts({ source, block, utime, proven }: NonNullable<DevnetInfoResult["fork"]>): Markup {
  const network = claimedText(source, 80);
  return html`<section class="first-steps" aria-labelledby="fork-facts"><h2 id="fork-facts">A fork of ${network} since block ${count(block.seqno)}</h2>
    <p>That block was made at ${timeOf(utime)}. Accounts are as they were there at that block: each is read from ${network}, ${proven ? "with a proof" : "whose answers are believed"},
    when it is first needed, so that its address opens it here. All that has happened since then has happened here alone.</p></section>`;
}

/** Wallets that are named. */
const shownWallets = 4;

/** On a devnet: what a newcomer can do with its wallets. */
function firstSteps({ wallets }: Pick<DevnetInfoResult, "wallets">): Markup {
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

/** A line about the network, with links to the pages that have more. */
function networkFacts(cycle: ValidatorCycle | undefined): Markup {
  const set =
    cycle &&
    html`<span><a href="/validators">${count(cycle.total)} ${cycle.total === 1 ? "validator" : "validators"}</a>${cycle.total_stake !== undefined && html` with ${ton(cycle.total_stake)}`}${cycle.election_id !== undefined && html`, elected until ${timeAt(cycle.cycle_end)}`}</span>`;
  return html`<p class="network-facts">${set ?? html`<a href="/validators">Validators</a>`}
    <a href="/pools">Nominator pools</a> <a href="/config">Configuration</a> <a href="/supply">Supply and top accounts</a></p>`;
}
