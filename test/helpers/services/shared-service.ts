import { startStoryService } from "../stories/story-service.js";
import { type DevnetService, startDevnetService } from "./devnet-service.js";
import { keptService } from "./kept-services.js";

const settings = { anonymousRps: "unlimited" } as const;

const starts = {
  /** An empty devnet without an index. */
  empty: () => startDevnetService(settings),
  /** An empty devnet with an index. */
  indexed: () => startDevnetService({ ...settings, index: true }),
  /** The whole story, with an index. */
  story: () => startStoryService(undefined, settings),
};

/**
 * The service of a kind that files of a worker share, for those that only read, send and make blocks. `close` reverts its chain to what it
 * was. Files that change other things (mining, the clock, elections, conditions, names, keys, webhooks, limits) or look at what earlier files
 * leave behind (metrics, the log, `/status`, cursors, versions, counts of snapshots) start their own, as do those with fake timers.
 */
export async function sharedService(kind: keyof typeof starts): Promise<DevnetService> {
  const service = await keptService(kind, starts[kind]);
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  return {
    ...service,
    async close() {
      await service.run("devnet.revert", { id });
      await service.run("devnet.settle");
    },
  };
}
