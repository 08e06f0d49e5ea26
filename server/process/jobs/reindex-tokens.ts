import type { Config } from "../../config/settings.js";
import { reindexTokens } from "../../indexer/tokens/reindex.js";
import type { BackfillProgress } from "../../indexer/work/progress.js";
import type { Environment } from "../environment.js";
import { createIndexJob, type IndexJob, oneAtATime } from "./index-job.js";

/** Creates the process of `tonwire reindex-tokens`, which adds missing token events to the index. */
export function createTokenReindex(config: Config, environment: Environment = {}): IndexJob {
  const run = oneAtATime<BackfillProgress>("tokenReindex", ({ database, lock, rate, onProgress }, signal) =>
    reindexTokens({ database: database.sql({ connections: 1 }), lock, rate, onProgress }, signal),
  );
  return createIndexJob(config, environment, run);
}
