// Entry of the classifier's worker thread: classifies the traces of one message at a time.

import { OwnThread } from "../../os/channel/thread.js";
import type { ClassifierSide } from "./classifier-thread.js";
import { classifyTrace } from "./classify-trace.js";

const handlers: ClassifierSide = {
  classify: (jobs) => jobs.map((job) => classifyTrace(job)),
};

new OwnThread({ handlers });
