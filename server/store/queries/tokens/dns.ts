import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { behindCursor, inOrder } from "../../sql/keyset.js";
import { all, compared, given, type Page, paged } from "../../sql/where.js";
import { dnsAuctionRecord, dnsRecord } from "../../tables/dns.js";
import { selectRecords } from "../rows.js";

type DnsRecordRow = ReturnType<typeof dnsRecord.present>;
export type DnsAuctionRow = ReturnType<typeof dnsAuctionRecord.present>;

/** The shortest name comes first: dns_entries_by_domain or dns_entries_by_wallet. */
export function listDnsRecords(
  queries: Queries,
  by: { domain: string } | { wallet: Uint8Array },
  page: Page,
): Promise<DnsRecordRow[]> {
  const condition = all(
    "domain" in by ? SQL`d.domain = ${by.domain}` : SQL`d.dns_wallet = ${by.wallet}`,
    SQL`not d.destroyed`,
    behindCursor(nameOrder, page),
  );
  return selectRecords(
    queries,
    dnsRecord,
    SQL`dns_entries d where ${condition} order by ${inOrder(nameOrder)} ${paged(page)}`,
    { isPlannedOnce: true, list: { order: nameOrder, page } },
  );
}

const nameOrder = [
  ["length(d.domain)", "integer", "asc"],
  ["d.domain", "text", "asc"],
  ["d.address", "account", "asc"],
] as const;

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
    given(after, ({ endTime, item }) =>
      compared(
        "asc",
        "behind",
        auctionOrder.map(([column]) => column),
        [endTime, item],
      ),
    ),
    behindCursor(auctionOrder, page),
  );
  return selectRecords(
    queries,
    dnsAuctionRecord,
    SQL`dns_entries d where ${where} order by ${inOrder(auctionOrder)} ${paged(page)}`,
    { isPlannedOnce: true, list: { order: auctionOrder, page } },
  );
}

const auctionOrder = [
  ["d.auction_end_time", "bigint", "asc"],
  ["d.address", "account", "asc"],
] as const;
