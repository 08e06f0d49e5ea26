import { address, bigint, hash, nullable, numeric, text } from "../declare/columns.js";
import { columnsOf, object, orNull } from "../declare/record.js";
import { table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** Items that are domain names. */
export const dnsEntries = table("dns_entries", {
  columns: {
    ...contractColumns,
    nft_item_owner: nullable(address),
    domain: text,
    dns_wallet: nullable(address),
    dns_next_resolver: nullable(address),
    dns_site_adnl: nullable(hash),
    dns_storage_bag_id: nullable(hash),
    max_bid_address: nullable(address),
    max_bid_amount: nullable(numeric),
    auction_end_time: nullable(bigint),
    last_fill_up_time: nullable(bigint),
  },
  ...contractBehaviour,
});

const d = columnsOf("d", dnsEntries.columns);

export const dnsRecord = object({
  nft_item_address: d.address,
  nft_item_owner: orNull(d.nft_item_owner),
  domain: d.domain,
  dns_next_resolver: orNull(d.dns_next_resolver),
  dns_wallet: orNull(d.dns_wallet),
  dns_site_adnl: orNull(d.dns_site_adnl),
  dns_storage_bag_id: orNull(d.dns_storage_bag_id),
});

/** The auction of a domain. */
export const dnsAuctionRecord = object({
  nft_item_address: d.address,
  domain: d.domain,
  max_bid_address: orNull(d.max_bid_address),
  max_bid_amount: orNull(d.max_bid_amount),
  auction_end_time: orNull(d.auction_end_time),
  last_fill_up_time: orNull(d.last_fill_up_time),
});
