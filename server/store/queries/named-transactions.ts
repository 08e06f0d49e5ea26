import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import { all, type Direction, type Page, plannedOnce } from "../where.js";
import {
  accountOfMessage,
  type Located,
  locateMessages,
  locateTransactions,
  messagesAt,
  type NamedTransaction,
  readLocated,
} from "./locators.js";
import { type SlotStarts, slotStarts } from "./slots.js";
import { hasOnly, messageConditions, messageNames, type TransactionFilter } from "./transaction-filter.js";

export type NamedPage = { keys: readonly NamedKey[]; starts: SlotStarts };
type NamedKey = { lt: bigint; account: Uint8Array };

/**
 * One page of the transactions that a filter names by hashes, if it asks nothing else of them; `undefined` if it does. Then
 * no list is searched. The slots are read meanwhile.
 */
export async function namedPage(
  queries: Queries,
  filter: TransactionFilter,
  { sort, limit, offset }: Page & { sort: Direction },
): Promise<NamedPage | undefined> {
  const { account, exclude_account, hash, msg_hash } = filter;
  const isByHash = hash?.length && hasOnly(filter, "hash");
  const isByMessage = msg_hash?.length && hasOnly(filter, "msg_hash", ...messageNames);
  if (account?.length || exclude_account?.length || !(isByHash || isByMessage)) return undefined;
  const located = isByHash
    ? await locateTransactions(queries, hash)
    : await locateMessages(queries, msg_hash!);
  if (located.length === 0) return { keys: [], starts: { of: (lt) => lt, first: 0n } };
  const [found, starts] = await Promise.all([
    isByHash ? readLocated(queries, located) : transactionsOfMessages(queries, located, filter),
    slotStarts(
      queries,
      located.map(({ lt }) => lt),
    ),
  ]);
  const sign = sort === "desc" ? -1 : 1;
  const keys = found.map(({ tx_lt, account }) => ({ lt: tx_lt, account }));
  return { keys: keys.sort((a, b) => sign * compare(a, b)).slice(offset, offset + limit), starts };
}

function compare(a: NamedKey, b: NamedKey): number {
  return a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : Buffer.compare(a.account, b.account);
}

/** The transactions that have a matching one of located messages. */
export function transactionsOfMessages(
  queries: Queries,
  located: readonly Located[],
  filter: TransactionFilter,
): Promise<Omit<NamedTransaction, "trace_id">[]> {
  return queries.query(
    plannedOnce(SQL`
      select distinct m.tx_hash, m.tx_lt, ${accountOfMessage} as account
      from ${messagesAt(located)} where ${all(...messageConditions(filter))}`),
  );
}
