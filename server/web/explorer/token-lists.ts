import { type Content, html, type Markup } from "../pages/markup.js";
import { addressLink } from "./parts/address.js";
import { failure, needsIndex } from "./parts/failure.js";
import {
  collectionPath,
  itemName,
  jettonAmount,
  jettonPath,
  nftPath,
  tokenInfo,
  tokenName,
  tokenPageOf,
} from "./parts/tokens.js";
import { picture, watchPictures } from "./tokens/picture.js";
import type { ViewContext } from "./view.js";

const pageLength = 24;

/** The indexed jettons and NFTs of an account, or the items of a collection. */
export async function showTokens(
  context: ViewContext,
  place: HTMLElement,
  { address, kinds }: { readonly address: string; readonly kinds: readonly string[] },
): Promise<void> {
  const { call, names, signal, indexed } = context;
  if (!indexed) {
    place.innerHTML = html`<h2>Tokens</h2>${needsIndex("The list of an account's jettons and NFTs")}`.text;
    return;
  }
  const isCollection = kinds.includes("nft_collection");
  const isMaster = kinds.includes("jetton_master");
  watchPictures(place);
  try {
    const [owned, items] = await Promise.all([
      call("v3.jetton.wallets", {
        ...(isMaster ? { jetton_address: [address] } : { owner_address: [address] }),
        exclude_zero_balance: true,
        limit: pageLength,
      }),
      call("v3.nft.items", {
        ...(isCollection ? { collection_address: [address] } : { owner_address: [address] }),
        limit: pageLength,
      }),
    ]);
    if (signal.aborted) return;
    const jettons = owned.jetton_wallets.map(({ address: wallet, jetton, owner, balance }) => {
      const info = tokenInfo(owned.metadata, jetton, "jetton_masters");
      const name = tokenName(info, "Jetton");
      const shown = isMaster ? false : picture({ address: jetton, info });
      return html`<li>${shown}${isMaster ? addressLink(owner, { names, bare: true }) : addressLink(jetton, { text: name, bare: true, path: jettonPath })}
        <span class="aside">${addressLink(wallet, { text: "wallet", bare: true })}</span>
        <span class="line-value">${jettonAmount(balance, jetton, owned.metadata)}</span></li>`;
    });
    const nfts = items.nft_items.map((item) => {
      const { address: at, collection_address: collection, owner_address: owner } = item;
      const from = collection === null ? undefined : tokenInfo(items.metadata, collection, "nft_collections");
      const text = from?.name === undefined ? undefined : tokenName(from, "Collection");
      const where = isCollection
        ? addressLink(owner, { names, bare: true })
        : collection !== null && addressLink(collection, { names, text, bare: true, path: collectionPath });
      const info = tokenInfo(items.metadata, at, "nft_items");
      return html`<li>${picture({ address: at, info })}${addressLink(at, { text: itemName(item, items.metadata, names), bare: true, path: nftPath })}
        <span class="aside line-value">${where}</span></li>`;
    });
    place.innerHTML =
      html`${tokenList(isMaster ? "Holders" : "Jettons", jettons)}${tokenList(isCollection ? "Items" : "NFTs", nfts)}`.text;
  } catch (error) {
    if (!signal.aborted) place.innerHTML = html`<h2>Tokens</h2>${failure(error)}`.text;
  }
}

/** A link from a token's account to the token's page. */
export function tokenPageLink({ indexed }: ViewContext, kinds: readonly string[], friendly: string): Content {
  const page = tokenPageOf(kinds);
  return page && indexed && html` · <a class="to-token" href="${page.path(friendly)}">${page.label}</a>`;
}

function tokenList(title: string, tokens: readonly Markup[]): Markup {
  if (tokens.length === 0) return html``;
  return html`<h2>${title}</h2><ul class="tokens">${tokens}</ul>${tokens.length === pageLength && html`<p class="hint">The first ${pageLength}.</p>`}`;
}
