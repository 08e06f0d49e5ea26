import SQL, { raw } from "sql-template-tag";
import { groupBy } from "../../../../shared/values/groups.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { directions } from "../../codes.js";
import type { Queries, Statement } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { isHash } from "../../sql/keys.js";
import { latin1Text } from "../../sql/row-bytes.js";
import {
  code,
  distinct,
  type Fragment,
  greatest,
  isOneOf,
  keyList,
  least,
  plannedOnce,
} from "../../sql/where.js";
import { actionLocator } from "../../tables/actions.js";
import { hashPrefix, msgLocator, txLocator } from "../../tables/directories.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredTransactionsAt } from "../cluster/gathered-rows.js";
import type { Located } from "./located.js";
import { slotBounds, slotOf } from "./slots.js";

/** The key of a row of transactions. */
type TransactionName = { tx_hash: Uint8Array; tx_lt: bigint };

/** Values, or places for them, of statements that read what is located. */
type Locations = { hashes: unknown; lts: unknown; slots: unknown; least: unknown; greatest: unknown };

/** There must be something located. `first` is where the first slot begins. */
export function locationsOf(located: readonly Located[]) {
  const lts = located.map(({ lt }) => lt);
  const slots = located.map(({ slot }) => slot);
  return {
    hashes: located.map(({ hash }) => hash),
    lts,
    slots,
    first: least(slots),
    least: least(lts),
    greatest: greatest(lts),
  };
}

/** A transaction with its trace and its account. */
export type NamedTransaction = TransactionName & { trace_id: Uint8Array; account: Uint8Array };

/** The transactions with these hashes: tx_locator, then transactions_by_lt. */
export async function transactionsByHash(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<NamedTransaction[]> {
  const located = await locateTransactions(queries, hashes);
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => [gatheredTransactionsAt(located)]);
  return gathered.query(plannedOnce(locatedTransactions(located)));
}

/** Rows `NamedTransaction` of located transactions. */
export function locatedTransactions(located: readonly Located[]): Fragment {
  const locations = locationsOf(located);
  return SQL`
    select t.hash as tx_hash, t.lt as tx_lt, t.trace_id, t.account from ${transactionsIn(locations)}`;
}

/** The items of a FROM list that yield the rows `t` of these transactions: transactions_by_lt. */
export function transactionsIn(locations: Locations): Fragment {
  return SQL`${wanted(locations)} ${transactionBy("wanted.hash", "wanted.lt", locations)}`;
}

/** Places of transactions with these hashes: tx_locator. */
export function locateTransactions(queries: Queries, hashes: readonly Uint8Array[]): Promise<Located[]> {
  return locate(queries, hashes, txLocator);
}

/** Places of messages with these hashes, sent or normalized: msg_locator. */
export function locateMessages(queries: Queries, hashes: readonly Uint8Array[]): Promise<Located[]> {
  return locate(queries, hashes, msgLocator);
}

/** Places of actions with these ids, by the ends of their traces: action_locator. */
export function locateActions(queries: Queries, ids: readonly Uint8Array[]): Promise<Located<bigint>[]> {
  return locate(queries, ids, actionLocator);
}

/**
 * The items of a FROM list that yield rows `m` of messages with these hashes, sent or normalized, as `wanted.hash`: among those of
 * the transactions at one lt, by messages_by_transaction. `offset 0` fixes the join order, which the planner could not choose
 * without statistics.
 */
export function messagesAt(located: readonly Located[]): Fragment {
  return messagesIn(locationsOf(located));
}

/** The same, for statements with places of values (`fixedText`). */
export function messagesIn(locations: Locations): Fragment {
  return SQL`${wanted(locations)}
    cross join lateral (
      select * from messages
      where tx_lt = wanted.lt and ${isAmong("tx_lt", locations)} and wanted.hash in (msg_hash, msg_hash_norm) offset 0) m`;
}

/** The account of the transaction of row `m` of messages. */
export const accountOfMessage = SQL`case when m.direction = ${code(directions, "in")} then m.destination else m.source end`;

/** An item of a FROM list that yields, of each such row `m`, its transaction `t`: transactions_by_lt. */
export function transactionOf(locations: Locations): Fragment {
  return transactionBy("m.tx_hash", "m.tx_lt", locations);
}

function transactionBy(hash: string, lt: string, locations: Locations): Fragment {
  return SQL`cross join lateral (
      select * from transactions
      where ${isHash("hash", raw(hash))} and lt = ${raw(lt)} and ${isAmong("lt", locations)} offset 0) t`;
}

async function locate<Owner>(
  queries: Queries,
  hashes: readonly Uint8Array[],
  directory: Table,
): Promise<Located<Owner>[]> {
  const byPrefix = groupBy(distinct(hashes), hashPrefix);
  const prefixes = [...byPrefix.keys()];
  if (prefixes.length === 0) return [];
  const rows = (await queries.isDivided())
    ? await placesOnNodes<Owner>(queries, prefixes, directory)
    : await queries.query<Place<Owner>>(placesOf(prefixes, directory));
  const found = new Map<string, Located<Owner>>();
  for (const { hash_prefix, lt, slot, owner } of rows)
    for (const hash of byPrefix.get(hash_prefix) ?? []) {
      const key = `${lt} ${latin1Text(hash)}`;
      // Anybody can make two hashes that begin alike.
      found.set(key, { hash, lt, slot, owner: found.has(key) ? null : owner });
    }
  return [...found.values()];
}

type Place<Owner> = Omit<Located<Owner>, "hash"> & { hash_prefix: bigint };

function placesOf(prefixes: readonly bigint[], { name, key }: Table): Statement {
  const column = itemAt(key, 1);
  const places = raw(`select hash_prefix, ${column} as lt, ${slotOf(column)} as slot from ${name}`);
  // A list in one condition would be searched in each of the partitions that have the hashes.
  return plannedOnce(
    prefixes.length === 1
      ? SQL`${places} where hash_prefix = ${prefixes[0]}`
      : SQL`select found.* from unnest(${keyList("bigint", prefixes)}) wanted(prefix)
          cross join lateral (${places} where hash_prefix = wanted.prefix offset 0) found`,
  );
}

/** Nodes have no slots, and their entries have owners. */
async function placesOnNodes<Owner>(
  queries: Queries,
  prefixes: readonly bigint[],
  { name, key, widenBy }: Table,
): Promise<Place<Owner>[]> {
  const rows = await queries.query<Omit<Place<Owner>, "slot">>(
    plannedOnce(SQL`
      select distinct hash_prefix, ${raw(itemAt(key, 1))} as lt, ${raw(widenBy!.column)} as owner
      from ${raw(name)} where ${isOneOf("hash_prefix", prefixes)}`),
  );
  if (rows.length === 0) return [];
  const lts = rows.map(({ lt }) => lt);
  const { starts } = await slotBounds(queries, lts);
  return rows.map((row, at) => ({ ...row, slot: itemAt(starts, at) }));
}

/** Executors leave the partitions out that are not between the lt. */
export function isAmong(column: string, { least, greatest }: Locations): Fragment {
  return SQL`${raw(column)} between ${least} and ${greatest}`;
}

/** Rows of what is located. */
export function wanted({ hashes, lts, slots }: Locations): Fragment {
  return SQL`unnest(${keyList("bytea", hashes)}, ${keyList("bigint", lts)}, ${keyList("bigint", slots)}) wanted(hash, lt, slot)`;
}
