import SQL, { raw } from "sql-template-tag";
import { codeOf, directions, traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { all, code, given, greatest, least } from "../../sql/where.js";
import { type TraceRow, traces } from "../../tables/traces.js";
import { blockSpans } from "../blocks/blocks.js";
import { selectRows } from "../rows.js";
import type { Lts } from "../upkeep/block-rows.js";
import { type TracePlace, tracesAt } from "./account-traces.js";

/** The place of a complete trace in the order of its end. */
export type TraceKey = Pick<TraceRow, "end_lt" | "trace_id">;

type Range = { from: number; to: number; type?: string | undefined };

/**
 * Complete traces that end in a range of masterchain blocks, by their ends: primary key, or actions_by_type if only those
 * with an action of a type are wanted. `lts`: those of the blocks, where their ranges are not stored yet.
 */
export async function tracesBehind(
  queries: Queries,
  { from, to, type, lts }: Range & { lts?: Lts },
  after: TraceKey | undefined,
  limit: number,
): Promise<TraceRow[]> {
  const span = lts ?? (await ltOf(queries, from, to));
  if (!span) return [];
  const bounds = { ...span, after, from, to };
  return type === undefined
    ? selectRows(
        queries,
        traces,
        "t",
        SQL`traces t where ${endsWithin(bounds)} order by t.sort_lt, t.trace_id limit ${limit}`,
      )
    : ofType(queries, type, bounds, limit);
}

/**
 * Completes traces in a range of masterchain blocks whose first message was sent by no transaction: earlier versions wrote
 * that their beginning is missing. It was created when the block began; start lts of blocks are multiples of `blockLts`.
 */
export async function completeUnsent(
  queries: Queries,
  { from, to }: Range,
  { blockLts }: { blockLts: bigint },
): Promise<void> {
  const span = await ltOf(queries, from, to);
  if (!span) return;
  const isReceiver = SQL`m.tx_lt = t.start_lt and ${isHash("m.tx_hash", raw("t.trace_id"))}`;
  await queries.query(SQL`
    update traces t set state = ${code(traceStates, "complete")}, pending_edges_ = 0, edges_ = t.edges_ + 1
    where t.state = ${code(traceStates, "broken")} and t.pending_edges_ = 1
      and t.sort_lt between ${span.first} and ${span.last}
      and exists (select from messages m
        where ${isReceiver} and m.direction = ${code(directions, "in")}
          and m.created_lt = t.start_lt - t.start_lt % ${blockLts})`);
}

/** The lt of the stored ones among some masterchain blocks; `undefined` if none is. */
async function ltOf(queries: Queries, from: number, to: number): Promise<Lts | undefined> {
  const [ends] = await queries.query<{ first: number | null; last: number | null }>(SQL`
    select min(greatest(from_seqno, ${from})) as first, max(least(done_to, ${to})) as last from index_ranges
    where done_to >= from_seqno and from_seqno <= ${to} and done_to >= ${from}`);
  if (ends?.first == null || ends.last == null) return undefined;
  const first = await blockSpans(queries, { mc_seqno: ends.first });
  const last = await blockSpans(queries, { mc_seqno: ends.last });
  if (first.length === 0 || last.length === 0) return undefined;
  return {
    first: least(first.map(({ start_lt }) => start_lt)),
    last: greatest(last.map(({ end_lt }) => end_lt)),
  };
}

type Bounds = Lts & { after: TraceKey | undefined; from: number; to: number };

function endsWithin({ first, last, after, from, to }: Bounds) {
  return all(
    SQL`t.state = ${code(traceStates, "complete")} and t.mc_seqno_end between ${from} and ${to}`,
    SQL`t.sort_lt between ${first} and ${last}`,
    given(after, ({ end_lt, trace_id }) => SQL`(t.sort_lt, t.trace_id) > (${end_lt}, ${trace_id})`),
  );
}

async function ofType(queries: Queries, type: string, bounds: Bounds, limit: number): Promise<TraceRow[]> {
  const { first, last, after } = bounds;
  const keys = all(
    SQL`a.type = ${type} and a.trace_end_lt between ${first} and ${last}`,
    given(after, ({ end_lt, trace_id }) => SQL`(a.trace_end_lt, a.trace_id) > (${end_lt}, ${trace_id})`),
  );
  const places = await queries.query<TracePlace>(SQL`
    select distinct a.trace_end_lt as sort_lt, a.trace_id from actions a
    where ${keys} and a.trace_mc_seqno_end between ${bounds.from} and ${bounds.to}
    order by a.trace_end_lt, a.trace_id limit ${limit}`);
  const found = await tracesAt(queries, places);
  return found.filter(({ state }) => state === codeOf(traceStates, "complete"));
}
