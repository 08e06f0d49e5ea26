import type {
  ValidatorComplaint,
  ValidatorCycle,
  ValidatorElection,
  ValidatorEvent,
} from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { amountText, coin, count, ton } from "../parts/amount.js";
import { hashText, transactionPath } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { percent } from "../parts/percent.js";
import { listTable, numbers } from "../parts/table.js";
import { timeAgo, timeAt } from "../parts/time.js";

/** The moment by which elections and sets are judged. */
export type Moment = {
  readonly now: number;
  /** Begin of the set in force, which can be older than its end says if an election fails. */
  readonly inForce: number | undefined;
};

type PageOf = Moment & { readonly offset: number; readonly names: Names };

/** Tables of later pages have other titles. */
const titleOf = (title: string, offset: number) => (offset === 0 ? title : `${title} from ${offset + 1}`);

type Members = NonNullable<ValidatorCycle["validators"]>;

const inCoins = (nanotons: string | undefined) =>
  nanotons === undefined ? "unknown" : amountText(nanotons, 9);

/** Members of a set with their stakes and weights. */
export function memberTable(members: Members, { total_weight: all }: ValidatorCycle, names: Names): Markup {
  return listTable(
    "Validators of the set",
    [
      numbers("Place"),
      "Stake of",
      numbers(`Stake, ${coin()}`),
      numbers("Weight"),
      "Public key",
      "ADNL address",
      "",
    ],
    members.map((member) => [
      count(member.validator_index),
      member.stake_holder_address === undefined
        ? html`<span class="none">not elected</span>`
        : addressLink(member.stake_holder_address, { names }),
      inCoins(member.stake),
      percent(member.weight, all),
      hashText(member.validator_pubkey),
      hashText(member.adnl_addr),
      member.complaints.length > 0 &&
        html`<a class="pill bad" href="#complaints">${member.complaints.length === 1 ? "complaint" : `${member.complaints.length} complaints`}</a>`,
    ]),
  );
}

/** The state of an election at a unix time. */
function electionState({ finished, failed, elect_close: close }: ValidatorElection, now: number): Markup {
  if (finished) return html`<span class="pill good">elected</span>`;
  if (failed) return html`<span class="pill bad">not held yet</span>`;
  return html`<span class="pill">${now < close ? "open" : "closed"}</span>`;
}

export function electionTable(elections: readonly ValidatorElection[], { now, offset }: PageOf): Markup {
  return listTable(
    titleOf("Table of elections", offset),
    [
      "For the set from",
      "State",
      "Closes",
      numbers("Stakes"),
      numbers(`Sum, ${coin()}`),
      numbers("Smallest"),
    ],
    elections.map((election) => [
      html`<a href="/validators?election=${election.election_id}">${timeAt(election.election_id)}</a>`,
      electionState(election, now),
      timeAt(election.elect_close),
      count(election.total_participants),
      inCoins(election.total_stake),
      inCoins(election.min_stake),
    ]),
  );
}

export function cycleTable(cycles: readonly ValidatorCycle[], { offset, ...moment }: PageOf): Markup {
  return listTable(
    titleOf("Table of cycles", offset),
    [
      "From",
      "To",
      "",
      numbers("Validators"),
      numbers(`Stakes, ${coin()}`),
      numbers("Smallest"),
      numbers("Largest"),
    ],
    cycles.map((cycle) => [
      html`<a href="/validators?cycle=${cycle.cycle_start}">${timeAt(cycle.cycle_start)}</a>`,
      timeAt(cycle.cycle_end),
      cyclePill(cycle, moment),
      count(cycle.total),
      inCoins(cycle.total_stake),
      inCoins(cycle.min_stake),
      inCoins(cycle.max_stake),
    ]),
  );
}

export function cyclePill(
  { cycle_start: start, cycle_end: end }: ValidatorCycle,
  { inForce, now }: Moment,
): Markup {
  // It stays in force until another set is elected.
  if (start === inForce && end < now) return html`<span class="pill bad">in force, out of date</span>`;
  if (start === inForce) return html`<span class="pill good">in force</span>`;
  return html`<span class="pill">${inForce !== undefined && start < inForce ? "past" : "next"}</span>`;
}

export function complaintTable(complaints: readonly ValidatorComplaint[], { names, offset }: PageOf): Markup {
  return listTable(
    titleOf("Table of complaints", offset),
    [
      "About",
      "Made",
      numbers(`Fine, ${coin()}`),
      numbers("Approved"),
      "",
      numbers("Votes"),
      "By",
      "Set from",
    ],
    complaints.map((complaint) => [
      complaint.stake_holder_address === undefined
        ? hashText(complaint.validator_pubkey)
        : addressLink(complaint.stake_holder_address, { names }),
      timeAt(complaint.created_at),
      html`${inCoins(complaint.suggested_fine)}${complaint.suggested_fine_part > 0 && ` and ${percent(BigInt(complaint.suggested_fine_part), 2n ** 32n)} of the stake`}`,
      `${complaint.approved_percent} %`,
      complaint.is_passed ? html`<span class="pill bad">fined</span>` : html`<span class="pill">open</span>`,
      count(complaint.voted_validators.length),
      addressLink(complaint.reward_address, { names }),
      html`<a href="/validators?cycle=${complaint.cycle_start}">${timeAt(complaint.cycle_start)}</a>`,
    ]),
  );
}

const eventWords: Readonly<Record<ValidatorEvent["type"], string>> = {
  stake_accepted: "stake accepted",
  stake_rejected: "stake rejected",
  stake_recovered: "stake recovered",
  recover_requested: "recovery requested",
  recover_failed: "nothing to recover",
};

const reasons: Readonly<Record<number, string>> = {
  0: "no election, or not from the masterchain",
  1: "wrong signature",
  2: "below 1/4096 of all stakes",
  3: "another election",
  4: "the key is another account's",
  5: "below the smallest stake",
  6: "factor below 1",
};

/** Stakes and recoveries as a list, which grows page by page. */
export function stakeRows(events: readonly ValidatorEvent[], names: Names): Markup {
  return html`<ol class="rows">${events.map(
    (
      event,
    ) => html`<li><div class="row-id"><strong>${addressLink(event.stake_holder_address, { names, bare: true })}</strong><span class="aside">${timeAgo(event.utime)}</span>${event.type === "stake_rejected" && html`<span class="pill bad">rejected</span>`}</div>
      <div class="row-lines"><span class="aside">${eventWords[event.type]}${event.reason !== undefined && `: ${reasons[event.reason] ?? `reason ${event.reason}`}`}</span> ${ton(event.amount)}</div>
      <div class="row-end">${hashText(event.tx_hash, transactionPath)}</div></li>`,
  )}</ol>`;
}
