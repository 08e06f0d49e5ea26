import type { NftItem } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html } from "../../pages/markup.js";
import { actionPages } from "../history/actions.js";
import { showPages } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { facts } from "../parts/facts.js";
import { claimed, claimedText } from "../parts/text.js";
import { collectionPath, itemName, type Metadata, tokenInfo, tokenName } from "../parts/tokens.js";
import { attributeList } from "../tokens/attributes.js";
import { readRoyalty } from "../tokens/royalty.js";
import { readSale, saleFacts } from "../tokens/sale.js";
import { commonFacts, notFound, placeOf, tokenHead, tokenPage } from "../tokens/token-page.js";
import type { View, ViewContext } from "../view.js";

/** An NFT: its owner, sale, royalty, attributes and history. */
export const showNft: View = async (context) => {
  const { root, call, title, names } = context;
  const place = placeOf(context, "NFT");
  if (!place) return;
  const { nft_items: found, metadata } = await call("v3.nft.items", {
    address: [place.raw],
  });
  if (found.length === 0) {
    root.innerHTML = notFound("NFT", place).text;
    return;
  }
  const item = itemAt(found, 0);
  const info = tokenInfo(metadata, item.address, "nft_items");
  const name = itemName(item, metadata, names);
  title(name);
  const [royalty, sale] = await Promise.all([
    readRoyalty(context, item.collection_address ?? item.address),
    readSale(context, item),
  ]);
  const page = tokenPage(html`${tokenHead(place, { crumb: "NFT", name, info })}
    ${facts([
      ["Collection", collectionOf(item, metadata, names)],
      ["Index", claimed(item.index, 80)],
      ["Owner", ownerOf(item, names)],
      ...(sale ? saleFacts(sale, context) : []),
      ["Royalty", royalty ?? html`<span class="none">none stated</span>`],
      ["Domain", domainLink(item.content["domain"])],
      ...commonFacts(place, info, item.content),
    ])}
    ${attributeList(info?.extra?.["attributes"])}
    <section aria-labelledby="history"><h2 id="history">History</h2><div class="narrow" data-part="history"></div></section>`);
  await showPages(context, elementOf(page, "[data-part=history]"), actionPages(context, place.raw, {}));
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

/** The seller owns an item that a sale or an auction holds. */
function ownerOf(
  { owner_address: holder, real_owner: owner }: NftItem,
  names: ViewContext["names"],
): Content {
  if (owner === undefined || owner === holder) return addressLink(holder, { names });
  return html`${addressLink(owner, { names })} <span class="aside">held by</span> ${addressLink(holder, { names, bare: true })}`;
}

function collectionOf(
  { collection_address: collection }: NftItem,
  metadata: Metadata,
  names: ViewContext["names"],
): Content {
  if (collection === null) return html`<span class="none">no collection</span>`;
  const info = tokenInfo(metadata, collection, "nft_collections");
  const text = info?.name === undefined ? undefined : tokenName(info, "");
  return addressLink(collection, { names, text, path: collectionPath });
}

/** A link to the page of a domain, if there is one. */
function domainLink(domain: string | undefined): Content {
  return (
    domain !== undefined && html`<a href="/domain/${encodeURIComponent(domain)}">${claimedText(domain)}</a>`
  );
}
