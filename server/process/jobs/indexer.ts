import { handledLater } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import { isSetupError } from "../../errors.js";
import { createContext } from "../context/context.js";
import { stopBegins, stopEnds } from "../context/shutdown.js";
import type { Environment } from "../environment.js";
import { createIndexPart } from "../index/database-index.js";
import { claimIndex } from "../index/index-part.js";
import { openSource } from "../network/chain-source.js";
import { openClassifier } from "../network/classifier.js";
import { openDetection } from "../network/contract-runs.js";
import { openAdminEndpoint } from "../service/admin-endpoint.js";
import { logOperations } from "../service/operations-log.js";
import { indexStatus } from "../service/status.js";
import { version } from "../service/version.js";

/** A process that writes the index and serves only the operator's endpoint. */
interface IndexProcess {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<{ adminUrl?: string }>;
  /** Rejects if the database must not be written to: it has another chain or a newer schema. */
  readonly ended: Promise<never>;
  /** Reads the settings again. */
  reload(read: () => Config): void;
  /** `signal`: the signal that requested the stop. */
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** Creates the process of `tonwire index`; `listen` starts it. */
export function createIndexer(config: Config, environment: Environment = {}): IndexProcess {
  const context = createContext(config, environment);
  const { closers, health, live, log, metrics } = context;
  let fail: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  handledLater(ended);
  return {
    ended,
    async listen() {
      const claim = await claimIndex(context);
      const source = await openSource(context);
      const onFailure = (error: Error) => {
        if (isSetupError(error)) fail(error);
      };
      const detection = await openDetection(context, source);
      const classifier = openClassifier(context);
      const index = createIndexPart(context, source, {
        claim,
        mode: "write",
        isAnswered: false,
        detection,
        classifier,
        lateClassifier: openClassifier(context),
        onFailure,
      });
      health.answers("writes", () => {
        const { writes, reads } = index.health();
        return source.unavailableReason() ?? writes ?? reads ?? source.degradedReason();
      });
      health.degradedBy(() => index.health().degraded);
      metrics.watchIndex(() => index.status()?.progress);
      metrics.watchRole(() => index.status()?.role);
      metrics.watchBackfill(() => index.status()?.backfill);
      metrics.watchGaps(() => index.status()?.gaps);
      metrics.watchQueue(() => index.status()?.queue);
      const { liteservers } = source;
      const details = () => indexStatus(index.status());
      const adminUrl = await openAdminEndpoint(context, { liteservers, details });
      logOperations(context, () => index.status(), liteservers);
      index.begin();
      health.enter("ready");
      log.info(
        { version, ...(adminUrl !== undefined && { adminUrl }) },
        `the process is ready: it indexes ${config.network}`,
      );
      return adminUrl === undefined ? {} : { adminUrl };
    },
    reload: (read) => live.reload(read),
    async close(signal) {
      health.enter("stopping");
      log.info(stopBegins(signal));
      await closers.close();
      log.info(stopEnds(context.cutOff));
    },
  };
}
