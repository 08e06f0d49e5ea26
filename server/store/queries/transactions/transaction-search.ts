import SQL from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import { isAccount } from "../../sql/keys.js";
import {
  anyOf,
  capped,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  type Page,
  within,
} from "../../sql/where.js";
import type { TransactionFilter } from "./transaction-filter.js";
import { inBlocks, type Scope } from "./transaction-scope.js";

/** A unique key; `now` if the list is ordered by it. */
export type TransactionKey = { lt: bigint; account: Uint8Array; now?: bigint };

/** Columns of keys, in the order of the list. */
export const orders = {
  byLt: ["lt", "account"],
  byTime: ["now", "lt", "account"],
} as const;

export type Search = {
  filter: TransactionFilter;
  accounts: readonly Uint8Array[] | undefined;
  scope: Scope;
  /** The order, in which lt and account make it total. */
  columns: readonly ("now" | "lt" | "account")[];
  sort: Direction;
  /** The condition that a message of the transaction matches, if the filter is of messages. */
  isMatched: Fragment | undefined;
};

/** A page, within slots and behind a key if these conditions are given. */
export type Part = {
  page: Page;
  window: Fragment | undefined;
  behind: Fragment | undefined;
};

export function conditionsOf({ filter, scope }: Search, { ofBlocks = true } = {}): (Fragment | undefined)[] {
  const { blocks } = scope;
  return [
    ofBlocks && blocks && filter.seqno !== undefined ? inBlocks(blocks) : undefined,
    given(filter.workchain, (value) => SQL`block_workchain = ${value}`),
    given(filter.shard, (value) => SQL`block_shard = ${value}`),
    given(filter.mc_seqno, (seqno) => SQL`mc_block_seqno = ${seqno}`),
    anyOf(filter.hash, (values) => isOneOf("hash", values)),
    within("now", filter.start_utime, filter.end_utime),
    ...ltConditions(filter),
  ];
}

export function ltConditions({ lt, start_lt, end_lt }: TransactionFilter): (Fragment | undefined)[] {
  return [given(lt, (value) => SQL`lt = ${capped(value)}`), within("lt", start_lt, end_lt)];
}

export function ofAccounts(search: Search): Fragment | undefined {
  const { filter, accounts } = search;
  if (!accounts)
    return anyOf(
      filter.exclude_account,
      (addresses) => SQL`account <> all(${addresses.map(addressToBytes)})`,
    );
  return accounts.length === 1
    ? isOfAccount(search, SQL`${accounts[0]}`)
    : SQL`account = any(${accounts}::bytea[])`;
}

/** transactions_by_account has whole accounts, transactions_by_account_time has keys. */
function isOfAccount({ columns }: Search, account: Fragment): Fragment {
  return columns[0] === "now" ? isAccount("account", account) : SQL`account = ${account}`;
}
