import SQL, { raw } from "sql-template-tag";
import { directions } from "../codes.js";
import type { Queries } from "../database.js";
import { hashPrefix } from "../tables/directories.js";
import { code, type Fragment, greatest, keyList, keyLists, least, plannedOnce } from "../where.js";

/** The key of a row of transactions. */
export type TransactionName = { tx_hash: Uint8Array; tx_lt: bigint };

/** A hash, and the lt of what may have it, or whose message may have it. */
export type Located = { hash: Uint8Array; lt: bigint };

/** A transaction with its trace and its account. */
export type NamedTransaction = TransactionName & { trace_id: Uint8Array; account: Uint8Array };

/** The transactions with these hashes: tx_locator, then primary keys. */
export async function transactionsByHash(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<NamedTransaction[]> {
  return readLocated(queries, await locateTransactions(queries, hashes));
}

/** Where transactions with these hashes are: tx_locator. */
export function locateTransactions(queries: Queries, hashes: readonly Uint8Array[]): Promise<Located[]> {
  return locate(queries, hashes, SQL`select hash_prefix, lt from tx_locator`);
}

/** Located transactions: primary keys. */
export async function readLocated(
  queries: Queries,
  located: readonly Located[],
): Promise<NamedTransaction[]> {
  return located.length === 0
    ? []
    : queries.query(
        plannedOnce(SQL`
          select t.hash as tx_hash, t.lt as tx_lt, t.trace_id, t.account
          from ${wanted(located)}
          cross join lateral (
            select hash, lt, trace_id, account from transactions
            where hash = wanted.hash and lt = wanted.lt and ${isAmong("lt", located)} offset 0) t`),
      );
}

/** Where messages with these hashes, sent or normalized, are: msg_locator. */
export function locateMessages(queries: Queries, hashes: readonly Uint8Array[]): Promise<Located[]> {
  return locate(queries, hashes, SQL`select hash_prefix, tx_lt as lt from msg_locator`);
}

/** Where actions with these ids are, by the ends of their traces: action_locator. */
export function locateActions(queries: Queries, ids: readonly Uint8Array[]): Promise<Located[]> {
  return locate(queries, ids, SQL`select hash_prefix, trace_end_lt as lt from action_locator`);
}

/**
 * The items of a FROM list that yield rows `m` of messages with these hashes, sent or normalized, as `wanted.hash`:
 * messages_by_hash and _by_norm_hash of one slot each. `offset 0` fixes the join order, which the planner could not choose
 * without statistics.
 */
export function messagesAt(located: readonly Located[]): Fragment {
  return SQL`${wanted(located)}
    cross join lateral (
      select * from messages
      where tx_lt = wanted.lt and msg_hash = wanted.hash and ${isAmong("tx_lt", located)}
      union all
      select * from messages
      where tx_lt = wanted.lt and msg_hash_norm = wanted.hash and ${isAmong("tx_lt", located)}
      offset 0) m`;
}

/** The account of the transaction of row `m` of messages. */
export const accountOfMessage = SQL`case when m.direction = ${code(directions, "in")} then m.destination else m.source end`;

async function locate(
  queries: Queries,
  hashes: readonly Uint8Array[],
  directory: Fragment,
): Promise<Located[]> {
  const byPrefix = new Map<bigint, Uint8Array[]>();
  for (const hash of hashes) {
    const prefix = hashPrefix(hash);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), hash]);
  }
  const prefixes = [...byPrefix.keys()];
  // A list in one condition would be searched in each of the partitions that have the hashes.
  const statement =
    prefixes.length === 1
      ? SQL`${directory} where hash_prefix = ${prefixes[0]}`
      : SQL`select found.hash_prefix, found.lt from unnest(${keyList("bigint", prefixes)}) wanted(prefix)
          cross join lateral (${directory} where hash_prefix = wanted.prefix offset 0) found`;
  const rows = await queries.query<{ hash_prefix: bigint; lt: bigint }>(plannedOnce(statement));
  const found = new Map<string, Located>();
  for (const { hash_prefix, lt } of rows)
    for (const hash of byPrefix.get(hash_prefix) ?? [])
      found.set(`${Buffer.from(hash).toString("base64")} ${lt}`, { hash, lt });
  return [...found.values()];
}

/** Executors leave the partitions out that are not between the lt. */
function isAmong(column: string, located: readonly Located[]): Fragment {
  const lts = located.map(({ lt }) => lt);
  return SQL`${raw(column)} between ${least(lts)} and ${greatest(lts)}`;
}

function wanted(located: readonly Located[]): Fragment {
  return SQL`${keyLists(located, { hash: "bytea", lt: "bigint" })} wanted(hash, lt)`;
}
