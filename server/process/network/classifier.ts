import { bytesToHex } from "../../../shared/values/bytes.js";
import { ClassifierThread } from "../../indexer/classify/classifier-thread.js";
import { TraceClassifier } from "../../indexer/classify/trace-classifier.js";
import type { Context } from "../context/context.js";

/** The classifier of traces with a thread of its own, which ends with the process's other parts. */
export function openClassifier({ closers, log }: Context): TraceClassifier {
  const thread = closers.add(new ClassifierThread(), (each) => each.close());
  return new TraceClassifier({
    thread,
    onFailure: (traceId, reason) =>
      log.warn({ trace: bytesToHex(traceId), reason }, "a trace could not be classified"),
  });
}
