import { classifyTrace } from "../../../server/indexer/classify/classify-trace.js";
import { TraceClassifier } from "../../../server/indexer/classify/trace-classifier.js";

/** Classifies in the thread of the test, which saves starting one. A trace that cannot be classified fails the test. */
export const classifier = new TraceClassifier({
  // However slow the machine is, traces are classified with their blocks.
  limits: { ownMs: 60_000, traceMs: 60_000 },
  thread: { run: async (jobs) => jobs.map((job) => classifyTrace(job)) },
  onFailure(_, reason) {
    throw new Error(`a trace could not be classified: ${reason}`);
  },
});
