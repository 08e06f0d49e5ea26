import { itemAt } from "../../../shared/values/lookups.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Queries, Sql } from "../../store/database.js";
import {
  deleteActions,
  holdTraces,
  lockOfTraces,
  readTraceParts,
  readUnclassified,
  setClassified,
} from "../../store/queries/traces/trace-rows.js";
import { deleteAwaited, releaseTraces } from "../../store/queries/upkeep/awaited-contracts.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { areDelayed, holdHead, tellTraces } from "../../store/queries/upkeep/late-events.js";
import { deleteUnknownContracts } from "../../store/queries/upkeep/unknown-contracts.js";
import type { TraceRow } from "../../store/tables/traces.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { keyOf } from "../hash-key.js";
import { addActions } from "./action-rows.js";
import { partsByTrace } from "./batch-actions.js";
import { learnContracts } from "./learned-contracts.js";
import type { TraceClassifier } from "./trace-classifier.js";

/** Traces classified per transaction. */
const groupSize = 200;

/**
 * Classifies complete traces that still lack actions: those completed by joining two ranges, those affected by newly
 * stored earlier blocks, and those of an index from before actions existed. Returns the number of traces.
 */
export async function classifyLate(
  database: Sql,
  classifier: TraceClassifier,
  { atMost = Number.POSITIVE_INFINITY, signal }: { atMost?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let looked = 0;
  let classified = 0;
  while (looked + classified < atMost && !signal?.aborted) {
    const learned = await learnContracts(database);
    looked += learned;
    const traces = await readUnclassified(database, Math.min(groupSize, atMost - classified));
    if (learned === 0 && traces.length === 0) break;
    if (traces.length > 0) await classifyStored(database, classifier, traces);
    classified += traces.length;
  }
  if (classified > 0) await database.transaction((transaction) => raiseIndexVersion(transaction));
  return classified;
}

/** Replaces the actions of stored complete traces. Traces that change meanwhile are skipped. */
export async function classifyStored(
  database: Sql,
  classifier: TraceClassifier,
  traces: readonly TraceRow[],
): Promise<void> {
  const rows = await storedRows(database, traces);
  const results = await classifier.classify(database, rows, { horizon: "end of trace" });
  await database.transaction(async (transaction) => {
    const ids = traces.map(({ trace_id }) => trace_id);
    const lock = await lockOfTraces(transaction);
    const head = (await areDelayed(transaction, ids)) ? await holdHead(transaction) : undefined;
    const held = new Set((await holdTraces(transaction, traces, lock)).map(keyOf));
    const kept = traces.flatMap((trace, i) =>
      held.has(keyOf(trace.trace_id)) ? [{ trace, ...itemAt(results, i) }] : [],
    );
    if (kept.length === 0) return;
    const keptTraces = kept.map(({ trace }) => trace);
    await deleteActions(transaction, keptTraces);
    const keptIds = keptTraces.map(({ trace_id }) => trace_id);
    await deleteUnknownContracts(transaction, keptIds);
    await deleteAwaited(transaction, keptIds);
    const rows = await RowSet.for(transaction);
    for (const each of kept) addActions(rows, each);
    await transaction.write(rows.finish());
    await setClassified(
      transaction,
      kept.map(({ trace: { trace_id, end_lt }, state }) => ({
        trace_id,
        end_lt,
        classification_state: state,
      })),
    );
    await releaseTraces(transaction, keptIds);
    if (head) await tellTraces(transaction, keptIds, head.next);
  });
}

/** The stored rows of complete traces, in the same order. */
export async function storedRows(queries: Queries, traces: readonly TraceRow[]): Promise<TraceRows[]> {
  const parts = partsByTrace(await readTraceParts(queries, traces));
  return traces.map((trace) => {
    const { transactions = [], messages = [], messageContents = [] } = parts.get(keyOf(trace.trace_id)) ?? {};
    return { trace, transactions, messages, messageContents };
  });
}
