import SQL from "sql-template-tag";
import { traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { type TraceRow, traces } from "../tables/traces.js";
import { all, code, given } from "../where.js";
import { selectRows } from "./rows.js";

/** The place of a complete trace in the order of its end. */
export type TraceKey = Pick<TraceRow, "end_lt" | "trace_id">;

type Range = { from: number; to: number; type?: string | undefined };

/**
 * Complete traces that end in a range of masterchain blocks, by their ends: traces_by_lt, or actions_by_type if only those
 * with an action of a type are wanted.
 */
export async function tracesBehind(
  queries: Queries,
  { from, to, type }: Range,
  after: TraceKey | undefined,
  limit: number,
): Promise<TraceRow[]> {
  const [span] = await queries.query<{ first: bigint | null; last: bigint | null }>(SQL`
    select min(start_lt) as first, max(end_lt) as last from blocks where mc_block_seqno in (${from}, (
      select max(mc_block_seqno) from blocks where workchain = -1 and seqno <= ${to}))`);
  if (span?.first == null || span.last == null) return [];
  const bounds = { first: span.first, last: span.last, after, from, to };
  return type === undefined
    ? selectRows(
        queries,
        traces,
        "t",
        SQL`traces t where ${endsWithin(bounds)} order by t.sort_lt, t.trace_id limit ${limit}`,
      )
    : ofType(queries, type, bounds, limit);
}

type Bounds = { first: bigint; last: bigint; after: TraceKey | undefined; from: number; to: number };

function endsWithin({ first, last, after, from, to }: Bounds) {
  return all(
    SQL`t.state = ${code(traceStates, "complete")} and t.mc_seqno_end between ${from} and ${to}`,
    SQL`t.sort_lt between ${first} and ${last}`,
    given(after, ({ end_lt, trace_id }) => SQL`(t.sort_lt, t.trace_id) > (${end_lt}, ${trace_id})`),
  );
}

function ofType(queries: Queries, type: string, bounds: Bounds, limit: number): Promise<TraceRow[]> {
  const { first, last, after } = bounds;
  const keys = all(
    SQL`a.type = ${type} and a.trace_end_lt between ${first} and ${last}`,
    given(after, ({ end_lt, trace_id }) => SQL`(a.trace_end_lt, a.trace_id) > (${end_lt}, ${trace_id})`),
  );
  return selectRows(
    queries,
    traces,
    "t",
    SQL`(
        select distinct a.trace_end_lt, a.trace_id from actions a
        where ${keys} and a.trace_mc_seqno_end between ${bounds.from} and ${bounds.to}
        order by a.trace_end_lt, a.trace_id limit ${limit}) page
      join traces t on t.trace_id = page.trace_id and t.sort_lt = page.trace_end_lt
      where t.state = ${code(traceStates, "complete")} and t.sort_lt between ${first} and ${last}
      order by t.end_lt, t.trace_id`,
  );
}
