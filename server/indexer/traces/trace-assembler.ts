import { isUnsent } from "../../../shared/ton/tlb/block-lt.js";
import { bytesEqual, compareBytes } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import { classificationStates, codeOf, traceStates } from "../../store/codes.js";
import type { OpenTraces } from "../../store/queries/traces/open-traces.js";
import type { MessageRow } from "../../store/tables/messages.js";
import { type OpenEdgeRow, type TraceRow, traceEnds } from "../../store/tables/traces.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import { keyOf } from "../hash-key.js";

const pending = codeOf(traceStates, "pending");
const complete = codeOf(traceStates, "complete");
const broken = codeOf(traceStates, "broken");
const unclassified = codeOf(classificationStates, "unclassified");

/** `-1:00..00`, the sender of system messages. */
const systemAddress = Buffer.alloc(33).fill(0xff, 0, 1);

/** A stored trace, at a position that it may leave. */
type MovedTrace = { row: TraceRow; from: bigint };

/** Changes to store, except edges opened and closed in between. */
export type TraceChanges = {
  traces: TraceRow[];
  moved: MovedTrace[];
  opened: OpenEdgeRow[];
  closed: Uint8Array[];
};

/** `storedAt`: its position in the table, if it is stored. */
type Trace = { row: TraceRow; openEdges: number; storedAt: bigint | undefined };

/**
 * Assembles traces: all transactions caused by one external inbound message or one system event. Masterchain blocks
 * must be taken in ascending order.
 */
export class TraceAssembler {
  readonly #traces = new Map<string, Trace>();
  readonly #edges = new Map<string, OpenEdgeRow>();
  readonly #changed = new Set<Trace>();
  readonly #opened = new Set<OpenEdgeRow>();
  readonly #closed: Uint8Array[] = [];

  constructor({ traces, edges }: OpenTraces = { traces: [], edges: [] }) {
    for (const row of traces)
      this.#traces.set(keyOf(row.trace_id), { row, openEdges: 0, storedAt: placeOf(row) });
    for (const row of edges) {
      this.#edges.set(keyOf(row.msg_hash), row);
      const trace = this.#traces.get(keyOf(row.trace_id));
      if (trace) trace.openEdges++;
    }
  }

  /** Number of open edges, and of their traces. */
  get size(): { edges: number; traces: number } {
    return { edges: this.#edges.size, traces: this.#traces.size };
  }

  /** Takes all transactions of a masterchain block and its shard blocks, and sets `trace_id` in their rows, `is_first` in those of messages. */
  async take(
    transactions: readonly DecodedTransaction[],
    mcSeqno: number,
    timeSlice: TimeSlice,
  ): Promise<void> {
    const touched = new Set<Trace>();
    for (const transaction of [...transactions].sort(byTime)) {
      const trace = this.#traceOf(transaction, mcSeqno);
      this.#extend(trace, transaction, mcSeqno);
      touched.add(trace);
      await timeSlice.yieldIfDue();
    }
    for (const trace of touched) this.#settle(trace);
  }

  /** Changes since the last call. */
  changes(): TraceChanges {
    // Copied: later transactions must not change rows being stored.
    const changed = [...this.#changed].map(({ row, storedAt }) => ({ row: { ...row }, storedAt }));
    const changes = {
      traces: changed.map(({ row }) => row),
      moved: changed.flatMap(({ row, storedAt }) =>
        storedAt === undefined ? [] : [{ row, from: storedAt }],
      ),
      opened: [...this.#opened],
      closed: this.#closed.splice(0),
    };
    for (const trace of this.#changed) trace.storedAt = placeOf(trace.row);
    this.#changed.clear();
    this.#opened.clear();
    return changes;
  }

  #traceOf({ row, inMessage }: DecodedTransaction, mcSeqno: number): Trace {
    const edge = inMessage && this.#closeEdge(inMessage.msg_hash);
    const known = edge && this.#traces.get(keyOf(edge.trace_id));
    if (known) {
      known.openEdges--;
      known.row.nodes_++;
      known.row.edges_++;
      known.row.pending_edges_--;
      return known;
    }
    const isRoot = !edge && (!inMessage || startsTrace(inMessage, row.lt));
    const trace: Trace = {
      openEdges: 0,
      storedAt: undefined,
      row: {
        trace_id: row.hash,
        external_hash: inMessage?.msg_hash,
        external_hash_norm: inMessage?.msg_hash_norm,
        mc_seqno_start: mcSeqno,
        mc_seqno_end: mcSeqno,
        start_lt: row.lt,
        start_utime: row.now,
        end_lt: row.lt,
        end_utime: row.now,
        state: isRoot ? pending : broken,
        // The edge into a broken trace stays open, because its sender is unknown.
        pending_edges_: isRoot ? 0 : 1,
        edges_: isRoot && inMessage ? 1 : 0,
        nodes_: 1,
        classification_state: unclassified,
      },
    };
    this.#traces.set(keyOf(row.hash), trace);
    return trace;
  }

  #closeEdge(messageHash: Uint8Array): OpenEdgeRow | undefined {
    const key = keyOf(messageHash);
    const edge = this.#edges.get(key);
    if (!edge) return undefined;
    this.#edges.delete(key);
    if (!this.#opened.delete(edge)) this.#closed.push(edge.msg_hash);
    return edge;
  }

  #extend(trace: Trace, { row, inMessage, outMessages }: DecodedTransaction, mcSeqno: number): void {
    const { row: traceRow } = trace;
    traceRow.mc_seqno_end = mcSeqno;
    if (row.lt > traceRow.end_lt) traceRow.end_lt = row.lt;
    if (row.now > traceRow.end_utime) traceRow.end_utime = row.now;
    row.trace_id = traceRow.trace_id;
    if (inMessage) inMessage.is_first = bytesEqual(row.trace_id, row.hash);
    for (const message of outMessages) {
      if (!message.destination) {
        traceRow.edges_++;
        continue;
      }
      traceRow.pending_edges_++;
      trace.openEdges++;
      const edge = {
        msg_hash: message.msg_hash,
        trace_id: traceRow.trace_id,
        left_tx: row.hash,
        mc_seqno: mcSeqno,
      };
      this.#edges.set(keyOf(message.msg_hash), edge);
      this.#opened.add(edge);
    }
  }

  #settle(trace: Trace): void {
    const { row } = trace;
    if (row.state !== broken) row.state = row.pending_edges_ === 0 ? complete : pending;
    if (trace.openEdges === 0) this.#traces.delete(keyOf(row.trace_id));
    this.#changed.add(trace);
  }
}

function placeOf(row: TraceRow): bigint {
  return traceEnds(row).end_lt;
}

/** Messages that no transaction sends: external inbound ones, those of the system, and those in the name of another account. */
function startsTrace({ created_lt, source }: MessageRow, receivedLt: bigint): boolean {
  return (
    created_lt === undefined ||
    isUnsent(created_lt, receivedLt) ||
    (source !== undefined && bytesEqual(source, systemAddress))
  );
}

/** By lt, workchain, account. */
function byTime({ row: a }: DecodedTransaction, { row: b }: DecodedTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return signed(a.account) - signed(b.account) || compareBytes(a.account, b.account);
}

function signed(account: Uint8Array): number {
  return (itemAt(account, 0) << 24) >> 24;
}
