import type { NftItem, NftSale } from "../../../../client/api.js";
import { type Content, html } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { ton } from "../parts/amount.js";
import { optional } from "../parts/optional.js";
import { timeOf } from "../parts/time.js";
import type { ViewContext } from "../view.js";

type Facts = readonly (readonly [name: string, value: Content])[];

/** The sale or auction that holds an item, or of an item that auctions itself, as in Telegram. */
export async function readSale({ call }: ViewContext, item: NftItem): Promise<NftSale | undefined> {
  const { address, sale_contract_address: sale, auction_contract_address: auction } = item;
  const answer = await optional(call("v3.nft.sales", { address: [auction ?? sale ?? address] }));
  return answer?.nft_sales[0];
}

/** Price and terms of a sale or an auction. */
export function saleFacts(sale: NftSale, { names }: ViewContext): Facts {
  const link = (address: string | undefined) => address !== undefined && addressLink(address, { names });
  const common: Facts = [["Marketplace", link(sale.marketplace_address)]];
  switch (sale.type) {
    case "getgems_sale":
      return [
        ["Price", priceOf(sale.details.full_price)],
        ["Sale", html`${link(sale.address)}${sale.details.is_complete && " complete"}`],
        ...common,
      ];
    case "getgems_auction": {
      const { last_bid, last_member, min_bid, max_bid, end_time, end_flag, is_canceled } = sale.details;
      const isOver = end_flag || is_canceled;
      return [
        ["Highest bid", bidOf(last_bid, link(last_member))],
        ["First bid", priceOf(min_bid)],
        ["Price that ends it", priceOf(max_bid)],
        ["Auction", html`${link(sale.address)}${isOver && " over"}`],
        ["Ends", end_time !== undefined && end_time > 0 && timeOf(end_time)],
        ...common,
      ];
    }
    case "telemint": {
      const { bid, bidder_address, min_bid, max_bid, end_time } = sale.details;
      if (end_time === undefined || end_time === 0) return [];
      return [
        ["Highest bid", bidOf(bid, link(bidder_address))],
        ["Next bid", priceOf(min_bid)],
        ["Price that ends it", priceOf(max_bid)],
        ["Ends", timeOf(end_time)],
      ];
    }
  }
}

function priceOf(nanotons: string | undefined): Content {
  return nanotons !== undefined && nanotons !== "0" && ton(nanotons);
}

/** A bid and its bidder. */
export function bidOf(nanotons: string | undefined, bidder: Content): Content {
  if (nanotons === undefined || nanotons === "0") return html`<span class="none">none</span>`;
  return html`${ton(nanotons)} ${bidder && html`<span class="aside">by</span> ${bidder}`}`;
}
