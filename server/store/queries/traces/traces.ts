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
import { besideRows, type GatheredRows } from "../cluster/beside-rows.js";
import { gatheredEntries, gatheredTraces } from "../cluster/gathered-directories.js";
import { readList, readListKeys } from "../cluster/list-keys.js";
import { type NamedTrace, placesInBlock, traceKeys } from "../cluster/trace-keys.js";
import { locateMessages } from "../slots/locators.js";
import { readRowPage } from "../slots/slot-pages.js";
import { slotsBetween } from "../slots/slot-windows.js";
import type { Slot } from "../slots/slots.js";
import type { TraceSpan } from "../transactions/transactions.js";
import { locateTraces, placesOfMessages, type TracePlace } from "./account-traces.js";
import {
  endTimes,
  type FilterValues,
  orderOf,
  pages,
  type Rule,
  readRow,
  type Selected,
  type Shape,
} from "./trace-statements.js";

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
  const named = isOfAccount ? undefined : await placesNamed(queries, asked);
  if (named?.length === 0) return [];
  const byTime = !hasLts(asked) && hasTimes(asked);
  const filter = named ? asked : await bounded(queries, asked, { sort, ...page });
  const list = { sort, byTime, rules: rulesOf(filter, isOfAccount) };
  const rows = named
    ? await readPlaces(queries, list, named, valuesOf(filter), page)
    : await readFound(queries, filter, { ...list, lead: isOfAccount ? "account" : "slots" }, page);
  return rows.map((row) => {
    const { t, slot } = readRow(row);
    return { id: t.trace_id, from: t.start_lt, to: t.end_lt, slot, ...traceRecord.present({ t }) };
  });
}

type List = Pick<Shape, "sort" | "byTime" | "lead" | "rules">;

/** The traces of a page that slots or the entries of an account lead to. */
async function readFound(queries: Queries, filter: TraceFilter, list: List, page: Page): Promise<Selected[]> {
  const values = valuesOf(filter);
  const slots = list.lead === "slots" ? await slotsOf(queries, filter) : undefined;
  const search = searchOf(list, page, slots);
  const isOfBoth = slots && list.rules.includes("account");
  return readList<NamedTrace, Selected>(queries, {
    atOnce: () => readPage(queries, search, list, values),
    // All traces of a block are read if an account is given, too: other shards have the entries of the account.
    keys: () =>
      isOfBoth
        ? placesInBlock(queries, values, slots)
        : readListKeys(queries, search, traceKeys(list, values)),
    rowsOf: (places) =>
      isOfBoth
        ? readPlaces(queries, list, places, values, page)
        : readPlaces(queries, { ...list, rules: [] }, places, values, { ...page, offset: 0 }),
  });
}

/** Those of a page that are at some places, in the order of the list. */
async function readPlaces(
  queries: Queries,
  { sort, byTime, rules }: Omit<List, "lead">,
  places: readonly NamedTrace[],
  values: ReturnType<typeof valuesOf>,
  page: Page,
): Promise<Selected[]> {
  const list: List = { sort, byTime, rules, lead: "places" };
  const gathered = await besideRows(queries, () => ofPlaces(places, list, values));
  return readPage(gathered, searchOf(list, page), list, { ...values, ...placeValues(places) });
}

function searchOf(list: List, page: Page, slots?: readonly Slot[]) {
  const bounds = { axis: list.byTime ? "utime" : "lt" } as const;
  return { order: orderOf(list), sort: list.sort, page, slots, bounds };
}

function readPage(
  queries: Queries,
  search: ReturnType<typeof searchOf>,
  list: List,
  values: FilterValues,
): Promise<Selected[]> {
  return readRowPage(queries, search, (shape, found) =>
    pages({ ...list, ...shape })({ ...values, ...found }),
  );
}

/** The traces at places, and whether the account of the filter takes part in them. */
function ofPlaces(
  places: readonly NamedTrace[],
  { rules }: List,
  { account }: Pick<FilterValues, "account">,
): GatheredRows[] {
  const ids = places.map(({ trace_id }) => trace_id);
  const isOfAccount = account && rules.includes("account");
  return [gatheredTraces(places), ...(isOfAccount ? [gatheredEntries(ids, [account])] : [])];
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
  return placesOfMessages(queries, located);
}
