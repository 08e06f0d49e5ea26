import SQL from "sql-template-tag";
import type { Queries } from "../store/database.js";
import type { OpenEdgeRow, TraceRow } from "../store/tables.js";
import type { Claim } from "./ranges.js";
import type { OpenTraces } from "./traces.js";

/** Null where a TraceRow has nothing, and times as bigint, as they come out of the database. */
type StoredTrace = Omit<TraceRow, "external_hash" | "external_hash_norm" | "start_utime" | "end_utime"> & {
  external_hash: Uint8Array | null;
  external_hash_norm: Uint8Array | null;
  start_utime: bigint;
  end_utime: bigint;
};

/** The traces a worker has to know to go on with its range. */
export async function loadOpenTraces(queries: Queries, { chainFrom, doneTo }: Claim): Promise<OpenTraces> {
  const edges = await queries.query<OpenEdgeRow>(SQL`
    select msg_hash, trace_id, left_tx, mc_seqno from open_edges
    where mc_seqno between ${chainFrom} and ${doneTo}`);
  const traces = await queries.query<StoredTrace>(SQL`
    select trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime,
      end_lt, end_utime, state, pending_edges_, edges_, nodes_
    from traces
    where trace_id in (
      select trace_id from open_edges where mc_seqno between ${chainFrom} and ${doneTo})`);
  return {
    edges,
    traces: traces.map((row) => ({
      ...row,
      external_hash: row.external_hash ?? undefined,
      external_hash_norm: row.external_hash_norm ?? undefined,
      start_utime: Number(row.start_utime),
      end_utime: Number(row.end_utime),
    })),
  };
}
