import SQL from "sql-template-tag";
import { codeOf, directions } from "../codes.js";
import type { Queries } from "../database.js";
import { all, type Direction, type Fragment, given, isOneOf, keyList, type Page } from "../where.js";
import type { OffsetBookmarks } from "./offset-bookmarks.js";
import { type TransactionFilter, type TransactionKey, transactionList } from "./transaction-list.js";
import { transactionAddresses, transactionText, withParts } from "./transaction-text.js";

/** The text of a transaction with the cuts of its messages, and its raw addresses, separated by blanks. */
export type TransactionText = { text: string; addresses: string };

/**
 * One page of the matching transactions. Keys come from index-only scans: transactions_by_lt, _by_time, _by_account,
 * _by_account_time, _by_masterchain or _by_block, by the given filter. Other columns are read for the page only.
 */
export async function listTransactions(
  queries: Queries,
  filter: TransactionFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
): Promise<TransactionText[]> {
  return textsOf(queries, await bookmarks.read(queries, transactionList(filter, sort), page));
}

/** transactions_by_trace; ascending. */
export async function transactionsOfTraces(
  queries: Queries,
  traceIds: readonly Uint8Array[],
): Promise<TransactionText[]> {
  return select(
    queries,
    SQL`select lt, account from transactions where ${isOneOf("trace_id", traceIds)} order by lt, account`,
  );
}

/**
 * The sender of the inbound message and the receivers of the outbound ones, or one side; ascending. Messages of the
 * transaction by their primary key, the other sides by messages_by_hash, their transactions by primary key. The planner
 * estimates one row per partition, so `offset 0` fixes the join order.
 */
export async function adjacentTransactions(
  queries: Queries,
  hash: Uint8Array,
  direction: (typeof directions)[number] | undefined,
): Promise<TransactionText[]> {
  const own = all(
    SQL`own.tx_hash = ${hash}`,
    given(direction, (side) => SQL`own.direction = ${codeOf(directions, side)}`),
  );
  return select(
    queries,
    SQL`select distinct found.lt, found.account
    from messages own
    cross join lateral (
      select tx_hash, tx_lt from messages
      where msg_hash = own.msg_hash and direction <> own.direction offset 0) other
    cross join lateral (
      select lt, account from transactions where hash = other.tx_hash and lt = other.tx_lt offset 0) found
    where ${own} order by found.lt, found.account`,
  );
}

async function select(queries: Queries, search: Fragment): Promise<TransactionText[]> {
  return textsOf(queries, await queries.query<TransactionKey>(search));
}

/**
 * The rows of these keys, in their order, by transactions_by_account, whose columns are unique. Separate from the search
 * for the keys: a constant text is planned once, and planning takes longer than reading a page.
 */
async function textsOf(queries: Queries, keys: readonly TransactionKey[]): Promise<TransactionText[]> {
  if (keys.length === 0) return [];
  const accounts = keys.map(({ account }) => account);
  const lts = keys.map(({ lt }) => lt);
  return queries.query<TransactionText>(SQL`
    select ${transactionText} as text, ${transactionAddresses} as addresses
    from unnest(${keyList("bytea", accounts)}, ${keyList("bigint", lts)}) with ordinality page(account, lt, place)
    join transactions t on t.account = page.account and t.lt = page.lt
    ${withParts}
    order by page.place`);
}
