import SQL from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { accountStatuses } from "../codes.js";
import type { Queries } from "../database.js";
import { all, anyOf, keyList, type Page, paged, wordOf } from "../where.js";

/** The last state of an account, as far as the index knows. */
export type AccountRow = {
  address: string;
  hash: string;
  balance: string;
  extra_currencies: Record<string, string>;
  status: "nonexist" | "uninit" | "active" | "frozen";
  frozen_hash: string | null;
  last_transaction_hash: string | null;
  last_transaction_lt: string | null;
  data_hash: string | null;
  code_hash: string | null;
  data_boc: string | null;
  code_boc: string | null;
  contract_methods: number[] | null;
};

/** Which of the cells, the only big things of a row, are wanted. */
export type AccountCells = "none" | "data" | "both";

/** Those that are known, in the order asked for: primary key. */
export async function readAccounts(
  queries: Queries,
  {
    addresses,
    codeHashes,
  }: { addresses: readonly Address[]; codeHashes?: readonly Uint8Array[] | undefined },
  cells: AccountCells,
): Promise<AccountRow[]> {
  const keys = [...new Map(addresses.map((address) => [address.toRaw(), addressToBytes(address)])).values()];
  return queries.query<AccountRow>(SQL`
    select wire_address(s.account) as address, wire_hash(s.hash) as hash, s.balance::text as balance,
      coalesce(s.balance_extra_currencies, '{}') as extra_currencies,
      ${wordOf("s.account_status", accountStatuses)} as status,
      wire_hash(s.frozen_hash) as frozen_hash,
      wire_hash(s.last_trans_hash) as last_transaction_hash, s.last_trans_lt::text as last_transaction_lt,
      wire_hash(s.data_hash) as data_hash, wire_hash(s.code_hash) as code_hash,
      ${cells === "none" ? SQL`null` : SQL`wire_boc(s.data_boc)`} as data_boc,
      ${cells === "both" ? SQL`wire_boc(s.code_boc)` : SQL`null`} as code_boc,
      c.methods as contract_methods
    from unnest(${keys}::bytea[]) with ordinality wanted(account, place)
    join latest_account_states s on s.account = wanted.account
    left join contract_methods c on c.code_hash = s.code_hash
    where ${all(anyOf(codeHashes, (hashes) => SQL`s.code_hash = any(${hashes})`))}
    order by wanted.place`);
}

/** latest_account_states_by_balance. */
export async function richestAccounts(
  queries: Queries,
  page: Page,
): Promise<{ account: string; balance: string }[]> {
  return queries.query(SQL`
    select wire_address(s.account) as account, s.balance::text as balance
    from latest_account_states s order by s.balance desc, s.account ${paged(page)}`);
}

/** What the address book needs to know of an account. */
export type BookRow = { account: string; code_hash: string | null; methods: number[] | null };

/** Those that are known: primary key. */
export async function readBook(queries: Queries, accounts: readonly Uint8Array[]): Promise<BookRow[]> {
  return queries.query<BookRow>(SQL`
    select wire_address(s.account) as account, wire_hash(s.code_hash) as code_hash, c.methods
    from unnest(${keyList("bytea", accounts)}) wanted(account)
    join latest_account_states s on s.account = wanted.account
    left join contract_methods c on c.code_hash = s.code_hash`);
}
