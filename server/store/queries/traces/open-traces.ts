import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type OpenEdgeRow, openEdges, type TraceRow } from "../../tables/traces.js";
import { selectRows } from "../rows.js";
import { locateTraces, tracesAt } from "./account-traces.js";

/** Stored form of the state that the assembler of traces keeps between blocks. */
export type OpenTraces = { traces: TraceRow[]; edges: OpenEdgeRow[] };

/**
 * Edges opened by the masterchain blocks `from ..= to`, and their traces: open_edges_by_masterchain, then the places of the
 * traces by the accounts that opened the edges.
 */
export async function readOpenTraces(queries: Queries, from: number, to: number): Promise<OpenTraces> {
  const edges = await selectRows(
    queries,
    openEdges,
    "e",
    SQL`open_edges e where e.mc_seqno between ${from} and ${to}`,
  );
  const senders = edges.map(({ left_tx }) => left_tx);
  return { edges, traces: await tracesAt(queries, await locateTraces(queries, senders)) };
}

/** Deletes edges by their message hashes: primary key. */
export async function deleteEdges(queries: Queries, hashes: readonly Uint8Array[]): Promise<void> {
  if (hashes.length > 0)
    await queries.query(SQL`delete from open_edges where msg_hash = any(${hashes}::bytea[])`);
}
