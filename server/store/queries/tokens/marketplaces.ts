import SQL from "sql-template-tag";
import { rawAddressFromBytes, rawAddressToBytes } from "../../address-bytes.js";
import type { Queries, Transaction } from "../../database.js";
import { lockForTransaction } from "../../sql/locks.js";
import { plannedOnce } from "../../sql/where.js";

/** The name of a marketplace, by its address or by a collection; `address` is raw. */
export type MarketplaceName = { address: string; name: string };

/** The names of those raw addresses that have one: primary key. */
export async function readMarketplaceNames(
  queries: Queries,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = addresses.map(rawAddressToBytes);
  const rows = await queries.query<{ address: Uint8Array; name: string }>(
    plannedOnce(SQL`select address, name from marketplace_names where address = any(${keys}::bytea[])`),
  );
  return new Map(rows.map(({ address, name }) => [rawAddressFromBytes(address), name]));
}

/** Makes these the only names. */
export async function replaceMarketplaceNames(
  transaction: Transaction,
  names: readonly MarketplaceName[],
): Promise<void> {
  await lockForTransaction(transaction, "flags");
  await transaction.query(SQL`delete from marketplace_names`);
  await transaction.query(SQL`
    insert into marketplace_names (address, name)
    select * from unnest(${names.map(({ address }) => rawAddressToBytes(address))}::bytea[],
      ${names.map(({ name }) => name)}::text[])`);
}
