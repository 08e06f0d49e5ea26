import type { JettonWallet } from "../../../../client/api.js";
import { html } from "../../pages/markup.js";
import { type Page, pagesByCursor, unseen } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { shortPercent } from "../parts/percent.js";
import { jettonAmount } from "../parts/tokens.js";
import type { ViewContext } from "../view.js";

const pageLength = 25;

type Options = { readonly master: string; readonly supply: bigint };

/** Reads the holders of a jetton, largest balance first, with their shares of the supply. */
export function holderPages({ call, names }: ViewContext, { master, supply }: Options): () => Promise<Page> {
  const newOf = unseen<JettonWallet>();
  let rank = 0;
  return pagesByCursor(pageLength, async (page) => {
    const {
      jetton_wallets: wallets,
      metadata,
      cursor,
    } = await call("v3.jetton.wallets", {
      jetton_address: [master],
      exclude_zero_balance: true,
      ...page,
    });
    const rows = newOf(wallets).map(({ address, owner, balance }) => {
      rank++;
      const share = shortPercent(BigInt(balance), supply);
      return html`<li><span class="rank aside">${count(rank)}</span>
        <span class="holder">${addressLink(owner, { names, bare: true })}</span>
        <span class="line-value">${jettonAmount(balance, master, metadata)}
          <span class="aside">${share !== undefined && `${share} · `}${addressLink(address, { text: "wallet", bare: true })}</span></span></li>`;
    });
    return {
      rows: html`${rows.length > 0 && html`<ul class="tokens holders">${rows}</ul>`}`,
      cursor,
    };
  });
}
