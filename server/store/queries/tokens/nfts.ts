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
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredByKey } from "../cluster/gathered-rows.js";
import { besidePage } from "../cluster/token-keys.js";
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
  const { near, shown } = await besidePage(queries, page, () => ({
    letter: "o",
    order: itemOrder("o", sort),
    named: isNamed(filter) ? itemsLike(filter, sort, page) : undefined,
    wanted: [
      [ownerColumn(filter), filter.owners],
      ["o.collection_address", filter.collections],
    ],
    parts: [behindCursor(itemOrder("o", sort), page)],
    // Contents may be large.
    isShort: false,
  }));
  const from = SQL`(
    select o.* from ${wantedItems(filter, sort, shown)} o order by ${inOrder(itemOrder("o", sort))} ${paged(shown)})`;
  const { addresses, owners, collections, indexes } = filter;
  const source = {
    from: SQL`${itemsIn(from)} order by ${inOrder(itemOrder("i", sort))}`,
    accounts:
      "array[i.address, i.collection_address, i.owner_address, i.real_owner, s.address, a.address]::bytea[]",
    isPlannedOnce: !isNamed(filter) || isByOne(addresses, owners, collections, indexes),
    // The planner expects few items of a collection, which nft_items_by_index would find to be sorted.
    isInOrder: !isNamed(filter),
  };
  const items = await selectWithExtras(near, nftItemRecord, source, { rows: page.limit, extras });
  noteLast(page, items, (last) => [BigInt(last.last_transaction_lt), rawAddressToBytes(last.address)]);
  return items;
}

function itemOrder(item: string, sort: Direction): KeyOrder {
  return [
    [`${item}.last_transaction_lt`, "bigint", sort],
    [`${item}.address`, "account", "asc"],
  ];
}

function ownerColumn({ withSales }: NftItemFilter): string {
  return withSales ? "o.real_owner" : "o.owner_address";
}

/** Whether items are few, by their addresses or their places in collections. */
function isNamed({ addresses, indexes }: NftItemFilter): boolean {
  return !!addresses?.length || !!indexes?.length;
}

/** The condition of all items of the list behind the cursor. */
function itemsLike(filter: NftItemFilter, sort: Direction, page: Page): Fragment {
  const { addresses, owners, collections, indexes } = filter;
  return all(
    anyOf(addresses, (keys) => isOneOf("o.address", keys)),
    anyOf(owners, (keys) => isOneOf(ownerColumn(filter), keys)),
    anyOf(collections, (keys) => isOneOf("o.collection_address", keys)),
    anyOf(indexes, (values) => SQL`o.index = any(${values.map(String)}::numeric[])`),
    SQL`not o.destroyed`,
    behindCursor(itemOrder("o", sort), page),
  );
}

/** All items of the list that can be on a page or before it: no more per owner, collection, or pair of both than could be. */
function wantedItems(filter: NftItemFilter, sort: Direction, page: Page): Fragment {
  const order = itemOrder("o", sort);
  if (isNamed(filter)) return SQL`(select * from nft_items o where ${itemsLike(filter, sort, page)})`;
  const first = (...conditions: Fragment[]) => SQL`(
    select * from nft_items o where ${all(...conditions, SQL`not o.destroyed`, behindCursor(order, page))}
    order by ${inOrder(order)} limit ${page.offset + page.limit})`;
  const [owners, collections] = [distinct(filter.owners), distinct(filter.collections)];
  if (owners.length > 0 && collections.length > 0)
    return SQL`(
      select o.* from unnest(${owners}::bytea[]) w(address) cross join unnest(${collections}::bytea[]) c(address)
      cross join lateral ${first(
        isPair([ownerColumn(filter), "o.collection_address"], [raw("w.address"), raw("c.address")]),
      )} o)`;
  const [key, values] =
    owners.length > 0 ? [ownerColumn(filter), owners] : ["o.collection_address", collections];
  if (values.length === 0) return first();
  return SQL`(
    select o.* from unnest(${values}::bytea[]) wanted(address)
    cross join lateral ${first(SQL`${raw(key)} = wanted.address`)} o)`;
}

/** Items by address, in no order: primary key. */
export async function readNftItems(
  queries: Queries,
  addresses: readonly Uint8Array[],
): Promise<NftItemRecord[]> {
  const near = await besideRows(queries, () => [gatheredByKey("o", addresses)]);
  const from = SQL`(select * from nft_items where address = any(${addresses}::bytea[]) and not destroyed)`;
  return selectRecords(near, nftItemRecord, itemsIn(from));
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
