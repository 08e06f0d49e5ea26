import { classificationStates, codeOf, traceStates } from "../codes.js";
import { bigint, hash, integer, nullable, shownAs, wideInteger, word } from "../declare/columns.js";
import { type ColumnPart, columnsOf, type MaybePart, object, orNull } from "../declare/record.js";
import { type RowOf, type StoredRowOf, table } from "../declare/table.js";
import { decimal } from "../declare/wire-forms.js";

/** Facts of a trace. */
export const traceColumns = {
  trace_id: hash,
  external_hash: nullable(hash),
  external_hash_norm: nullable(hash),
  mc_seqno_start: shownAs(integer, decimal),
  mc_seqno_end: shownAs(integer, decimal),
  start_lt: bigint,
  start_utime: wideInteger,
  end_lt: bigint,
  end_utime: wideInteger,
  state: word(traceStates),
  pending_edges_: integer,
  edges_: integer,
  nodes_: integer,
  classification_state: word(classificationStates),
};

export type TraceRow = RowOf<typeof traceColumns>;
export type StoredTraceRow = StoredRowOf<typeof traces>;

/**
 * Everything that followed from one inbound external message or one system event. `sort_lt` is the `end_lt` of
 * `traceEnds`: those that are not complete have a partition of their own. A stored row whose place changes is deleted first.
 */
export const traces = table("traces", {
  columns: { ...traceColumns, sort_lt: bigint },
  key: ["sort_lt", "trace_id"],
  merge: "replace",
  partitionBy: "sort_lt",
  divideBy: { column: "trace_id" },
  // Traces that began before the block and ended after it are counted anew: see queries/upkeep/revert.ts.
  revertBy: { block: "mc_seqno_start" },
});

export type OpenEdgeRow = RowOf<typeof openEdges.columns>;

/** Messages that were sent and not received yet. */
export const openEdges = table("open_edges", {
  columns: { msg_hash: hash, trace_id: hash, left_tx: hash, mc_seqno: integer },
  key: ["msg_hash"],
  merge: "refuse",
  revertBy: { block: "mc_seqno" },
  traceColumn: "trace_id",
});

/** Sorts last: a trace that is not complete has no end yet and counts as newer than all that have. */
export const noTraceEnd = 2n ** 63n - 1n;

/** The ends of a trace in `account_traces`, and its place in `traces`. */
export function traceEnds({ state, end_lt, end_utime }: Pick<TraceRow, "state" | "end_lt" | "end_utime">): {
  end_lt: bigint;
  end_utime: bigint;
} {
  return state === pending
    ? { end_lt: noTraceEnd, end_utime: noTraceEnd }
    : { end_lt, end_utime: BigInt(end_utime) };
}

/** A trace with its place in the table. */
export function placedTrace(row: TraceRow): StoredTraceRow {
  return { ...row, sort_lt: traceEnds(row).end_lt };
}

type Rows = { t: TraceRow };

const t = columnsOf("t", traceColumns);
const pending = codeOf(traceStates, "pending");

/** A trace that is not complete has no end yet. */
function unlessPending<Wire>({ maybe, present }: ColumnPart<Rows, Wire>): MaybePart<Rows, Wire> {
  return {
    maybe: `case when t.state <> ${pending} then ${maybe} end`,
    present: (rows) => (rows.t.state === pending ? undefined : present(rows)),
  };
}

/** A trace without its transactions. */
export const traceRecord = object({
  trace_id: t.trace_id,
  external_hash: orNull(t.external_hash),
  mc_seqno_start: t.mc_seqno_start,
  mc_seqno_end: t.mc_seqno_end,
  start_lt: t.start_lt,
  start_utime: t.start_utime,
  end_lt: orNull(unlessPending(t.end_lt)),
  end_utime: orNull(unlessPending(t.end_utime)),
  trace_state: t.state,
  messages: t.edges_,
  transactions: t.nodes_,
  pending_messages: t.pending_edges_,
  classification_state: t.classification_state,
});

export type TraceRecord = ReturnType<typeof traceRecord.present>;
