import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { needsIndex } from "../parts/failure.js";
import { isTick } from "../parts/message-line.js";
import { rowsOf, transactionRows } from "../parts/transaction-rows.js";
import type { View } from "../view.js";

const pageLength = 50;
const workchains = { all: "all workchains", "0": "the basechain", "-1": "the masterchain" } as const;

/**
 * Transactions of all accounts, newest first. The address has the options: `?workchain=0`, `?ticks=1` to include ticks
 * and tocks, and `?end_lt=<lt>&offset=<n>` for a stable page.
 */
export const showTransactions: View = async (context) => {
  const { root, query, title, call, indexed, go } = context;
  title("Transactions");
  const heading = html`<h1 tabindex="-1">Transactions</h1>`;
  if (!indexed) {
    root.innerHTML = html`${heading}${needsIndex("A list of transactions across accounts")}
      <p>The <a href="/">newest ones</a> are read from the blocks; a <a href="/blocks">block</a> lists its own.</p>`.text;
    return;
  }
  const chosen = query.get("workchain") ?? "all";
  const workchain = Object.hasOwn(workchains, chosen) ? (chosen as keyof typeof workchains) : "all";
  const hasTicks = query.get("ticks") === "1";
  const endLt = /^\d{1,20}$/.exec(query.get("end_lt") ?? "")?.[0];
  const offset = Number(/^\d{1,9}$/.exec(query.get("offset") ?? "")?.[0] ?? 0);
  const { transactions, ...extras } = await call("v3.transactions", {
    limit: pageLength,
    include_abi: true,
    ...(offset > 0 && { offset }),
    ...(endLt !== undefined && { end_lt: endLt }),
    ...(workchain !== "all" && { workchain: Number(workchain) }),
  });
  const shown = hasTicks ? transactions : transactions.filter((each) => !isTick(each));
  const hidden = transactions.length - shown.length;
  const address = (change: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams({
      ...(workchain !== "all" && { workchain }),
      ...(hasTicks && { ticks: "1" }),
      ...change,
    }).toString();
    return `/transactions${search && `?${search}`}`;
  };
  const top = endLt ?? transactions[0]?.lt;
  root.innerHTML = html`${heading}
    <form class="filters"><label for="workchain">Of</label>
      <select id="workchain">${Object.entries(workchains).map(
        ([value, text]) =>
          html`<option value="${value}"${value === workchain && html` selected`}>${text}</option>`,
      )}</select>
      <label class="check"><input type="checkbox" id="ticks"${hasTicks && html` checked`}> with ticks and tocks of special contracts</label></form>
    ${shown.length > 0 ? html`<div class="narrow">${transactionRows(rowsOf(shown, extras), context)}</div>` : html`<p class="empty">${hidden > 0 ? "Only ticks and tocks here." : "None."}</p>`}
    <p class="more pages">${offset > 0 && html`<a href="${address({})}">← Newest</a>`}
      ${transactions.length === pageLength && top !== undefined && html`<a href="${address({ end_lt: top, offset: String(offset + pageLength) })}">Older →</a>`}
      ${hidden > 0 && html`<span class="aside">${hidden} ${hidden === 1 ? "tick or tock is" : "ticks and tocks are"} left out</span>`}</p>`.text;
  const select = elementOf<HTMLSelectElement>(root, "#workchain");
  const ticks = elementOf<HTMLInputElement>(root, "#ticks");
  elementOf<HTMLFormElement>(root, "form").addEventListener("change", () => {
    const search = new URLSearchParams({
      ...(select.value !== "all" && { workchain: select.value }),
      ...(ticks.checked && { ticks: "1" }),
    }).toString();
    go(`/transactions${search && `?${search}`}`);
  });
};
