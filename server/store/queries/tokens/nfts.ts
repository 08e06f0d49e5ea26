import SQL, { raw } from "sql-template-tag";
import { rawAddressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isPair } from "../../sql/keys.js";
import { behindCursor, inOrder, type KeyOrder, noteLast } from "../../sql/keyset.js";
import {
  all,
  anyOf,
  type Direction,
  distinct,
  type Fragment,
  isByOne,
  isOneOf,
  type Page,
  paged,
} from "../../sql/where.js";
import { type NftSaleRecord, nftSaleRecord } from "../../tables/nft-sale-records.js";
import { type NftItemRecord, nftCollectionRecord, nftCollections, nftItemRecord } from "../../tables/nfts.js";
import { nftTransferRecord, nftTransfers } from "../../tables/token-events.js";
import { type PageExtras, selectWithExtras } from "../accounts/page-extras.js";
import { listRecords, selectRecords } from "../rows.js";
import { tokenEventList } from "./token-events.js";

type Keys = readonly Uint8Array[] | undefined;

type NftCollectionRecord = ReturnType<typeof nftCollectionRecord.present>;

const collections = { table: nftCollections, alias: "c", record: nftCollectionRecord };

/** In the order in which they appeared: primary key, nft_collections_by_owner or nft_collections_by_age. */
export function listNftCollections(
  queries: Queries,
  { addresses, owners }: { addresses?: Keys; owners?: Keys },
  page: Page,
): Promise<NftCollectionRecord[]> {
  return listRecords(queries, collections, {
    where: { address: addresses, owner_address: owners, destroyed: false },
    order: [
      ["first_seen_lt", "bigint", "asc"],
      ["address", "account", "asc"],
    ],
    page,
  });
}

type NftItemFilter = {
  addresses?: Keys;
  owners?: Keys;
  /** Owners count as owners of what is on sale for them. */
  withSales: boolean;
  collections?: Keys;
  indexes?: readonly bigint[] | undefined;
};

/**
 * Joins the sale `s` or the auction `a` that owns an item, each by its primary key; the sale wins. `offset 0` keeps the planner
 * from joining whole tables: it does not know that the page is short.
 */
export function sellers(item: string): string {
  return `
    left join lateral (
      select * from nft_sales
      where address = ${item}.owner_address and nft_address = ${item}.address and not destroyed offset 0) s on true
    left join lateral (
      select * from nft_auctions
      where address = ${item}.owner_address and nft_addr = ${item}.address and not destroyed and s.address is null
      offset 0) a on true`;
}

/**
 * By address: primary key; else nft_items_by_real_owner, nft_items_by_owner, either with the collection,
 * nft_items_by_index, nft_items_by_collection or nft_items_by_lt.
 */
export async function listNftItems(
  queries: Queries,
  filter: NftItemFilter,
  { sort, ...page }: Page & { sort: Direction },
  extras?: PageExtras,
): Promise<NftItemRecord[]> {
  const orderOf = (item: string): KeyOrder => [
    [`${item}.last_transaction_lt`, "bigint", sort],
    [`${item}.address`, "account", "asc"],
  ];
  const order = (item: string) => inOrder(orderOf(item));
  const behind = behindCursor(orderOf("n"), page);
  const { addresses, indexes } = filter;
  const [owners, collections] = [distinct(filter.owners), distinct(filter.collections)];
  const isNamed = addresses?.length || indexes?.length;
  const found = isNamed
    ? SQL`nft_items n where ${all(namedItems(filter), behind)}`
    : SQL`${firstItems({ owners, collections, column: ownerColumn(filter), behind }, order("n"), page)} n`;
  const from = SQL`(select n.* from ${found} order by ${order("n")} ${paged(page)})`;
  const source = {
    from: SQL`${itemsIn(from)} order by ${order("i")}`,
    accounts:
      "array[i.address, i.collection_address, i.owner_address, i.real_owner, s.address, a.address]::bytea[]",
    isPlannedOnce: !isNamed || isByOne(addresses, owners, collections, indexes),
  };
  const items = await selectWithExtras(queries, nftItemRecord, source, { rows: page.limit, extras });
  noteLast(page, items, (last) => [BigInt(last.last_transaction_lt), rawAddressToBytes(last.address)]);
  return items;
}

function ownerColumn({ withSales }: NftItemFilter): string {
  return withSales ? "real_owner" : "owner_address";
}

/** The condition of items that are few, by their addresses or their places in collections. */
function namedItems(filter: NftItemFilter): Fragment {
  const { addresses, owners, collections, indexes } = filter;
  return all(
    anyOf(addresses, (keys) => isOneOf("n.address", keys)),
    anyOf(owners, (keys) => isOneOf(`n.${ownerColumn(filter)}`, keys)),
    anyOf(collections, (keys) => isOneOf("n.collection_address", keys)),
    anyOf(indexes, (values) => SQL`n.index = any(${values.map(String)}::numeric[])`),
    SQL`not n.destroyed`,
  );
}

type WantedItems = {
  owners: Uint8Array[];
  collections: Uint8Array[];
  column: string;
  behind: Fragment | undefined;
};

/** No more items per owner, collection, or pair of both than could be on the page. */
function firstItems(
  { owners, collections, column, behind }: WantedItems,
  order: Fragment,
  page: Page,
): Fragment {
  const first = (...conditions: Fragment[]) => SQL`(
    select * from nft_items n where ${all(...conditions, SQL`not n.destroyed`, behind)}
    order by ${order} limit ${page.offset + page.limit})`;
  const owner = raw(column);
  if (owners.length > 0 && collections.length > 0)
    return SQL`(
      select n.* from unnest(${owners}::bytea[]) o(address) cross join unnest(${collections}::bytea[]) c(address)
      cross join lateral ${first(
        isPair([column, "collection_address"], [raw("o.address"), raw("c.address")]),
      )} n)`;
  const [key, values] = owners.length > 0 ? [owner, owners] : [raw("collection_address"), collections];
  if (values.length === 0) return first();
  return SQL`(
    select n.* from unnest(${values}::bytea[]) wanted(address)
    cross join lateral ${first(SQL`${key} = wanted.address`)} n)`;
}

/** Items by address, in no order: primary key. */
export function readNftItems(queries: Queries, addresses: readonly Uint8Array[]): Promise<NftItemRecord[]> {
  const from = SQL`(select * from nft_items where address = any(${addresses}::bytea[]) and not destroyed)`;
  return selectRecords(queries, nftItemRecord, itemsIn(from));
}

function itemsIn(items: Fragment): Fragment {
  return SQL`${items} i
    left join lateral (
      select * from nft_collections where address = i.collection_address and not destroyed offset 0) c on true
    ${raw(sellers("i"))}`;
}

export const nftTransferList = tokenEventList({
  table: nftTransfers,
  record: nftTransferRecord,
  out: "old_owner",
  in: "new_owner",
});

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
