import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { type Page, pagesByOffset, showPages } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { amountText, coin, count, ton } from "../parts/amount.js";
import { blockLink, masterchainShard } from "../parts/block-id.js";
import { facts } from "../parts/facts.js";
import { needsIndex } from "../parts/failure.js";
import { percent } from "../parts/percent.js";
import { listTable, numbers } from "../parts/table.js";
import type { View, ViewContext } from "../view.js";

const pageLength = 50;

/** How many coins there are, and the accounts with the largest balances. */
export const showSupply: View = async (context) => {
  const { root, title, call, indexed } = context;
  title("Supply");
  const supply = indexed ? await call("v3.supply") : undefined;
  const page = document.createElement("div");
  page.innerHTML = html`<h1 tabindex="-1">Supply and top accounts</h1>
    ${
      supply &&
      facts([
        ["Supply", html`<span class="balance">${ton(supply.total)}</span>`],
        ["After block", blockLink({ workchain: -1, shard: masterchainShard, seqno: supply.mc_seqno })],
      ])
    }
    <p class="hint">The supply includes messages on their way and fees. Parameters <a href="/config#param14">14</a> and
    <a href="/config#param5">5</a> of the configuration say what blocks create and burn.</p>
    <section aria-labelledby="top"><h2 id="top">Top accounts</h2><div data-part="top"></div></section>`.text;
  const top = elementOf(page, "[data-part=top]");
  if (indexed) await showPages(context, top, accountPages(context, supply?.total));
  else top.innerHTML = needsIndex("A list of the largest balances").text;
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

function accountPages({ call, names }: ViewContext, supply = "0"): () => Promise<Page> {
  return pagesByOffset(pageLength, async (page) => {
    const accounts = await call("v3.topAccountsByBalance", page);
    const { offset: first } = page;
    const many = accounts.length;
    if (many === 0) return { rows: html``, many };
    const address = accounts.map(({ account }) => account);
    names.learn({ address_book: await call("v3.addressBook", { address }) });
    const rows = listTable(
      first === 0 ? "Table of top accounts" : `Table of top accounts from ${first + 1}`,
      [numbers("Place"), "Account", numbers(`Balance, ${coin()}`), numbers("Share")],
      accounts.map(({ account, balance }, index) => [
        count(first + index + 1),
        addressLink(account, { names }),
        amountText(balance, 9),
        percent(balance, supply),
      ]),
    );
    return { rows, many };
  });
}
