import SQL, { raw } from "sql-template-tag";
import { accountStatuses, codeOf } from "../codes.js";
import type { Steps } from "../copy/row-set.js";
import { TableCopy } from "../copy/table-copy.js";
import type { Queries, Transaction } from "../database.js";
import { address } from "../declare/columns.js";
import { contractTables } from "../tables.js";
import type { Fragment } from "../where.js";
import { sellers } from "./nfts.js";

const nonexist = codeOf(accountStatuses, "nonexist");

/** Temporary tables: the accounts, and the rows of contracts whose history is not what is stored of it. */
const accountsStage = { name: "stage_settled_accounts", columns: { address } } as const;
const historyStage = "stage_contract_history";

/**
 * Writes rows, then sets what rows of contracts say of the whole histories of their accounts, for accounts that got
 * transactions or rows. It is derived from the stored transactions, so that ranges may be filled in any order.
 */
export async function writeAndSettle(
  transaction: Transaction,
  rows: Steps,
  accounts: Iterable<Uint8Array>,
): Promise<void> {
  const copy = new TableCopy(accountsStage);
  for (const account of accounts) copy.add({ address: account });
  if (copy.rows === 0) return transaction.write(rows);
  await transaction.write([
    ...rows,
    `create temp table if not exists ${accountsStage.name} (address bytea not null) on commit delete rows`,
    copy.finish(),
    `create temp table if not exists ${historyStage} (
       place smallint not null, address bytea not null, first_lt bigint not null, is_destroyed boolean not null)
     on commit delete rows`,
  ]);
  // As a query it is planned once per connection, which takes longer than running it.
  const others = await transaction.query<{ place: number }>(findHistory);
  const tables = contractTables.filter((_, place) => others.some((other) => other.place === place));
  await transaction.write([...tables.map(setHistory), setRealOwners, addMintlessMasters]);
}

/**
 * Reads the transactions of each contract slot by slot: account_slots, then transactions_by_account of one slot. Answers
 * with the places of the tables whose rows are to be set.
 */
const findHistory: Fragment = raw(`
  with found as (
  insert into ${historyStage} (place, address, first_lt, is_destroyed)
  select place, address, first_lt, is_destroyed
  from (${contractTables.map(rowsOfAccounts).join(" union all ")}) own
  cross join lateral (
    select
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
    offset 0) history
  where (first_seen_lt, destroyed) is distinct from (first_lt, is_destroyed)
  returning place)
  select distinct place from found`);

function rowsOfAccounts({ name }: { name: string }, place: number): string {
  return `
    select ${place}::smallint as place, address, first_seen_lt, last_transaction_lt, destroyed
    from ${name} join ${accountsStage.name} using (address)`;
}

function setHistory(table: (typeof contractTables)[number]): string {
  const { name } = table;
  const place = contractTables.indexOf(table);
  return `
    update ${name} c set first_seen_lt = h.first_lt, destroyed = h.is_destroyed
    from ${historyStage} h where h.place = ${place} and h.address = c.address`;
}

/** Of items among the accounts, and of items whose owner, which may be a sale or an auction, is among them. */
const setRealOwners = `
  with changed as (
    select address from nft_items join ${accountsStage.name} using (address)
    union
    select i.address from nft_items i join ${accountsStage.name} a on a.address = i.owner_address and not i.destroyed
  )
  update nft_items i set real_owner = found.real_owner
  from (
    select n.address, case when not n.destroyed
      then coalesce(s.nft_owner_address, a.nft_owner, n.owner_address) end as real_owner
    from changed join nft_items n using (address) ${sellers("n")}
  ) found
  where i.address = found.address and i.real_owner is distinct from found.real_owner`;

/** A jetton is mintless if a wallet of it says whether its airdrop is claimed. */
const addMintlessMasters = `
  insert into mintless_jetton_masters (address, is_indexed)
  select distinct jetton, false from jetton_wallets join ${accountsStage.name} using (address)
  where mintless_is_claimed is not null order by jetton
  on conflict do nothing`;

/** Get-methods of codes, by hash; codes that are not stored are absent. */
export function readContractMethods(
  queries: Queries,
  codeHashes: readonly Uint8Array[],
): Promise<{ code_hash: Uint8Array; methods: number[] }[]> {
  return queries.query(SQL`
    select code_hash, methods from contract_methods where code_hash = any(${codeHashes}::bytea[])`);
}
