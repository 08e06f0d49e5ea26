import SQL, { raw } from "sql-template-tag";
import { accountStatuses } from "../codes.js";
import type { Queries } from "../database.js";
import { contractTables } from "../tables.js";
import { code, type Fragment } from "../where.js";
import { sellers } from "./nfts.js";

const nonexist = code(accountStatuses, "nonexist");

/**
 * Sets what a row of a contract says of its account's whole history, for accounts that got transactions or rows. It is
 * derived from the stored transactions, so that ranges may be filled in any order.
 */
export async function settleContracts(queries: Queries, accounts: readonly Uint8Array[]): Promise<void> {
  if (accounts.length === 0) return;
  for (const { name } of contractTables) await queries.query(history(raw(name), accounts));
  await queries.query(realOwners(accounts));
}

/** Reads the transactions of each contract slot by slot: account_slots, then transactions_by_account of one slot. */
function history(table: Fragment, accounts: readonly Uint8Array[]): Fragment {
  return SQL`
    update ${table} c
    set first_seen_lt = history.first_lt, destroyed = history.is_destroyed
    from (
      select own.address,
        coalesce((
          select t.lt from account_slots a join slots s using (from_lt) cross join lateral (
            select lt from transactions
            where account = own.address and lt >= s.from_lt and lt < s.to_lt order by lt limit 1) t
          where a.account = own.address order by a.from_lt limit 1), 0) as first_lt,
        exists (
          select from account_slots a join slots s using (from_lt) cross join lateral (
            select from transactions
            where account = own.address and lt > greatest(own.last_transaction_lt, s.from_lt - 1) and lt < s.to_lt
              and end_status = ${nonexist} limit 1) t
          where a.account = own.address and s.to_lt > own.last_transaction_lt) as is_destroyed
      from ${table} own where own.address = any(${accounts}::bytea[])
    ) history
    where c.address = history.address
      and (c.first_seen_lt, c.destroyed) is distinct from (history.first_lt, history.is_destroyed)`;
}

/** Of items among the accounts, and of items whose owner, which may be a sale or an auction, is among them. */
function realOwners(accounts: readonly Uint8Array[]): Fragment {
  return SQL`
    with changed as (
      select address from nft_items where address = any(${accounts}::bytea[])
      union select address from nft_items where owner_address = any(${accounts}::bytea[]) and not destroyed
    )
    update nft_items i set real_owner = found.real_owner
    from (
      select n.address, case when not n.destroyed
        then coalesce(s.nft_owner_address, a.nft_owner, n.owner_address) end as real_owner
      from changed join nft_items n using (address) ${raw(sellers("n"))}
    ) found
    where i.address = found.address and i.real_owner is distinct from found.real_owner`;
}

/** Get-methods of codes, by hash; codes that are not stored are absent. */
export function readContractMethods(
  queries: Queries,
  codeHashes: readonly Uint8Array[],
): Promise<{ code_hash: Uint8Array; methods: number[] }[]> {
  return queries.query(SQL`
    select code_hash, methods from contract_methods where code_hash = any(${codeHashes}::bytea[])`);
}
