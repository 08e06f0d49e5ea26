import type { Handlers } from "../../../shared/methods/define.js";
import type { dnsMethods } from "../../../shared/methods/v3/dns.js";
import { encodeAuctionCursor } from "../../../shared/values/auction-cursor.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { addressOf } from "../../present/v3/address-book.js";
import { type IndexDeps, metadataFor, withAddressBook } from "../../present/v3/answer-extras.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { type DnsAuctionRow, listDnsAuctions } from "../../store/queries/tokens/dns.js";
import { reads } from "../../store/reads/index-reads.js";
import type { NftItemRecord } from "../../store/tables/nfts.js";

export const dnsHandlers: Handlers<typeof dnsMethods, IndexDeps> = {
  dns: {
    records: ({ wallet, domain, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        // Exactly one of the two is given.
        const by = wallet ? { wallet: addressToBytes(wallet) } : { domain: domain! };
        const records = await reads.listDnsRecords(queries, by, page);
        const shown = records.flatMap((each) => [
          each.nft_item_address,
          each.nft_item_owner,
          each.dns_wallet,
        ]);
        return withAddressBook({ records }, shown, { queries, call, book });
      }),

    activeAuctions: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const { bidder, state, after, include_nft_items, ...page } = params;
        const now = await reads.newestBlockTime(queries);
        const filter = {
          bidder: addressToBytes(bidder),
          state,
          now,
          after: after && { endTime: after.endTime, item: addressToBytes(after.item) },
        };
        const found = await listDnsAuctions(queries, filter, page);
        const items = await itemsOf(queries, found);
        const auctions = found.map((auction) => {
          const finished = BigInt(auction.auction_end_time!) <= now;
          const nft_item = include_nft_items ? items.get(auction.nft_item_address) : undefined;
          return { ...auction, finished, ...(nft_item && { nft_item }) };
        });
        const source = { queries, call, book };
        const shown = found.flatMap((each) => [each.nft_item_address, each.max_bid_address]);
        const tokens = [...items.values()].flatMap((item) => [item.address, item.collection_address]);
        return {
          ...(await withAddressBook({ auctions }, shown, { ...source, isLast: false })),
          metadata: await metadataFor(tokens, source),
          next_cursor: found.length === page.limit ? cursorAt(itemAt(found, -1)) : null,
        };
      }),
  },
};

async function itemsOf(
  queries: Queries,
  auctions: readonly DnsAuctionRow[],
): Promise<ReadonlyMap<string, NftItemRecord>> {
  const addresses = auctions.map(({ nft_item_address }) => addressToBytes(addressOf(nft_item_address)));
  const items = await reads.readNftItems(queries, addresses);
  return new Map(items.map((item) => [item.address, item]));
}

/** Listed auctions always have an end. */
function cursorAt({ auction_end_time, nft_item_address }: DnsAuctionRow): string {
  return encodeAuctionCursor({ endTime: BigInt(auction_end_time!), item: addressOf(nft_item_address) });
}
