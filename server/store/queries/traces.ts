import SQL from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { noTraceEnd, type TraceRecord, traceRecord, traces } from "../tables/traces.js";
import {
  all,
  code,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  ordered,
  type Page,
  paged,
  type TimeBounds,
  within,
} from "../where.js";
import { locateMessages, messagesAt, transactionsByHash } from "./locators.js";
import { selectRows } from "./rows.js";
import { slotsWithin } from "./slot-windows.js";
import { readSlots } from "./slots.js";
import type { TraceSpan } from "./transactions.js";

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

// A trace that is not complete has no end yet and counts as newest. The indexes are over these very expressions.
const pending = code(traceStates, "pending").sql;
const endLt = `(case when state = ${pending} then null else end_lt end)`;
const endUtime = `(case when state = ${pending} then null else end_utime end)`;

/** One page of traces, by traces_by_lt, traces_by_time, traces_by_end, or by the ids that are looked up first. */
export async function listTraces(
  queries: Queries,
  filter: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceRow[]> {
  const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
  const byTime = !byLt && (filter.start_utime !== undefined || filter.end_utime !== undefined);
  if (filter.account && filter.mc_seqno === undefined)
    return ofAccount(queries, { ...filter, account: filter.account }, { ...page, byTime });
  const ids = await idsOf(queries, filter);
  if (ids?.length === 0) return [];
  return select(
    queries,
    SQL`where ${all(
      given(ids, (known) => isOneOf("trace_id", known)),
      ...conditionsOf(filter),
    )}
    order by ${ordered(page.sort, byTime ? endUtime : endLt, "traces.trace_id")} ${paged(page)}`,
  );
}

async function select(queries: Queries, rest: Fragment): Promise<TraceRow[]> {
  const rows = await selectRows(queries, traces, "traces", SQL`traces ${rest}`);
  return rows.map((t) => ({
    id: t.trace_id,
    from: t.start_lt,
    to: t.end_lt,
    ...traceRecord.present({ t }),
  }));
}

/** account_traces, whose indexes have the orders of the list, then the traces by their ids. */
async function ofAccount(
  queries: Queries,
  { account, start_lt, end_lt, start_utime, end_utime }: TraceFilter & { account: Address },
  { sort, byTime, ...page }: Page & { sort: Direction; byTime: boolean },
): Promise<TraceRow[]> {
  const isByBoth = !byTime && (start_utime !== undefined || end_utime !== undefined);
  const span = isByBoth ? await ltOfTimes(queries, start_utime, end_utime) : undefined;
  const keys = await queries.query<{ trace_id: Uint8Array }>(SQL`
    select trace_id from account_traces
    where ${all(
      SQL`account = ${addressToBytes(account)}`,
      given(span, ({ from, to }) => SQL`end_lt >= ${from} and end_lt < ${to}`),
      endWithin("end_lt", start_lt, end_lt),
      endWithin("end_utime", start_utime, end_utime),
    )}
    order by ${ordered(sort, byTime ? "end_utime" : "end_lt", "trace_id")} ${paged(page)}`);
  if (keys.length === 0) return [];
  const ids = keys.map(({ trace_id }) => trace_id);
  return select(
    queries,
    SQL`where ${isOneOf("trace_id", ids)}
      order by ${ordered(sort, byTime ? endUtime : endLt, "traces.trace_id")}`,
  );
}

/** The lt that transactions of some times can have, by the slots they are in; `to` is exclusive. */
async function ltOfTimes(
  queries: Queries,
  from: number | undefined,
  to: number | undefined,
): Promise<{ from: bigint; to: bigint }> {
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  const slots = await readSlots(queries);
  const found = slotsWithin(slots, { axis: "utime", from: toBigint(from), to: toBigint(to) });
  return { from: found[0]?.from_lt ?? 0n, to: found.at(-1)?.to_lt ?? 0n };
}

/** A trace that is not complete has no end, and is within no bounds. */
function endWithin(
  column: string,
  from: bigint | number | undefined,
  to: bigint | number | undefined,
): Fragment | undefined {
  if (from === undefined && to === undefined) return undefined;
  return within(column, from, to !== undefined && to < noTraceEnd ? to : noTraceEnd - 1n);
}

/** Members are named like the parameters. */
export type TraceNames = Pick<TraceFilter, "trace_id" | "tx_hash" | "msg_hash">;

/** The traces that the filter names; `undefined` if it names none. tx_locator, msg_locator. */
async function idsOf(
  queries: Queries,
  { trace_id, tx_hash, msg_hash }: TraceNames,
): Promise<readonly Uint8Array[] | undefined> {
  if (trace_id?.length) return trace_id;
  if (tx_hash?.length) return (await transactionsByHash(queries, tx_hash)).map((found) => found.trace_id);
  if (!msg_hash?.length) return undefined;
  const located = await locateMessages(queries, msg_hash);
  if (located.length === 0) return [];
  const rows = await queries.query<{ trace_id: Uint8Array }>(SQL`
    select distinct m.trace_id from ${messagesAt(located)}`);
  return rows.map((row) => row.trace_id);
}

function conditionsOf(filter: TraceFilter): (Fragment | undefined)[] {
  return [
    // By the primary key of account_traces for each trace of the masterchain block: a subquery is not made a join.
    given(
      filter.account,
      (account) => SQL`(
        select true from account_traces a
        where a.account = ${addressToBytes(account)} and a.end_lt = traces.end_lt and a.trace_id = traces.trace_id)`,
    ),
    given(
      filter.mc_seqno,
      (seqno) => SQL`mc_seqno_end = ${seqno} and state = ${code(traceStates, "complete")}`,
    ),
    within(endUtime, filter.start_utime, filter.end_utime),
    within(endLt, filter.start_lt, filter.end_lt),
  ];
}
