import { z } from "zod";
import { integerText, rawAddressUpper } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { addressBook, answerExtras, nullableAddress, nullableHash } from "../records.js";
import { nftItem } from "../tokens/nfts.js";

export const dnsRecord = z
  .object({
    nft_item_address: rawAddressUpper.describe("The item that is the domain."),
    nft_item_owner: nullableAddress.describe("Its owner; `null` while it is first sold."),
    domain: z.string().describe("The domain, such as `foundation.ton`."),
    dns_next_resolver: nullableAddress.describe("The contract that resolves its subdomains."),
    dns_wallet: nullableAddress.describe("The account that it names."),
    dns_site_adnl: nullableHash.describe("ADNL address of its site."),
    dns_storage_bag_id: nullableHash.describe("Bag of its site in TON Storage."),
  })
  .meta({ id: "DnsRecord", description: "A domain with its records." });

export const dnsRecords = z
  .object({
    records: z.array(dnsRecord).describe("The domains."),
    address_book: addressBook,
    ...nextCursor,
  })
  .meta({ id: "DnsRecords" });

export const dnsAuction = z
  .object({
    nft_item_address: rawAddressUpper.describe("The item that is the domain."),
    domain: z.string().describe("The domain."),
    max_bid_address: nullableAddress.describe("Who made the highest bid."),
    max_bid_amount: integerText.nullable().describe("The highest bid in nanotons."),
    auction_end_time: integerText.nullable().describe("When the auction ends, unix time."),
    last_fill_up_time: integerText.nullable().describe("When the domain was paid for last, unix time."),
    finished: z.boolean().describe("Whether the auction has ended, by the newest block of the index."),
    nft_item: nftItem.optional().describe("The item; only with `include_nft_items`."),
  })
  .meta({ id: "DnsAuction", description: "An auction of a domain." });

export const dnsAuctions = z
  .object({
    auctions: z.array(dnsAuction).describe("The auctions."),
    ...answerExtras,
    ...nextCursor,
    next_cursor: z
      .string()
      .nullable()
      .describe("Cursor of the next page for `after`; `null` if the page is not full."),
  })
  .meta({ id: "DnsAuctions" });
