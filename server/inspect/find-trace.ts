import type { Queries } from "../store/database.js";
import { readAction } from "../store/queries/traces/actions.js";
import { listTraces, type TraceNames, type TraceRow } from "../store/queries/traces/traces.js";

/** Limit on the traces counted; a message sent repeatedly begins several traces. */
const atMost = 100;

/** The traces identified by a hash, newest first: by their own id, a transaction, a message or an action. */
export async function findTraces(queries: Queries, hash: Uint8Array): Promise<TraceRow[]> {
  const page = { limit: atMost, offset: 0, sort: "desc" } as const;
  const named: TraceNames[] = [{ trace_id: [hash] }, { tx_hash: [hash] }, { msg_hash: [hash] }];
  for (const names of named) {
    const found = await listTraces(queries, names, page);
    if (found.length > 0) return found;
  }
  const action = await readAction(queries, hash);
  return action ? listTraces(queries, { trace_id: [action.trace_id] }, page) : [];
}
