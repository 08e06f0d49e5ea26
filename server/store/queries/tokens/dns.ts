import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { dnsAuctionRecord, dnsRecord } from "../../tables/dns.js";
import { all, compared, given, ordered, type Page, paged } from "../../where.js";
import { selectRecords } from "../rows.js";

type DnsRecordRow = ReturnType<typeof dnsRecord.present>;
export type DnsAuctionRow = ReturnType<typeof dnsAuctionRecord.present>;

/** The shortest name comes first: dns_entries_by_domain or dns_entries_by_wallet. */
export function listDnsRecords(
  queries: Queries,
  by: { domain: string } | { wallet: Uint8Array },
  page: Page,
): Promise<DnsRecordRow[]> {
  const condition = "domain" in by ? SQL`d.domain = ${by.domain}` : SQL`d.dns_wallet = ${by.wallet}`;
  return selectRecords(
    queries,
    dnsRecord,
    SQL`dns_entries d where ${condition} and not d.destroyed
      order by length(d.domain), d.domain, d.address ${paged(page)}`,
    { isPlannedOnce: true },
  );
}

type DnsAuctionFilter = {
  bidder: Uint8Array;
  /** `won`: those that have ended by `now`, unix seconds; `bidding`: the others. */
  state: "all" | "won" | "bidding";
  now: bigint;
  /** Only auctions behind this one. */
  after?: { endTime: bigint; item: Uint8Array } | undefined;
};

/** Auctions by the bidder who leads, the one that ends first comes first: dns_entries_by_bidder. */
export function listDnsAuctions(
  queries: Queries,
  { bidder, state, now, after }: DnsAuctionFilter,
  page: Page,
): Promise<DnsAuctionRow[]> {
  const where = all(
    SQL`d.max_bid_address = ${bidder}`,
    SQL`d.auction_end_time is not null`,
    SQL`not d.destroyed`,
    state === "won" ? SQL`d.auction_end_time <= ${now}` : undefined,
    state === "bidding" ? SQL`d.auction_end_time > ${now}` : undefined,
    given(after, ({ endTime, item }) => compared("asc", "behind", auctionOrder, [endTime, item])),
  );
  return selectRecords(
    queries,
    dnsAuctionRecord,
    SQL`dns_entries d where ${where} order by ${ordered("asc", ...auctionOrder)} ${paged(page)}`,
    { isPlannedOnce: true },
  );
}

const auctionOrder = ["d.auction_end_time", "d.address"];
