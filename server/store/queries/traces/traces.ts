import SQL from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import {
  capped,
  type Direction,
  greatest,
  hasLts,
  hasTimes,
  least,
  type Page,
  type TimeBounds,
} from "../../sql/where.js";
import { noTraceEnd, type TraceRecord, traceRecord } from "../../tables/traces.js";
import { narrowedLts, narrowedToPage, withinBlock, withLts } from "../blocks/page-times.js";
import { besideRows, gatheredLocatedMessages, gatheredTransactionsAt } from "../cluster/gathered-rows.js";
import { locateMessages, locationsOf, messagesIn, transactionOf } from "../slots/locators.js";
import { readRowPage } from "../slots/slot-pages.js";
import { slotsBetween } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";
import type { TraceSpan } from "../transactions/transactions.js";
import { locateTraces, placesOf, type TracePlace } from "./account-traces.js";
import { endTimes, orderOf, pages, type Rule, readRow, type Selected } from "./trace-statements.js";

/** A trace without its transactions, its id as bytes, and the lt of its first and its last transaction. */
export type TraceRow = TraceRecord & TraceSpan;

/** Members are named like the parameters. */
export type TraceFilter = TimeBounds & {
  account?: Address | undefined;
  trace_id?: readonly Uint8Array[] | undefined;
  tx_hash?: readonly Uint8Array[] | undefined;
  msg_hash?: readonly Uint8Array[] | undefined;
  mc_seqno?: number | undefined;
};

/** The slot of traces that are not complete. */
const openSlot: Slot = {
  from_lt: noTraceEnd,
  to_lt: noTraceEnd + 1n,
  first_lt: noTraceEnd,
  last_lt: noTraceEnd,
  first_utime: noTraceEnd,
  last_utime: noTraceEnd,
  first_mc_seqno: null,
  last_mc_seqno: null,
};

/** One page of traces. Names lead to places first; one statement finds and reads all others. */
export async function listTraces(
  queries: Queries,
  asked: TraceFilter,
  { sort, ...page }: Page & { sort: Direction },
): Promise<TraceRow[]> {
  const isOfAccount = asked.account !== undefined && asked.mc_seqno === undefined;
  const places = isOfAccount ? undefined : await placesNamed(queries, asked);
  if (places?.length === 0) return [];
  const byTime = !hasLts(asked) && hasTimes(asked);
  const filter = places ? asked : await bounded(queries, asked, { sort, ...page });
  const lead = isOfAccount ? "account" : places ? "places" : "slots";
  const own = { sort, byTime, lead, rules: rulesOf(filter, isOfAccount) } as const;
  const values = { ...valuesOf(filter), ...(places && placeValues(places)) };
  const slots = lead === "slots" ? await slotsOf(queries, filter) : undefined;
  const rows = await readRowPage<Selected>(
    queries,
    { order: orderOf(own), sort, page, slots, bounds: { axis: byTime ? "utime" : "lt" } },
    (shape, found) => pages({ ...own, ...shape })({ ...values, ...found }),
  );
  return rows.map((row) => {
    const { t, slot } = readRow(row);
    return { id: t.trace_id, from: t.start_lt, to: t.end_lt, slot, ...traceRecord.present({ t }) };
  });
}

/** The filter with the bounds of lt that are known: of its block, of its times, or of the page if no index has its traces in order. */
function bounded(
  queries: Queries,
  filter: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceFilter> {
  if (filter.mc_seqno !== undefined || !hasTimes(filter)) return withinBlock(queries, filter);
  if (hasLts(filter)) return withinTimes(queries, filter);
  return filter.account ? narrowedOfAccount(queries, filter, page) : Promise.resolve(filter);
}

/** The times of an account's traces come in the order of lt first, which its index has. */
function narrowedOfAccount(
  queries: Queries,
  filter: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceFilter> {
  return narrowedToPage(queries, filter, page, async (possible, limit) => {
    const statement = endTimes({ sort: page.sort, rules: rulesOf(possible, true) });
    const rows = await queries.query<{ time: bigint }>(statement({ ...valuesOf(possible), limit }));
    return rows.map(({ time }) => time);
  });
}

/** A list by lt would otherwise pass over all that is at other times before it finds anything. */
async function withinTimes(queries: Queries, filter: TraceFilter): Promise<TraceFilter> {
  const narrowed = await narrowedLts(queries, filter);
  if (narrowed) return narrowed;
  const found = await slotsBetween(queries, filter);
  return withLts(filter, { from: found[0]?.from_lt ?? 0n, to: (found.at(-1)?.to_lt ?? 0n) - 1n });
}

/** The slots that may have matching traces. One that is not complete has no end, and is within no bounds. */
async function slotsOf(queries: Queries, filter: TraceFilter): Promise<Slot[]> {
  const ended = await slotsBetween(queries, filter);
  return hasLts(filter) || hasTimes(filter) ? ended : [...ended, openSlot];
}

function rulesOf(filter: TraceFilter, isOfAccount: boolean): Rule[] {
  return [
    ...(hasLts(filter) ? (["lt"] as const) : []),
    ...(hasTimes(filter) ? (["time"] as const) : []),
    ...(filter.mc_seqno === undefined ? [] : (["block"] as const)),
    ...(filter.account === undefined || isOfAccount ? [] : (["account"] as const)),
  ];
}

function valuesOf(filter: TraceFilter) {
  const lastEnd = noTraceEnd - 1n;
  const {
    account,
    mc_seqno = null,
    start_lt = 0n,
    end_lt = lastEnd,
    start_utime = 0,
    end_utime = lastEnd,
  } = filter;
  const [from, to] = [capped(start_lt), hasLts(filter) ? least([end_lt, lastEnd]) : noTraceEnd];
  return {
    ...{ account: account ? addressToBytes(account) : null, mc_seqno, from, to, first: from, greatest: to },
    ...{ since: start_utime, until: end_utime },
  };
}

function placeValues(places: readonly TracePlace[]) {
  const lts = places.map(({ sort_lt }) => sort_lt);
  const ids = places.map(({ trace_id }) => trace_id);
  return { ids, lts, first: least(lts), greatest: greatest(lts) };
}

/** Members are named like the parameters. */
export type TraceNames = Pick<TraceFilter, "trace_id" | "tx_hash" | "msg_hash">;

/** The places of the traces that the filter names; `undefined` if it names none. tx_locator, msg_locator, account_traces. */
async function placesNamed(
  queries: Queries,
  { trace_id, tx_hash, msg_hash }: TraceNames,
): Promise<TracePlace[] | undefined> {
  const transactions = trace_id?.length ? trace_id : tx_hash;
  if (transactions?.length) return locateTraces(queries, transactions);
  if (!msg_hash?.length) return undefined;
  const located = await locateMessages(queries, msg_hash);
  if (located.length === 0) return [];
  const locations = locationsOf(located);
  const gathered = await besideRows(queries, () => [
    gatheredLocatedMessages(located),
    gatheredTransactionsAt(located),
  ]);
  return placesOf(
    gathered,
    SQL`select t.trace_id, t.account from ${messagesIn(locations)} ${transactionOf(locations)}`,
  );
}
