import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import { type OpenEdgeRow, openEdges, type TraceRow, traces } from "../tables/traces.js";
import { selectRows } from "./rows.js";

/** What the assembler of traces keeps in memory between blocks, as it is stored. */
export type OpenTraces = { traces: TraceRow[]; edges: OpenEdgeRow[] };

/** Edges opened by the masterchain blocks `from ..= to`, and their traces: open_edges_by_masterchain. */
export async function readOpenTraces(queries: Queries, from: number, to: number): Promise<OpenTraces> {
  return {
    edges: await selectRows(
      queries,
      openEdges,
      "e",
      SQL`open_edges e where e.mc_seqno between ${from} and ${to}`,
    ),
    traces: await selectRows(
      queries,
      traces,
      "t",
      SQL`traces t where t.trace_id in (
        select trace_id from open_edges where mc_seqno between ${from} and ${to})`,
    ),
  };
}

/** Deletes edges by their message hashes: primary key. */
export async function deleteEdges(queries: Queries, hashes: readonly Uint8Array[]): Promise<void> {
  if (hashes.length > 0)
    await queries.query(SQL`delete from open_edges where msg_hash = any(${hashes}::bytea[])`);
}
