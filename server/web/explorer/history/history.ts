import type { TransactionId } from "../../../../client/api.js";
import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { rawOf } from "../parts/address.js";
import type { ViewContext } from "../view.js";
import { actionPages } from "./actions.js";
import { showExport } from "./export.js";
import { showPages } from "./pages.js";
import type { ActionFilter } from "./read-actions.js";
import { indexedTransactions, plainTransactions } from "./transactions.js";

type HistoryOptions = { readonly address: string; readonly last: TransactionId };

/** Kinds of actions that the history can be limited to. */
const kinds: Readonly<Record<string, string>> = {
  transfer: "transfers",
  swap: "swaps",
  nft: "NFTs",
  sale: "NFT sales",
  auction: "auctions",
  domain: "domains",
  mint: "mints",
  burn: "burns",
  liquidity: "liquidity",
  stake: "stakes",
  lending: "lending",
  multisig: "multisig",
  vesting: "vesting",
  subscription: "subscriptions",
  wallet: "gasless requests and keys",
  call: "contract calls",
  deploy: "deployments",
};

/** The history of an account: its actions, or its transactions, newest first. Without an index there are transactions only. */
export async function showHistory(
  context: ViewContext,
  place: HTMLElement,
  { address, last }: HistoryOptions,
): Promise<void> {
  if (last.lt === "0") {
    place.innerHTML = html`<p class="empty">Nothing has happened to this account yet.</p>`.text;
    return;
  }
  if (!context.indexed) return showPages(context, place, plainTransactions(context, address, last));
  place.innerHTML = html`<form class="filters" id="history-of">
      <fieldset class="segments"><legend class="off-screen">Show</legend>
        <label><input type="radio" name="of" value="actions" checked><span>Actions</span></label>
        <label><input type="radio" name="of" value="transactions"><span>Transactions</span></label>
      </fieldset>
      <span class="action-filters">
        <label class="off-screen" for="history-kind">Kind of action</label>
        <select id="history-kind" name="kind"><option value="">all kinds</option>${Object.entries(kinds).map(([kind, text]) => html`<option value="${kind}">${text}</option>`)}</select>
        <label class="off-screen" for="history-other">Other account or token</label>
        <input id="history-other" name="other" placeholder="with an account or token" maxlength="80" autocomplete="off" spellcheck="false">
      </span>
      <span class="problem" role="status"></span>
    </form><div data-pages></div><div data-export></div>`.text;
  const form = elementOf<HTMLFormElement>(place, "form");
  const pages = elementOf(place, "[data-pages]");
  const exported = elementOf(place, "[data-export]");
  const problem = elementOf(place, ".problem");
  const show = async () => {
    const chosen = new FormData(form);
    const isOfActions = chosen.get("of") !== "transactions";
    elementOf(place, ".action-filters").hidden = !isOfActions;
    // It would save what the last filter lets through.
    exported.replaceChildren();
    if (!isOfActions) {
      problem.textContent = "";
      return showPages(context, pages, indexedTransactions(context, address));
    }
    const filter = filterOf(chosen);
    problem.textContent = filter ? "" : "Needed: an address, raw or friendly.";
    if (!filter) return;
    await showPages(context, pages, actionPages(context, address, filter));
    showExport(context, exported, { address, filter });
  };
  const shown = show();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => void show());
  // Fields that are restored say so with this event alone.
  form.addEventListener("input", (event) => {
    if (!(event as InputEvent).isTrusted) void show();
  });
  await shown;
}

function filterOf(chosen: FormData): ActionFilter | undefined {
  const kind = String(chosen.get("kind"));
  const typed = String(chosen.get("other")).trim();
  const other = rawOf(typed)?.toUpperCase();
  if (typed !== "" && other === undefined) return undefined;
  return { ...(kind !== "" && { kind }), ...(other !== undefined && { other }) };
}
