import type { Config } from "../config/settings.js";
import { isSetupError } from "../errors.js";
import { openAdminListener } from "./admin-endpoint.js";
import { openSource } from "./chain-source.js";
import { createContext } from "./context.js";
import type { Environment } from "./environment.js";
import { claimIndex, createIndexing } from "./index-part.js";
import { indexStatus } from "./status.js";

/** A process that writes the index and answers nobody but its operator. */
export interface IndexProcess {
  /** Brings it up, once. When it rejects, `close` still has to be called. */
  listen(): Promise<{ adminUrl?: string }>;
  /** Rejects when the database must not be written to: it is of another chain, or of a later version. */
  readonly ended: Promise<never>;
  close(): Promise<void>;
}

export function createIndexer(config: Config, environment: Environment = {}): IndexProcess {
  const context = createContext(config, environment);
  const { closers, health, metrics } = context;
  let refuse: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  ended.catch(() => {});
  return {
    ended,
    async listen() {
      const claim = await claimIndex(context);
      const source = await openSource(context);
      const onFailure = (error: Error) => {
        if (isSetupError(error)) refuse(error);
      };
      const indexing = createIndexing(context, source, { claim, duty: "write", onFailure });
      health.unavailableBy(() => source.unavailableReason());
      health.degradedBy(() => source.degradedReason());
      health.unavailableBy(() => indexing.unavailableReason());
      metrics.watchIndex(() => indexing.status()?.progress);
      metrics.watchBackfill(() => indexing.status()?.backfill);
      const { liteservers } = source;
      const details = () => indexStatus(indexing.status());
      const adminUrl = await openAdminListener(context, { liteservers, details });
      indexing.begin();
      health.enter("ready");
      return adminUrl === undefined ? {} : { adminUrl };
    },
    async close() {
      health.enter("stopping");
      await closers.close();
    },
  };
}
