// Entry of the classifier's worker thread: classifies the traces of one message at a time.
import { parentPort } from "node:worker_threads";
import { type ClassifyJob, classifyTrace } from "./classify-trace.js";

const port = parentPort!;

port.on("message", (jobs: readonly ClassifyJob[]) => {
  port.postMessage(jobs.map((job) => classifyTrace(job)));
});
