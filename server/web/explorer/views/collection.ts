import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { showPages } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { tokenInfo, tokenName } from "../parts/tokens.js";
import { galleryPages } from "../tokens/gallery.js";
import { readRoyalty } from "../tokens/royalty.js";
import { commonFacts, notFound, placeOf, tokenHead, tokenPage } from "../tokens/token-page.js";
import type { View } from "../view.js";

/** A collection of NFTs: owner, royalty and a gallery of its items. */
export const showCollection: View = async (context) => {
  const { root, call, title, names } = context;
  const place = placeOf(context, "Collection");
  if (!place) return;
  const [{ nft_collections: found, metadata }, royalty] = await Promise.all([
    call("v3.nft.collections", { collection_address: [place.raw] }),
    readRoyalty(context, place.friendly),
  ]);
  if (found.length === 0) {
    root.innerHTML = notFound("collection", place).text;
    return;
  }
  const collection = itemAt(found, 0);
  const info = tokenInfo(metadata, collection.address, "nft_collections");
  const name = tokenName(info, names.of(place.raw) ?? "Collection without a name");
  title(name);
  const { next_item_index: next } = collection;
  const page = tokenPage(html`${tokenHead(place, { crumb: "Collection", name, info })}
    ${facts([
      ["Owner", addressLink(collection.owner_address, { names })],
      ["Royalty", royalty ?? html`<span class="none">none stated</span>`],
      ["Next index", next.startsWith("-") ? "not in order" : count(next)],
      ...commonFacts(place, info, collection.collection_content),
    ])}
    <section aria-labelledby="items"><h2 id="items">Items</h2><div data-part="items"></div></section>`);
  await showPages(context, elementOf(page, "[data-part=items]"), galleryPages(context, place.raw), "More");
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};
