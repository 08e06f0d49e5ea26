import { join } from "node:path";
import type { Config } from "../../../server/config/settings.js";
import { folderInRun } from "../once-per-run.js";
import { startStoryService } from "../stories/story-service.js";
import { type DevnetService, startDevnetService } from "./devnet-service.js";

/** A network with the story, and the global configuration with its liteserver. */
export async function startForkedNetwork(): Promise<{ network: DevnetService; config: string }> {
  const config = join(folderInRun("tonwire-network-"), "network.json");
  const network = await startStoryService(undefined, { liteserverPort: 0, liteserverConfig: config });
  return { network, config };
}

/** A fork of it, which makes a block for every message. */
export function startFork(settings: Partial<Config>): Promise<DevnetService> {
  return startDevnetService({ devnetSeed: "fork", mining: "message", clock: "wall", ...settings });
}
