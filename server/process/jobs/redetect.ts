import type { Config } from "../../config/settings.js";
import { Redetection, type RedetectionProgress } from "../../indexer/follow/redetect.js";
import { ChainUnits } from "../../indexer/units/chain-units.js";
import type { Environment } from "../environment.js";
import { openDetection } from "../network/contract-runs.js";
import { redetectionStatus } from "../service/status.js";
import { type ChainJob, createChainJob } from "./chain-job.js";

/** A process that recognises the contracts of an index. */
type RedetectionJob = ChainJob & { progress(): RedetectionProgress | undefined };

/** Creates the process of `tonwire redetect`; `listen` starts it. */
export function createRedetection(config: Config, environment: Environment = {}): RedetectionJob {
  let redetection: Redetection | undefined;
  const progress = () => redetection?.progress;
  const job = createChainJob(config, environment, {
    name: "redetection",
    async run({ context, source, database, failed }, signal) {
      redetection = new Redetection({
        database,
        lite: source.api,
        units: new ChainUnits({ lite: source.api }),
        detection: await openDetection(context, source),
        now: context.now,
        onError: failed,
      });
      await redetection.run(signal);
    },
    status() {
      const reached = progress();
      return { redetection: reached ? redetectionStatus(reached) : null };
    },
  });
  return Object.assign(job, { progress });
}
