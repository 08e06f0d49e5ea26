import { RowSet } from "../../store/copy/row-set.js";
import type { Queries, Sql } from "../../store/database.js";
import {
  deleteActions,
  holdTraces,
  readTraceParts,
  readUnclassified,
  setClassified,
} from "../../store/queries/trace-rows.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { keyOf } from "../hash-key.js";
import { addActions } from "./action-rows.js";
import { partsByTrace } from "./batch-actions.js";
import type { TraceClassifier } from "./trace-classifier.js";

/** Traces that are classified in one transaction. */
const groupSize = 200;

/**
 * Classifies complete traces that are not classified yet: those that joining two ranges completed, and those of an index
 * from before there were actions. Looks contracts up as they are now. Returns the number of traces.
 */
export async function classifyLate(
  database: Sql,
  classifier: TraceClassifier,
  { atMost = Number.POSITIVE_INFINITY, signal }: { atMost?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let classified = 0;
  while (classified < atMost && !signal?.aborted) {
    const traces = await readUnclassified(database, Math.min(groupSize, atMost - classified));
    if (traces.length === 0) break;
    await classifyStored(database, classifier, traces);
    classified += traces.length;
  }
  return classified;
}

/** Replaces the actions of stored traces that are complete. Traces that change meanwhile are left out. */
export async function classifyStored(
  database: Sql,
  classifier: TraceClassifier,
  traces: readonly TraceRow[],
): Promise<void> {
  const results = await classifier.classify(database, await rowsOf(database, traces));
  await database.transaction(async (transaction) => {
    const held = new Set((await holdTraces(transaction, traces)).map(keyOf));
    const kept = traces.flatMap((trace, i) =>
      held.has(keyOf(trace.trace_id)) ? [{ trace, ...results[i]! }] : [],
    );
    if (kept.length === 0) return;
    await deleteActions(
      transaction,
      kept.map(({ trace }) => trace),
    );
    const rows = new RowSet();
    for (const { actions } of kept) addActions(rows, actions);
    await transaction.write(rows.finish());
    await setClassified(
      transaction,
      kept.map(({ trace: { trace_id }, state }) => ({ trace_id, classification_state: state })),
    );
  });
}

async function rowsOf(queries: Queries, traces: readonly TraceRow[]) {
  const parts = partsByTrace(await readTraceParts(queries, traces));
  return traces.map((trace) => {
    const { transactions = [], messages = [], messageContents = [] } = parts.get(keyOf(trace.trace_id)) ?? {};
    return { trace, transactions, messages, messageContents };
  });
}
