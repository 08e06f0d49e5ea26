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
  for (const { name } of contractTables)
    await queries.query(SQL`
      update ${raw(name)} c
      set first_seen_lt = history.first_lt, destroyed = history.is_destroyed
      from unnest(${accounts}::bytea[]) changed(account) cross join lateral (
        select
          coalesce((select lt from transactions where account = changed.account order by lt limit 1), 0) as first_lt,
          exists (
            select from transactions t join ${raw(name)} own on own.address = t.account
            where t.account = changed.account and t.lt > own.last_transaction_lt and t.end_status = ${nonexist}
          ) as is_destroyed
      ) history
      where c.address = changed.account
        and (c.first_seen_lt, c.destroyed) is distinct from (history.first_lt, history.is_destroyed)`);
  await queries.query(realOwners(accounts));
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
