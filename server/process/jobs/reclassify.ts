import type { Config } from "../../config/settings.js";
import { type ReclassifyRange, reclassify } from "../../indexer/classify/reclassify.js";
import type { BackfillProgress } from "../../indexer/work/progress.js";
import type { Environment } from "../environment.js";
import { openClassifier } from "../network/classifier.js";
import { createIndexJob, type IndexJob, oneAtATime } from "./index-job.js";

/** Options of `tonwire reclassify`. */
type ReclassifyPlan = ReclassifyRange & { workers: number };

/** Creates the process of `tonwire reclassify`, which derives the actions of stored traces anew. */
export function createReclassification(
  config: Config,
  { workers, ...range }: ReclassifyPlan,
  environment: Environment = {},
): IndexJob {
  const run = oneAtATime<BackfillProgress>(
    "reclassification",
    ({ context, database, lock, rate, onProgress }, signal) => {
      const classifiers = Array.from({ length: workers }, () => openClassifier(context));
      const sql = database.sql({ connections: workers });
      return reclassify({ database: sql, lock, classifiers, range, rate, onProgress }, signal);
    },
  );
  return createIndexJob(config, environment, run);
}
