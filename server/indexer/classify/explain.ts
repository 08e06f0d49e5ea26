import type { Queries } from "../../store/database.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { Explanation } from "../actions/recorder.js";
import type { ClassifyJob } from "./classify-trace.js";
import { classifyTrace } from "./classify-trace.js";
import { storedRows } from "./stored-traces.js";
import { type TraceActions, TraceClassifier } from "./trace-classifier.js";

/** What a trace becomes, and how. */
export type ExplainedTrace = TraceActions & {
  explanation: Explanation;
  /** Why the trace could not be classified. */
  error: string | undefined;
};

/**
 * Classifies a stored trace as the index does late, in this thread, and keeps what matchers did: with the contracts that
 * were there at its end, as they are now. Stores nothing.
 */
export async function explainStored(queries: Queries, trace: TraceRow): Promise<ExplainedTrace> {
  let explanation = new Explanation();
  let error: string | undefined;
  const run = (job: ClassifyJob) => {
    // What was tried before all contracts were known does not count.
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
  const [result] = await classifier.classify(queries, rows, { horizon: "end of trace" });
  return { ...result!, explanation, error };
}
