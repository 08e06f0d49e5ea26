import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { behindCursor, inOrder } from "../../sql/keyset.js";
import { all, anyOf, isOneOf, type Page, paged } from "../../sql/where.js";
import { vestingRecord } from "../../tables/vesting.js";
import { selectRecords } from "../rows.js";

type Keys = readonly Uint8Array[] | undefined;

type VestingRecord = ReturnType<typeof vestingRecord.present>;

type VestingFilter = {
  addresses?: Keys;
  /** Filter by owners or senders. */
  wallets?: Keys;
  /** Wallets may also be in the whitelist. */
  withWhitelist: boolean;
};

/**
 * In the order in which they appeared. By address: primary key; else vesting_contracts_by_owner,
 * vesting_contracts_by_sender and vesting_contracts_by_whitelist.
 */
export function listVestings(
  queries: Queries,
  { addresses, wallets, withWhitelist }: VestingFilter,
  page: Page,
): Promise<VestingRecord[]> {
  const where = all(
    anyOf(addresses, (keys) => isOneOf("v.address", keys)),
    anyOf(wallets, (keys) => {
      const party = SQL`${isOneOf("v.owner_address", keys)} or ${isOneOf("v.vesting_sender_address", keys)}`;
      return withWhitelist ? SQL`(${party} or v.whitelist && ${keys}::bytea[])` : SQL`(${party})`;
    }),
    SQL`not v.destroyed`,
    behindCursor(order, page),
  );
  return selectRecords(
    queries,
    vestingRecord,
    SQL`vesting_contracts v where ${where} order by ${inOrder(order)} ${paged(page)}`,
    { list: { order, page } },
  );
}

const order = [
  ["v.first_seen_lt", "bigint", "asc"],
  ["v.address", "account", "asc"],
] as const;
