// Entry of the classifier's worker thread: classifies the traces of one message at a time.

import { ownPort } from "../../os/own-port.js";
import { type ClassifyJob, classifyTrace } from "./classify-trace.js";

const port = ownPort();

port.on("message", (jobs: readonly ClassifyJob[]) => {
  port.postMessage(jobs.map((job) => classifyTrace(job)));
});
