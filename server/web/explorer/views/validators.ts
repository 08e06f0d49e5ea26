import type { ValidatorCycle } from "../../../../client/api.js";
import { readBag } from "../../../../client/chain/bag-of-cells.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { readParameter } from "../config/parameters.js";
import { rowsMarkup } from "../config/value-markup.js";
import { type Page, showPages } from "../history/pages.js";
import {
  complaintTable,
  cyclePill,
  cycleTable,
  electionTable,
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

/** Without an index only the configuration has the set in force. */
async function showPlain({ call, names }: ViewContext, page: HTMLElement): Promise<void> {
  const { config } = await call("getConfigParam", { param: currentSet });
  const rows = readParameter(currentSet, readBag(config.bytes));
  page.innerHTML = html`<h1 tabindex="-1">Validators</h1>
    ${rows ? rowsMarkup(rows, names, "Set") : html`<p class="empty">The set of this network has another form.</p>`}
    ${needsIndex("A list of stakes, elections and complaints")}`.text;
}

async function showIndexed(context: ViewContext, page: HTMLElement): Promise<void> {
  const { call, query, devnet, names } = context;
  const asked = askedSet(query);
  const [{ last }, { cycles: newest }, state] = await Promise.all([
    call("v3.masterchainInfo"),
    call("v3.validators.cycles", { limit: pageLength }),
    // The devnet may require a key for it.
    devnet ? call("devnet.elections").catch(() => undefined) : undefined,
  ]);
  const now = Number(last.gen_utime);
  const inForce = newest.find((cycle) => cycle.cycle_start <= now);
  const wanted = asked ?? (inForce && { cycle_start: inForce.cycle_start });
  const found =
    wanted && (await call("v3.validators.cycles", { ...wanted, return_validators: true, limit: 1 }));
  const shown = found?.cycles[0];
  names.learn(found?.address_book ?? {});
  const heads = html`<h1 tabindex="-1">Validators</h1>
    ${state && html`<p class="hint">${devnetState(state)}</p>`}
    ${shown ? setMarkup(context, shown, now) : html`<p class="empty">${asked ? "The index does not have this set of validators: it may still be elected." : "No set of validators is in the index yet."}</p>`}`;
  page.innerHTML = html`${heads}
    ${asked && html`<p><a href="/validators">The set in force</a></p>`}
    ${lists.map(({ id, title }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><div data-part="${id}"></div></section>`)}`.text;
  await Promise.all(
    lists.map(({ id, read }) => {
      let offset = 0;
      return showPages(context, elementOf(page, `[data-part="${id}"]`), async (): Promise<Page> => {
        const { rows, many, limit } = await read(context, offset, now);
        offset += many;
        return { rows, isLast: many < limit };
      });
    }),
  );
}

/** The set that the address names. */
function askedSet(query: URLSearchParams) {
  const number = (name: string) => {
    const text = query.get(name);
    return text !== null && /^\d{1,9}$|^[12]\d{9}$/.test(text) ? Number(text) : undefined;
  };
  const [cycle_start, election_id] = [number("cycle"), number("election")];
  if (cycle_start !== undefined) return { cycle_start };
  return election_id === undefined ? undefined : { election_id };
}

function setMarkup({ names }: ViewContext, cycle: ValidatorCycle, now: number): Markup {
  const members = cycle.validators ?? [];
  return html`${facts([
    ["Set", cyclePill(cycle, now)],
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

/** What a devnet holds; without elections, how to have them. */
function devnetState({ preset, phase, next_due: due }: Elections): Content {
  if (preset === "off")
    return html`This devnet holds no elections. Start a new one with them: <code>tonwire devnet --devnet-elections</code>`;
  const phases: Readonly<Record<string, string>> = {
    idle: "No election is open.",
    open: "An election is open.",
    closed: "An election is closed: the set is being chosen.",
    installed: "The next set is chosen, and waits for its time.",
  };
  return html`${phases[phase] ?? phase} ${due !== null && html`The phase ends at ${timeOf(due)}; <code>devnet.skipPhase</code> ends it now.`}`;
}

type ReadList = (
  context: ViewContext,
  offset: number,
  now: number,
) => Promise<{ readonly rows: Markup; readonly many: number; readonly limit: number }>;

const nothing = (many: number, rows: () => Markup) => (many === 0 ? html`` : rows());

const lists: readonly { readonly id: string; readonly title: string; readonly read: ReadList }[] = [
  {
    id: "elections",
    title: "Elections",
    async read({ call, names }, offset, now) {
      const limit = pageLength;
      const { elections, address_book: book } = await call("v3.validators.elections", { limit, offset });
      names.learn(book);
      const many = elections.length;
      return { rows: nothing(many, () => electionTable(elections, { now, offset, names })), many, limit };
    },
  },
  {
    id: "cycles",
    title: "Cycles",
    async read({ call, names }, offset, now) {
      const limit = pageLength;
      const { cycles } = await call("v3.validators.cycles", { limit, offset });
      const many = cycles.length;
      return { rows: nothing(many, () => cycleTable(cycles, { now, offset, names })), many, limit };
    },
  },
  {
    id: "complaints",
    title: "Complaints",
    async read({ call, names }, offset, now) {
      const limit = pageLength;
      const { complaints, address_book: book } = await call("v3.validators.complaints", { limit, offset });
      names.learn(book);
      const many = complaints.length;
      return { rows: nothing(many, () => complaintTable(complaints, { now, offset, names })), many, limit };
    },
  },
  {
    id: "stakes",
    title: "Stakes",
    async read({ call, names }, offset) {
      const limit = eventsPerPage;
      const { events, address_book: book } = await call("v3.validators.events", { limit, offset });
      names.learn(book);
      const many = events.length;
      return { rows: nothing(many, () => stakeRows(events, names)), many, limit };
    },
  },
];
