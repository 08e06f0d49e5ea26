import type { NftItem } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { type Page, pagesByCursor, unseen } from "../history/pages.js";
import { addressLink, friendlyOf } from "../parts/address.js";
import { itemName, type Metadata, nftPath, tokenInfo } from "../parts/tokens.js";
import type { ViewContext } from "../view.js";
import { picture } from "./picture.js";

const pageLength = 24;

/** Reads the items of a collection, the one with the newest transaction first, as tiles. */
export function galleryPages({ call, names }: ViewContext, collection: string): () => Promise<Page> {
  const newOf = unseen<NftItem>();
  return pagesByCursor(pageLength, async (page) => {
    const {
      nft_items: items,
      metadata,
      cursor,
    } = await call("v3.nft.items", {
      collection_address: [collection],
      ...page,
    });
    const tiles = newOf(items).map((item) => tile(item, metadata, names));
    return {
      rows: html`${tiles.length > 0 && html`<ul class="gallery">${tiles}</ul>`}`,
      cursor,
    };
  });
}

function tile(item: NftItem, metadata: Metadata, names: ViewContext["names"]): Markup {
  const { address, owner_address: owner, real_owner: realOwner } = item;
  const info = tokenInfo(metadata, address, "nft_items");
  return html`<li><a href="${nftPath(friendlyOf(address) ?? address)}">${picture({ address, info, isLarge: true })}
      <span class="tile-name"><bdi>${itemName(item, metadata, names)}</bdi></span></a>
    <span class="aside tile-name">${addressLink(realOwner ?? owner, { names, bare: true })}</span>
    ${item.on_sale && html`<span class="pill">on sale</span>`}</li>`;
}
