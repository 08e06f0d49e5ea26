import SQL, { empty } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries, Transaction } from "../../database.js";
import { fixedText } from "../../sql/fixed-text.js";
import { all, anyOf, code, type Fragment, keyList, type Page } from "../../sql/where.js";
import {
  type AccountRecord,
  accountKinds,
  accountRecords,
  balanceRecord,
  latestAccountStates,
} from "../../tables/accounts.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows } from "../cluster/divided-clauses.js";
import { gatheredLatest } from "../cluster/gathered-rows.js";
import { listRecords, selectRecords } from "../rows.js";

/** The latest state of an account; cells that were not asked for are null. */
export type AccountRow = AccountRecord;

/** Which cells to read; they are the only large columns. */
type AccountCells = "none" | "data" | "both";

const withoutData = Object.keys(latestAccountStates.columns).filter((name) => name !== "data_boc");

/** Accounts that are known, in the order of `addresses`: primary keys. */
export async function readAccounts(
  queries: Queries,
  {
    addresses,
    codeHashes,
  }: { addresses: readonly Address[]; codeHashes?: readonly Uint8Array[] | undefined },
  cells: AccountCells,
): Promise<AccountRow[]> {
  const keys = [...new Map(addresses.map((address) => [address.toRaw(), addressToBytes(address)])).values()];
  const known = await besideRows(queries, () => [
    gatheredLatest(keys, cells === "none" ? withoutData : undefined),
  ]);
  return selectRecords(
    known,
    accountRecords[cells],
    SQL`unnest(${keyList("bytea", keys)}) with ordinality wanted(account, place)
    join latest_account_states s on s.account = wanted.account
    left join contract_methods c on c.code_hash = s.code_hash
    ${cells === "both" ? SQL`left join contract_codes k on k.code_hash = s.code_hash` : empty}
    where ${all(anyOf(codeHashes, (hashes) => SQL`s.code_hash = any(${hashes})`))}
    order by wanted.place`,
    { isPlannedOnce: true },
  );
}

/** latest_account_states_by_balance. */
export async function richestAccounts(
  queries: Queries,
  page: Page,
): Promise<{ account: string; balance: string }[]> {
  const source = { table: latestAccountStates, alias: "s", record: balanceRecord };
  return listRecords(queries, source, {
    order: [
      ["balance", "bigint", "desc"],
      ["account", "account", "asc"],
    ],
    page,
  });
}

/** The facts of an account that the address book shows; null for an account that is not known. */
export type BookRow = {
  account: string;
  code_hash: string | null;
  /** The ids as JSON: there are few lists, and each is read often. */
  methods: string | null;
  domain: string | null;
};

/** A row for each account: primary keys, account_kinds_by_account and for owners of domains dns_entries_of_owner. */
export const bookStatement = fixedText<{ accounts: readonly Uint8Array[] }>(({ accounts }) =>
  bookRows(keyList("bytea", accounts)),
);

/** Rows `BookRow` of a list of accounts. Each code is searched for once: many accounts share one. */
export function bookRows(accounts: Fragment): Fragment {
  return SQL`
    with known as materialized (
      select wanted.account, s.code_hash, d.domain
      from unnest(${accounts}) wanted(account)
      left join latest_account_states s on s.account = wanted.account
      left join lateral (
        select domain from dns_entries
        where (case when nft_item_owner = dns_wallet then dns_wallet end) = wanted.account and not destroyed
          and exists (
            select from account_kinds k
            where k.account = wanted.account and k.kind = ${code(accountKinds, "dns_entries")})
        order by length(domain), domain, address limit 1) d on true),
    codes as materialized (
      select code_hash, methods from contract_methods where code_hash in (select code_hash from known))
    select wire_address(account) as account, wire_hash(known.code_hash) as code_hash,
      array_to_json(methods)::text as methods, domain
    from known left join codes using (code_hash)`;
}

/** Hashes of the cells that are stored of an account. */
export type StoredCells = {
  account: Uint8Array;
  code_hash: Uint8Array | null;
  data_hash: Uint8Array | null;
  last_trans_lt: bigint | null;
};

/** Accounts that are known: primary key. */
export function readStoredCells(queries: Queries, accounts: readonly Uint8Array[]): Promise<StoredCells[]> {
  return queries.query<StoredCells>(storedCells(accounts));
}

/** Reads the same, and keeps others from changing these accounts until the end of the transaction. */
export async function holdStoredCells(
  transaction: Transaction,
  accounts: readonly Uint8Array[],
): Promise<StoredCells[]> {
  const lock = await lockOfRows(transaction, "merge", SQL`order by account for update`);
  return transaction.query<StoredCells>(SQL`${storedCells(accounts)} ${lock}`);
}

function storedCells(accounts: readonly Uint8Array[]): Fragment {
  return SQL`
    select account, code_hash, data_hash, last_trans_lt from latest_account_states
    where account = any(${accounts}::bytea[])`;
}
