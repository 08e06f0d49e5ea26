import type { NominatorEvent, NominatorPool } from "../../../../client/api.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { barChart } from "../charts/bar-chart.js";
import { type Page, showPages } from "../history/pages.js";
import { type Round, roundsOf } from "../network/pool-rewards.js";
import { poolState } from "../network/pool-state.js";
import { addressLink, friendlyOf } from "../parts/address.js";
import { amountText, coin, count, ton } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { needsIndex } from "../parts/failure.js";
import { hashText, transactionPath } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { percent } from "../parts/percent.js";
import { listTable, numbers } from "../parts/table.js";
import { timeAgo, timeAt } from "../parts/time.js";
import type { View, ViewContext } from "../view.js";
import { isAbsent } from "./pools.js";

/** Events read for the chart: the most of one answer. */
const chartEvents = 1000;
const shownRounds = 60;
const pageLength = 200;

/** A nominator pool: its stake, nominators, rewards over time and events. */
export const showPool: View = async (context) => {
  const { root, params, title, call, names, indexed } = context;
  const given = memberOf(params, "address");
  const friendly = friendlyOf(given);
  title("Nominator pool");
  if (friendly === undefined || !indexed) {
    root.innerHTML = html`<h1 tabindex="-1">Nominator pool</h1>
      ${friendly === undefined ? html`<p class="empty">This is no address: <code>${given.slice(0, 100)}</code></p>` : needsIndex("A nominator pool")}`.text;
    return;
  }
  const path = "v3.staking.nominatorPools";
  const pool = await call(`${path}.pool`, { pool: friendly }).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (!pool) {
    root.innerHTML = html`<h1 tabindex="-1">No nominator pool</h1>
      <p>The index has no pool at ${addressLink(friendly, { names })}. <a href="/pools?nominator=${friendly}">Pools of this nominator</a></p>`.text;
    return;
  }
  const [{ events }, { rewards }] = await Promise.all([
    call(`${path}.nominatorEvents`, { pool: friendly, limit: chartEvents }),
    call(`${path}.validatorRewards`, {
      validator: pool.validator_address,
      pool: friendly,
      limit: chartEvents,
    }),
  ]);
  const name = names.of(friendly);
  title(name ?? "Nominator pool");
  const rounds = roundsOf(events, rewards).slice(-shownRounds);
  const page = document.createElement("div");
  page.innerHTML = html`<p class="crumb"><a href="/pools">Nominator pools</a></p>
    <h1 tabindex="-1">${name ?? html`<span class="whole">${friendly}</span>`} ${poolState(pool.state)}</h1>
    ${poolFacts(pool, friendly, names)}
    <section aria-labelledby="rewards"><h2 id="rewards">Rewards</h2>${rewardChart(rounds)}</section>
    <section aria-labelledby="nominators"><h2 id="nominators">Nominators</h2>${nominatorTable(pool, names)}</section>
    <section aria-labelledby="events"><h2 id="events">Events</h2><div data-part="events"></div></section>`.text;
  await showPages(context, elementOf(page, "[data-part=events]"), eventPages(context, friendly));
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

function poolFacts(pool: NominatorPool, friendly: string, names: Names): Markup {
  return facts([
    ["Account", addressLink(friendly, { text: "balance, history, code" })],
    ["Validator", addressLink(pool.validator_address, { names })],
    ["Staked", ton(pool.stake_amount_sent)],
    ["Coins of the validator", ton(pool.validator_amount)],
    ["Validator's share of rewards", `${pool.validator_reward_share / 100} %`],
    ["Nominators", `${count(pool.nominators_count)} of at most ${count(pool.max_nominators_count)}`],
    ["Smallest stake of a nominator", ton(pool.min_nominator_stake)],
    ["Smallest stake of the validator", ton(pool.min_validator_stake)],
  ]);
}

/** Rewards by round, and the same as a table. */
function rewardChart(rounds: readonly Round[]): Markup {
  if (rounds.length === 0) return html`<p class="empty">The index knows no reward of this pool.</p>`;
  const total = (round: Round) => round.nominators + round.validator;
  const sum = rounds.reduce((all, round) => all + total(round), 0n);
  const bars = rounds.map((round) => ({
    size: Number(total(round)),
    title: `${amountText(total(round), 9)} ${coin()}`,
  }));
  return html`<p>${ton(sum)} in ${rounds.length === 1 ? "one round" : `${rounds.length} rounds`}.</p>
    <div class="chart-tall">${barChart(bars, "Rewards of the pool by round, oldest first")}</div>
    <details class="fold"><summary>Rounds as a table</summary>${listTable(
      "Rewards by round",
      [
        "Time",
        numbers(`Nominators, ${coin()}`),
        numbers("Share of stakes"),
        numbers("Validator"),
        "Transaction",
      ],
      rounds
        .toReversed()
        .map((round) => [
          timeAt(round.time),
          amountText(round.nominators, 9),
          round.staked > 0n && round.nominators >= 0n ? percent(round.nominators, round.staked, 4) : "",
          amountText(round.validator, 9),
          hashText(round.hash, transactionPath),
        ]),
    )}</details>`;
}

function nominatorTable({ active_nominators: nominators }: NominatorPool, names: Names): Markup {
  if (nominators.length === 0) return html`<p class="empty">The pool has no nominators.</p>`;
  const all = nominators.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  const bySize = nominators.toSorted(
    (a, b) => Number(BigInt(b.balance) > BigInt(a.balance)) - Number(BigInt(b.balance) < BigInt(a.balance)),
  );
  return listTable(
    "Table of nominators",
    ["Nominator", numbers(`Balance, ${coin()}`), numbers("Share"), numbers("Waiting")],
    bySize.map(({ address, balance, pending_balance: pending }) => [
      addressLink(address, { names }),
      amountText(balance, 9),
      percent(balance, all),
      amountText(pending, 9),
    ]),
  );
}

const eventWords: Readonly<Record<NominatorEvent["type"], string>> = {
  reward: "reward",
  pending_deposit_activation: "waiting deposit takes part",
  deposit: "deposit",
  withdrawal: "withdrawal",
  withdrawal_request: "wants to withdraw",
};

/** Events of nominators, newest first. Pages are cut by time, so that the next one begins with known events. */
function eventPages({ call, names }: ViewContext, pool: string): () => Promise<Page> {
  let end: number | undefined;
  const seen = new Set<string>();
  return async () => {
    const { events } = await call("v3.staking.nominatorPools.nominatorEvents", {
      pool,
      limit: pageLength,
      ...(end !== undefined && { end_utime: end }),
    });
    const fresh = events.filter((event) => !seen.has(keyOf(event)));
    for (const event of fresh) seen.add(keyOf(event));
    const last = events.at(-1)?.utime;
    // A page of known events alone would be read again and again.
    end = last !== undefined && fresh.length === 0 ? last - 1 : last;
    return { rows: eventRows(fresh, names), isLast: events.length < pageLength };
  };
}

const keyOf = ({ tx_hash: hash, nominator_address: who, type }: NominatorEvent) => `${hash} ${who} ${type}`;

function eventRows(events: readonly NominatorEvent[], names: Names): Markup {
  if (events.length === 0) return html``;
  return html`<ol class="rows">${events.map(
    (
      event,
    ) => html`<li><div class="row-id"><strong>${addressLink(event.nominator_address, { names, bare: true })}</strong><span class="aside">${timeAgo(event.utime)}</span></div>
      <div class="row-lines"><span class="aside">${eventWords[event.type]}</span>${event.type !== "withdrawal_request" && html` ${ton(event.amount)}`}</div>
      <div class="row-end">${hashText(event.tx_hash, transactionPath)}</div></li>`,
  )}</ol>`;
}
