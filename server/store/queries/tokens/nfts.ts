import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type NftItemRecord, nftItemRecord } from "../../tables/nfts.js";
import { nftTransferRecord, nftTransfers } from "../../tables/token-events.js";
import {
  all,
  anyOf,
  type Direction,
  type Fragment,
  isByOne,
  isOneOf,
  type Page,
  paged,
} from "../../where.js";
import { type PageExtras, selectWithExtras } from "../accounts/page-extras.js";
import { selectRecords } from "../rows.js";
import { tokenEventList } from "./token-events.js";

type Keys = readonly Uint8Array[] | undefined;

export type NftItemFilter = {
  addresses?: Keys;
  owners?: Keys;
  /** Owners count as owners of what is on sale for them. */
  withSales: boolean;
  collections?: Keys;
  indexes?: readonly bigint[] | undefined;
};

/** Joins the sale `s` or the auction `a` that owns an item; the sale wins. */
export function sellers(item: string): string {
  return `
    left join nft_sales s on s.address = ${item}.owner_address and s.nft_address = ${item}.address and not s.destroyed
    left join nft_auctions a
      on a.address = ${item}.owner_address and a.nft_addr = ${item}.address and not a.destroyed and s.address is null`;
}

/**
 * By address: primary key; else nft_items_by_real_owner, nft_items_by_owner, nft_items_by_index, nft_items_by_collection or
 * nft_items_by_lt.
 */
export function listNftItems(
  queries: Queries,
  { addresses, owners, withSales, collections, indexes }: NftItemFilter,
  { sort, ...page }: Page & { sort: Direction },
  extras?: PageExtras,
): Promise<NftItemRecord[]> {
  const owner = withSales ? "real_owner" : "owner_address";
  const where = all(
    anyOf(addresses, (keys) => isOneOf("address", keys)),
    anyOf(owners, (keys) => isOneOf(owner, keys)),
    anyOf(collections, (keys) => isOneOf("collection_address", keys)),
    anyOf(indexes, (values) => SQL`index = any(${values.map(String)}::numeric[])`),
    SQL`not destroyed`,
  );
  const order = (item: string) => raw(`${item}.last_transaction_lt ${sort}, ${item}.address`);
  const from = SQL`(select * from nft_items n where ${where} order by ${order("n")} ${paged(page)})`;
  const source = {
    from: SQL`${itemsIn(from)} order by ${order("i")}`,
    accounts:
      "array[i.address, i.collection_address, i.owner_address, i.real_owner, s.address, a.address]::bytea[]",
    isPlannedOnce: isByOne(addresses, owners, collections, indexes),
  };
  return selectWithExtras(queries, nftItemRecord, source, { rows: page.limit, extras });
}

/** Items by address, in no order: primary key. */
export function readNftItems(queries: Queries, addresses: readonly Uint8Array[]): Promise<NftItemRecord[]> {
  const from = SQL`(select * from nft_items where address = any(${addresses}::bytea[]) and not destroyed)`;
  return selectRecords(queries, nftItemRecord, itemsIn(from));
}

function itemsIn(items: Fragment): Fragment {
  return SQL`${items} i
    left join nft_collections c on c.address = i.collection_address and not c.destroyed
    ${raw(sellers("i"))}`;
}

export const nftTransferList = tokenEventList({
  table: nftTransfers,
  record: nftTransferRecord,
  out: "old_owner",
  in: "new_owner",
});
