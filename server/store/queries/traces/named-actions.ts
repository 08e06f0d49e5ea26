import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isOneOfHashes } from "../../sql/keys.js";
import { all, empty, type Fragment, greatest, isOneOf, least, plannedOnce, within } from "../../sql/where.js";
import { noTraceEnd } from "../../tables/traces.js";
import { besideRows } from "../cluster/beside-rows.js";
import { ofShardsOf } from "../cluster/divided-clauses.js";
import { gatheredLocatedMessages, gatheredPlacesAt } from "../cluster/gathered-rows.js";
import { type Located, ownersOf } from "../slots/located.js";
import {
  locateActions,
  locatedTransactions,
  locateMessages,
  locateTransactions,
  locationsOf,
  messagesIn,
  type NamedTransaction,
  transactionOf,
} from "../slots/locators.js";
import { locateTraces, type TracePlace, withPlaces } from "./account-traces.js";

/** The filters that name actions. */
export type ActionNames = {
  tx_hash?: readonly Uint8Array[] | undefined;
  msg_hash?: readonly Uint8Array[] | undefined;
  action_id?: readonly Uint8Array[] | undefined;
  trace_id?: readonly Uint8Array[] | undefined;
};

/** The actions that a filter names, and the ends of their traces. */
type NamedActions = {
  /** Their rows, whatever else is asked: the planner would rather pass over all actions of some times. */
  rows: Fragment;
  ends: readonly bigint[];
};

/** Rows that the filter names by ids and hashes; `undefined` if it names none. */
export async function namedActions(queries: Queries, filter: ActionNames): Promise<NamedActions | undefined> {
  const conditions: Fragment[] = [];
  let ends: readonly bigint[] | undefined;
  const narrow = (found: readonly bigint[]) => {
    const known = ends && new Set(ends);
    ends = known ? found.filter((end) => known.has(end)) : found;
  };
  const ofTraces = async (ids: readonly Uint8Array[]) =>
    SQL`${isOneOfHashes("trace_id", ids)} ${await ofShardsOf(queries, ids)}`;
  if (filter.action_id?.length) {
    const located = await locateActions(queries, filter.action_id);
    conditions.push(SQL`${isOneOfHashes("action_id", filter.action_id)} ${ofTracesOf(located)}`);
    narrow(located.map(({ lt }) => lt));
  }
  if (filter.trace_id?.length) {
    conditions.push(await ofTraces(filter.trace_id));
    narrow(endsOf(await locateTraces(queries, filter.trace_id)));
  }
  for (const transactions of await namedTransactions(queries, filter)) {
    const traces = transactions.map(({ trace_id }) => trace_id);
    const hashes = transactions.map(({ tx_hash }) => tx_hash);
    conditions.push(SQL`${await ofTraces(traces)} and tx_hashes && ${hashes}::bytea[]`);
    narrow(endsOf(transactions));
  }
  if (!ends) return undefined;
  if (ends.length === 0) return { rows: SQL`actions`, ends };
  const isAtEnds = [isOneOf("trace_end_lt", ends), within("trace_end_lt", least(ends), greatest(ends))];
  return { rows: SQL`(select * from actions where ${all(...conditions, ...isAtEnds)} offset 0)`, ends };
}

/** The condition that actions are of the traces of those that were located, for statements about these: none on one server. */
export function ofTracesOf(located: readonly Located<bigint>[]): Fragment {
  const traces = ownersOf(located);
  return traces?.length ? SQL`and ${isOneOf("trace_prefix", traces)}` : empty;
}

/** Traces that are not complete have no actions. */
function endsOf(places: readonly TracePlace[]): bigint[] {
  return places.map(({ sort_lt }) => sort_lt).filter((end) => end !== noTraceEnd);
}

/** A transaction, and the place of its trace. */
type Placed = NamedTransaction & TracePlace;

/** For each of the two filters by transactions that is given: the transactions that it names. */
async function namedTransactions(queries: Queries, { tx_hash, msg_hash }: ActionNames): Promise<Placed[][]> {
  const found: Placed[][] = [];
  if (tx_hash?.length)
    found.push(await placed(queries, await locateTransactions(queries, tx_hash), locatedTransactions));
  if (msg_hash?.length) found.push(await placed(queries, await locateMessages(queries, msg_hash), sidesAt));
  return found;
}

async function placed(
  queries: Queries,
  located: readonly Located[],
  transactions: (located: readonly Located[]) => Fragment,
): Promise<Placed[]> {
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => [
    gatheredLocatedMessages(located),
    ...gatheredPlacesAt(located),
  ]);
  return gathered.query(plannedOnce(withPlaces(transactions(located))));
}

/** The transactions that sent messages, and those that received them. */
function sidesAt(located: readonly Located[]): Fragment {
  const locations = locationsOf(located);
  return SQL`
    select distinct m.tx_hash, m.tx_lt, t.trace_id, t.account
    from ${messagesIn(locations)} ${transactionOf(locations)}`;
}
