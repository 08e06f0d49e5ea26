import type { Config } from "../../config/settings.js";
import { pause } from "../../os/pause.js";
import { DayExport, type DaysPlan } from "../../store/parquet/export-days.js";
import type { Environment } from "../environment.js";
import { createIndexJob, type IndexJob } from "./index-job.js";

/** `follow`: whether later days and blocks are written too, until the process ends. */
type ExportPlan = DaysPlan & { follow: boolean };

/** How often a followed index is looked at: its files have minutes of the chain. */
const lookMs = 5000;

/** Creates the process of `tonwire export`, which writes rows into Parquet files. */
export function createDayExport(config: Config, plan: ExportPlan, environment: Environment = {}): IndexJob {
  return createIndexJob(config, environment, async ({ database, rate, onProgress }, signal) => {
    const days = new DayExport(database.sql({ connections: 1 }), plan);
    rate.begin(0);
    const report = (blocks: number, done: number) => {
      rate.reached(done);
      const missing = blocks - done;
      const { perSec } = rate;
      onProgress({ blocks, missing, blocksPerSec: perSec, remainingSec: rate.remainingSec(missing) });
    };
    const options = { signal, onProgress: report };
    while (!(await days.write(options, plan.follow)) && plan.follow) {
      await pause(lookMs, signal);
      signal.throwIfAborted();
    }
  });
}
