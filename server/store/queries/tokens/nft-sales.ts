import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type NftSaleRecord, nftSaleRecord } from "../../tables/nft-sale-records.js";
import { selectRecords } from "../rows.js";

/**
 * Objects sold at these addresses, in their order; addresses without a sale are absent. Each must be given once. Of a contract
 * that is several kinds of sales the first kind counts: sale, auction, telemint item with an auction. Primary keys.
 */
export function readNftSales(queries: Queries, addresses: readonly Uint8Array[]): Promise<NftSaleRecord[]> {
  return selectRecords(
    queries,
    nftSaleRecord,
    SQL`unnest(${addresses}::bytea[]) with ordinality wanted(address, place)
      left join nft_sales s on s.address = wanted.address and not s.destroyed
      left join nft_auctions a on a.address = wanted.address and not a.destroyed
      left join telemint_items t on t.address = wanted.address and not t.destroyed and t.has_auction
      where coalesce(s.address, a.address, t.address) is not null
      order by wanted.place`,
  );
}
