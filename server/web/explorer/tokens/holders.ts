import { html } from "../../pages/markup.js";
import type { Page } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { jettonAmount } from "../parts/tokens.js";
import type { ViewContext } from "../view.js";
import { percent } from "./share.js";

const pageLength = 25;

type Options = { readonly master: string; readonly supply: bigint };

/** Reads the holders of a jetton, largest balance first, with their shares of the supply. */
export function holderPages({ call, names }: ViewContext, { master, supply }: Options): () => Promise<Page> {
  /** A wallet whose balance changes between two pages may be on both. */
  const shown = new Set<string>();
  let offset = 0;
  return async () => {
    const {
      jetton_wallets: wallets,
      metadata,
      address_book: book,
    } = await call("v3.jetton.wallets", {
      jetton_address: [master],
      exclude_zero_balance: true,
      limit: pageLength,
      offset,
    });
    names.learn(book);
    offset += wallets.length;
    const rows = wallets.flatMap(({ address, owner, balance }) => {
      if (shown.has(address)) return [];
      shown.add(address);
      const share = percent(BigInt(balance), supply);
      return html`<li><span class="rank aside">${count(shown.size)}</span>
        <span class="holder">${addressLink(owner, { names, bare: true })}</span>
        <span class="line-value">${jettonAmount(balance, master, metadata)}
          <span class="aside">${share !== undefined && `${share} · `}${addressLink(address, { text: "wallet", bare: true })}</span></span></li>`;
    });
    return {
      rows: html`${rows.length > 0 && html`<ul class="tokens holders">${rows}</ul>`}`,
      isLast: wallets.length < pageLength,
    };
  };
}
