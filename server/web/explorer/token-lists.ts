import { html, type Markup } from "../pages/markup.js";
import { addressLink } from "./parts/address.js";
import { failure, needsIndex } from "./parts/failure.js";
import { claimedText } from "./parts/text.js";
import { jettonAmount, tokenInfo, tokenName } from "./parts/tokens.js";
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
    names.learn(owned.address_book);
    names.learn(items.address_book);
    const jettons = owned.jetton_wallets.map(({ address: wallet, jetton, owner, balance }) => {
      const name = tokenName(tokenInfo(owned.metadata, jetton, "jetton_masters"), "Jetton");
      return html`<li>${isMaster ? addressLink(owner, { names, bare: true }) : addressLink(jetton, { text: name, bare: true })}
        <span class="aside">${addressLink(wallet, { text: "wallet", bare: true })}</span>
        <span class="line-value">${jettonAmount(balance, jetton, owned.metadata)}</span></li>`;
    });
    const nfts = items.nft_items.map(
      ({ address: item, collection_address: collection, content, index, owner_address: owner }) => {
        const info = tokenInfo(items.metadata, item, "nft_items");
        const domain = content["domain"];
        const fallback = names.of(item) ?? (index.length > 12 ? "Item" : `Item ${index}`);
        const from =
          collection === null ? undefined : tokenInfo(items.metadata, collection, "nft_collections");
        const where = isCollection
          ? addressLink(owner, { names, bare: true })
          : collection !== null &&
            addressLink(collection, { names, text: from?.name && tokenName(from, ""), bare: true });
        return html`<li>${addressLink(item, { text: claimedText(domain ?? tokenName(info, fallback)), bare: true })}
        <span class="aside line-value">${where}</span></li>`;
      },
    );
    place.innerHTML =
      html`${tokenList(isMaster ? "Holders" : "Jettons", jettons)}${tokenList(isCollection ? "Items" : "NFTs", nfts)}`.text;
  } catch (error) {
    if (!signal.aborted) place.innerHTML = html`<h2>Tokens</h2>${failure(error)}`.text;
  }
}

function tokenList(title: string, tokens: readonly Markup[]): Markup {
  if (tokens.length === 0) return html``;
  return html`<h2>${title}</h2><ul class="tokens">${tokens}</ul>${tokens.length === pageLength && html`<p class="hint">The first ${pageLength}.</p>`}`;
}
