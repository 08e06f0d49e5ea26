import { itemAt } from "../../../shared/values/lookups.js";
import type { Queries } from "../../store/database.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { Explanation } from "../actions/recorder.js";
import type { ClassifyJob } from "./classify-trace.js";
import { classifyTrace } from "./classify-trace.js";
import { storedRows } from "./stored-traces.js";
import { type TraceActions, TraceClassifier } from "./trace-classifier.js";

/** Classification of a trace, with its explanation. */
export type ExplainedTrace = TraceActions & {
  explanation: Explanation;
  /** The reason for a failure. */
  error: string | undefined;
};

/**
 * Classifies a stored trace in this thread as the index does late, and records the matchers' results. Uses the
 * contracts that existed at its end, in their current state. Stores nothing.
 */
export async function explainStored(queries: Queries, trace: TraceRow): Promise<ExplainedTrace> {
  let explanation = new Explanation();
  let error: string | undefined;
  const run = (job: ClassifyJob) => {
    // Attempts before all contracts were known are discarded.
    explanation = new Explanation();
    return classifyTrace(job, { recorder: explanation });
  };
  const classifier = new TraceClassifier({
    thread: { run: async (jobs) => jobs.map(run) },
    onFailure: (_, reason) => {
      error = reason;
    },
  });
  const rows = await storedRows(queries, [trace]);
  const result = itemAt(await classifier.classify(queries, rows, { horizon: "end of trace" }), 0);
  return { ...result, explanation, error };
}
