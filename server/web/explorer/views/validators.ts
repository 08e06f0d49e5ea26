import type { ValidatorCycle } from "../../../../client/api.js";
import { readBag } from "../../../../client/values/bag-of-cells.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { readParameter } from "../config/parameters.js";
import { rowsMarkup } from "../config/value-markup.js";
import { type Page as ListPage, pagesByOffset, showPages } from "../history/pages.js";
import {
  complaintTable,
  cyclePill,
  cycleTable,
  electionTable,
  type Moment,
  memberTable,
  stakeRows,
} from "../network/validator-tables.js";
import { count, ton } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { needsIndex } from "../parts/failure.js";
import { durationText, timeOf } from "../parts/time.js";
import type { View, ViewContext } from "../view.js";

const pageLength = 10;
const eventsPerPage = 20;
/** The latest time that the index has. */
const latest = 2 ** 31 - 1;
/** Parameter with the validators in force. */
const currentSet = 34;

/**
 * Validators: the set in force, or that of `?cycle=<begin>` or `?election=<id>`, elections, cycles, complaints and stakes.
 */
export const showValidators: View = async (context) => {
  const { root, title, indexed } = context;
  title("Validators");
  const page = document.createElement("div");
  await (indexed ? showIndexed(context, page) : showPlain(context, page));
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

/** The set in force as the configuration has it, and why there is nothing more. */
async function showPlain(
  { call, names }: ViewContext,
  page: HTMLElement,
  reason = needsIndex("A list of stakes, elections and complaints"),
): Promise<void> {
  const { config } = await call("getConfigParam", { param: currentSet });
  const rows = readParameter(currentSet, readBag(config.bytes));
  page.innerHTML = html`<h1 tabindex="-1">Validators</h1>
    ${rows ? rowsMarkup(rows, names, "Set") : html`<p class="empty">The set of this network has another form.</p>`}
    ${reason}`.text;
}

async function showIndexed(context: ViewContext, page: HTMLElement): Promise<void> {
  const { call, query, devnet } = context;
  const asked = askedSet(query);
  const [{ last }, { cycles: newest }, state] = await Promise.all([
    call("v3.masterchainInfo"),
    call("v3.validators.cycles", { limit: pageLength }),
    // The devnet may require a key for it.
    devnet ? call("devnet.elections").catch(() => undefined) : undefined,
  ]);
  // Without elections the index has no set, and all lists are empty.
  if (state?.preset === "off" && newest.length === 0)
    return showPlain(context, page, html`<p class="hint">${devnetState(state)}</p>`);
  const now = Number(last.gen_utime);
  const inForce = newest.find((cycle) => cycle.cycle_start <= now)?.cycle_start;
  const wanted = asked ?? (inForce === undefined ? undefined : { cycle_start: inForce });
  const found =
    wanted && (await call("v3.validators.cycles", { ...wanted, return_validators: true, limit: 1 }));
  const shown = found?.cycles[0];
  const heads = html`<h1 tabindex="-1">Validators</h1>
    ${state && html`<p class="hint">${devnetState(state)}</p>`}
    ${shown ? setMarkup(context, shown, { inForce, now }) : html`<p class="empty">${asked ? "The index does not have this set of validators: it may still be elected." : "No set of validators is in the index yet."}</p>`}`;
  page.innerHTML = html`${heads}
    ${asked && html`<p><a href="/validators">The set in force</a></p>`}
    ${lists.map(({ id, title }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><div data-part="${id}"></div></section>`)}`.text;
  await Promise.all(
    lists.map((list) =>
      showPages(
        context,
        elementOf(page, `[data-part="${list.id}"]`),
        pagesOf(context, list, { now, inForce }),
      ),
    ),
  );
}

/** The set that the address names. */
function askedSet(query: URLSearchParams) {
  const number = (name: string) => {
    const text = query.get(name);
    return text !== null && /^\d{1,10}$/.test(text) ? Math.min(Number(text), latest) : undefined;
  };
  const [cycle_start, election_id] = [number("cycle"), number("election")];
  if (cycle_start !== undefined) return { cycle_start };
  return election_id === undefined ? undefined : { election_id };
}

function setMarkup({ names }: ViewContext, cycle: ValidatorCycle, { inForce, now }: Moment): Markup {
  const members = cycle.validators ?? [];
  return html`${facts([
    ["Set", cyclePill(cycle, { inForce, now })],
    ["From", timeOf(cycle.cycle_start)],
    ["To", timeOf(cycle.cycle_end)],
    ["Validators", html`${count(cycle.total)}, ${count(cycle.main)} of them in the masterchain`],
    [
      "Stakes",
      cycle.total_stake === undefined ? "not known: the set was not elected" : ton(cycle.total_stake),
    ],
    ["Smallest stake allowed", ton(cycle.min_stake_limit)],
    ["Stakes are held for", durationText(cycle.stake_held_for)],
    ["Next election", html`begins ${durationText(cycle.elections_start_before)} before the end`],
  ])}
  ${members.length > 0 && memberTable(members, cycle, names)}`;
}

type Elections = { readonly preset: string; readonly phase: string; readonly next_due: number | null };

/** The election of a devnet; without elections, how to start some. */
function devnetState({ preset, phase, next_due: due }: Elections): Content {
  if (preset === "off")
    return html`This devnet holds no elections: all its blocks are signed by the set above. Start a new one with elections: <code>tonwire start --devnet-elections</code>`;
  const phases: Readonly<Record<string, string>> = {
    idle: "No election is open.",
    open: "An election is open.",
    closed: "An election is closed: the set is being chosen.",
    installed: "The next set is chosen, and waits for its time.",
  };
  return html`${phases[phase] ?? phase} ${due !== null && html`The phase ends at ${timeOf(due)}; <code>devnet.skipPhase</code> ends it now.`}`;
}

type Page = { readonly limit: number; readonly offset: number };
type ReadList = (
  context: ViewContext,
  page: Page,
  moment: Moment,
) => Promise<{
  readonly many: number;
  /** Markup of the records, once their names are known. */
  readonly rows: () => Markup;
}>;

type List = {
  readonly id: string;
  readonly title: string;
  readonly limit: number;
  readonly read: ReadList;
};

const lists: readonly List[] = [
  {
    id: "elections",
    title: "Elections",
    limit: pageLength,
    async read({ call, names }, page, moment) {
      const { elections } = await call("v3.validators.elections", page);
      return {
        many: elections.length,
        rows: () => electionTable(elections, { ...moment, names, offset: page.offset }),
      };
    },
  },
  {
    id: "cycles",
    title: "Cycles",
    limit: pageLength,
    async read({ call, names }, page, moment) {
      const { cycles } = await call("v3.validators.cycles", page);
      return {
        many: cycles.length,
        rows: () => cycleTable(cycles, { ...moment, names, offset: page.offset }),
      };
    },
  },
  {
    id: "complaints",
    title: "Complaints",
    limit: pageLength,
    async read({ call, names }, page, moment) {
      const { complaints } = await call("v3.validators.complaints", page);
      return {
        many: complaints.length,
        rows: () => complaintTable(complaints, { ...moment, names, offset: page.offset }),
      };
    },
  },
  {
    id: "stakes",
    title: "Stakes",
    limit: eventsPerPage,
    async read({ call, names }, page) {
      const { events } = await call("v3.validators.events", page);
      return { many: events.length, rows: () => stakeRows(events, names) };
    },
  },
];

function pagesOf(context: ViewContext, { limit, read }: List, moment: Moment): () => Promise<ListPage> {
  return pagesByOffset(limit, async (page) => {
    const { many, rows } = await read(context, page, moment);
    return { rows: many === 0 ? html`` : rows(), many };
  });
}
