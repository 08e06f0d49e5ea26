import type { Config } from "../config/settings.js";
import { isSetupError } from "../errors.js";
import { Readiness } from "../observe/health.js";
import { createLog } from "../observe/log.js";
import { createMetrics } from "../observe/metrics.js";
import { openAdminListener } from "./admin-endpoint.js";
import { openSource } from "./chain-source.js";
import { Parts } from "./closers.js";
import type { Overrides } from "./environment.js";
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

export function createIndexer(config: Config, overrides: Overrides = {}): IndexProcess {
  const { logTo, now = Date.now } = overrides;
  const parts = new Parts();
  const readiness = new Readiness();
  const log = createLog(config.logLevel, logTo);
  const metrics = parts.add(createMetrics(new Set()), (each) => each.close());
  let refuse: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  ended.catch(() => {});
  return {
    ended,
    async listen() {
      const claim = await claimIndex({ config, parts });
      const source = await openSource({ config, parts, log, now });
      const onFailure = (error: Error) => {
        if (isSetupError(error)) refuse(error);
      };
      const indexing = createIndexing({ config, parts, log, now, onFailure }, source, {
        claim,
        duty: "write",
      });
      readiness.dependOn(() => source.absence());
      readiness.suffer(() => source.ailment());
      readiness.dependOn(() => indexing.absence());
      metrics.watchIndex(() => indexing.status()?.progress);
      metrics.watchBackfill(() => indexing.status()?.backfill);
      const { liteservers } = source;
      const details = () => indexStatus(indexing.status());
      const frame = { config, parts, readiness, metrics, now };
      const adminUrl = await openAdminListener(frame, { liteservers, details });
      indexing.begin();
      readiness.enter("ready");
      return adminUrl === undefined ? {} : { adminUrl };
    },
    async close() {
      readiness.enter("stopping");
      await parts.close();
    },
  };
}
