import SQL, { raw } from "sql-template-tag";
import { accountStatuses, codeOf } from "../../codes.js";
import type { Queries, Statement, Steps, Transaction } from "../../database.js";
import { keyLists } from "../../sql/where.js";
import { contractTables } from "../../tables/all-tables.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredAccountSlots } from "../cluster/gathered-directories.js";
import { gatheredEnds, gatheredFirst } from "../cluster/gathered-histories.js";
import { gatheredByKey, gatheredColumns, isAnyOf } from "../cluster/gathered-rows.js";
import { sellers } from "../tokens/nfts.js";

const nonexist = codeOf(accountStatuses, "nonexist");

/** The stored history of a contract, in the table at a place of `contractTables`. */
type History = { place: number; address: Uint8Array; first_lt: bigint; is_destroyed: boolean };

/**
 * Writes rows, then sets what rows of contracts say of the whole histories of their accounts, for accounts that got
 * transactions or rows. It is derived from the stored transactions, so that ranges may be filled in any order.
 */
export async function writeAndSettle(
  transaction: Transaction,
  rows: Steps,
  accounts: readonly Uint8Array[],
): Promise<void> {
  await transaction.write(rows);
  if (accounts.length === 0) return;
  const of = (text: string): Statement => ({ text, values: [accounts] });
  const known = await besideRows(transaction, () => [
    gatheredByKey("w", accounts, historyColumns),
    gatheredByKey("o", accounts, historyColumns),
  ]);
  let contracts: Contract[] = [];
  const slots = await besideRows(known, async () => {
    contracts = await known.query<Contract>(of(findContracts));
    return [gatheredAccountSlots(addressesOf(contracts))];
  });
  const gathered = await besideRows(slots, async () =>
    contracts.length === 0
      ? []
      : [...(await gatheredFirst(slots, addressesOf(contracts))), gatheredEnds(contracts)],
  );
  const changed = await gathered.query<History>(of(findHistory));
  const changes = contractTables.flatMap(({ name }, place) => {
    const histories = changed.filter((history) => history.place === place);
    return histories.length > 0 ? [setHistory(name, histories)] : [];
  });
  await transaction.write([...changes, of(addMintlessMasters)]);
  await settleOwners(transaction, accounts);
}

/** The accounts that are settled, as `accounts (address)`. */
const withAccounts = `with accounts as materialized (select unnest($1::bytea[]) as address)`;

type Contract = { address: Uint8Array; last_transaction_lt: bigint };

function addressesOf(contracts: readonly Contract[]): Uint8Array[] {
  return contracts.map(({ address }) => address);
}

const historyColumns = ["first_seen_lt", "last_transaction_lt", "destroyed"] as const;

/** Tables of their histories: an account may be several contracts. */
const findContracts = `
  ${withAccounts}
  select address, min(last_transaction_lt) as last_transaction_lt
  from (${contractTables.map(rowsOfAccounts).join(" union all ")}) own group by address`;

/** Reads the transactions of each contract slot by slot: account_slots, then transactions_by_account of one slot. */
const findHistory = `
  ${withAccounts}
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
  where (first_seen_lt, destroyed) is distinct from (first_lt, is_destroyed)`;

function rowsOfAccounts({ name }: { name: string }, place: number): string {
  return `
    select ${place} as place, address, first_seen_lt, last_transaction_lt, destroyed
    from ${name} join accounts using (address)`;
}

function setHistory(table: string, histories: readonly History[]): Statement {
  return SQL`
    update ${raw(table)} c set first_seen_lt = h.first_lt, destroyed = h.is_destroyed
    from unnest(
      ${histories.map(({ address }) => address)}::bytea[], ${histories.map(({ first_lt }) => first_lt)}::bigint[],
      ${histories.map(({ is_destroyed }) => is_destroyed)}::boolean[]
    ) h (address, first_lt, is_destroyed)
    where h.address = c.address`;
}

type RealOwner = { address: Uint8Array; real_owner: Uint8Array | null };

/** Sets the real owners of items among the accounts, and of those whose owner, which may be a sale or an auction, is among them. */
async function settleOwners(transaction: Transaction, accounts: readonly Uint8Array[]): Promise<void> {
  const columns = ["owner_address", "real_owner", "destroyed"];
  const isOwned = SQL`${isAnyOf("o.owner_address", accounts)} and not o.destroyed`;
  const known = await besideRows(transaction, () => [
    gatheredByKey("o", accounts, columns),
    gatheredColumns("o", SQL`nft_items o where ${isOwned}`, columns),
  ]);
  const changed = await known.query<RealOwner>({ text: findRealOwners, values: [accounts] });
  if (changed.length === 0) return;
  const lists = keyLists(changed, { address: "bytea", real_owner: "bytea" });
  await transaction.query(SQL`
    update nft_items i set real_owner = h.real_owner from ${lists} h (address, real_owner) where h.address = i.address`);
}

const findRealOwners = `
  ${withAccounts}, changed as (
    select address from nft_items join accounts using (address)
    union
    select i.address from nft_items i join accounts a on a.address = i.owner_address and not i.destroyed
  ),
  found as (
    select n.address, n.real_owner as known, case when not n.destroyed
      then coalesce(s.nft_owner_address, a.nft_owner, n.owner_address) end as real_owner
    from changed join nft_items n using (address) ${sellers("n")}
  )
  select address, real_owner from found where known is distinct from real_owner`;

/** A jetton is mintless if a wallet of it says whether its airdrop is claimed. */
const addMintlessMasters = `
  insert into mintless_jetton_masters (address, is_indexed)
  select distinct jetton, false from jetton_wallets
  where address = any($1::bytea[]) and mintless_is_claimed is not null order by jetton
  on conflict do nothing`;

/** Get-methods of codes, by hash; codes that are not stored are absent. */
export function readContractMethods(
  queries: Queries,
  codeHashes: readonly Uint8Array[],
): Promise<{ code_hash: Uint8Array; methods: number[] }[]> {
  return queries.query(SQL`
    select code_hash, methods from contract_methods where code_hash = any(${codeHashes}::bytea[])`);
}
