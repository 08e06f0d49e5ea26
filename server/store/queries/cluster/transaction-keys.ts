import SQL, { raw } from "sql-template-tag";
import { all, distinct, type Fragment, ordered, type Page, paged } from "../../sql/where.js";
import { messageConditions } from "../transactions/transaction-filter.js";
import {
  conditionsOf,
  ltConditions,
  ofAccounts,
  type Part,
  type Search,
} from "../transactions/transaction-search.js";
import { isAnyOf } from "./gathered-rows.js";
import { pageOfAll } from "./list-keys.js";

/** So many accounts are searched one by one, as there may be two statements of each shard at most. */
const mostOneByOne = 16;

/** Finds keys by indexes in the order of the list. Each shard of a divided index does so, and the coordinator merges the keys. */
export function keysByIndex(search: Search, { page, window, behind }: Part): Fragment {
  const { accounts, columns, sort } = search;
  const wanted = [...conditionsOf(search), namedIn(search), window, behind];
  const order = ordered(sort, ...columns);
  const areFew = accounts && accounts.length > 1 && accounts.length <= mostOneByOne;
  const searches = (areFew ? accounts.map((account) => [account]) : [accounts]).map(
    (each) => (part: Page) =>
      SQL`${keysFrom({ ...search, accounts: each }, wanted, window)} order by ${order} ${paged(part)}`,
  );
  return pageOfAll(searches, page, order);
}

/** Beside nothing but accounts, a condition on messages leads: few transactions may have such messages. */
function keysFrom(
  search: Search,
  wanted: readonly (Fragment | undefined)[],
  window: Fragment | undefined,
): Fragment {
  const { scope, columns, accounts, filter, isMatched } = search;
  if (!scope.isByMessages || scope.named || accounts)
    return SQL`select ${raw(columns.join(", "))} from transactions
      where ${all(ofAccounts(search), ...wanted, isMatched)}`;
  return SQL`select distinct ${raw(columns.map((column) => `transactions.${column}`).join(", "))}
    from transactions join (
      select account as of_account, tx_lt, tx_hash from (select *, tx_lt as lt from messages) messages
      where ${all(...messageConditions(filter), ...ltConditions(filter), window)}) m
    on m.of_account = transactions.account and m.tx_lt = transactions.lt and m.tx_hash = transactions.hash
    where ${all(ofAccounts(search), ...wanted)}`;
}

/** transactions_by_account of the shards of what is named. */
function namedIn({ scope: { named } }: Search): Fragment | undefined {
  if (!named) return undefined;
  const accounts = distinct(named.map(({ account }) => account));
  const hashes = named.map(({ tx_hash }) => tx_hash);
  const lts = named.map(({ tx_lt }) => tx_lt);
  return all(
    isAnyOf("transactions.account", accounts),
    SQL`lt = any(${lts}::bigint[]) and hash = any(${hashes}::bytea[])`,
  );
}
