import { cpSync } from "node:fs";
import type { Config } from "../../server/config/settings.js";
import { type DevnetService, startDevnetService } from "./devnet-service.js";
import { freePort } from "./free-port.js";
import { folderInRun, oncePerRun } from "./once-per-run.js";
import { storyIndexed } from "./story.js";
import { copyToldChain } from "./told-story.js";
import { until } from "./until.js";

/** A service with the whole story in its chain and its index. */
export async function startToldService(data = folderInRun("tonwire-told-service-")): Promise<DevnetService> {
  await copyToldService(data);
  return startIndexed(data);
}

/** Puts the chain and the index into a data folder. Outside of a run of tests it stays empty, for a service to fill. */
export async function copyToldService(data: string): Promise<void> {
  const told = await oncePerRun("told-service", tell);
  if (told !== undefined) cpSync(told, data, { recursive: true });
}

/** Fills the data folder that those of a run are copies of. */
async function tell(data: string): Promise<void> {
  await copyToldChain(data);
  const service = await startIndexed(data, { adminPort: await freePort() });
  // On a busy machine contracts are recognised after their blocks.
  await until("the contracts of the story", async () => {
    const { index } = await (await fetch(`${service.adminUrl}/status`)).json();
    return index.queued_accounts === 0;
  });
  await service.close();
}

async function startIndexed(data: string, settings: Partial<Config> = {}): Promise<DevnetService> {
  const service = await startDevnetService({ data, index: true, story: true, ...settings });
  await storyIndexed(service);
  return service;
}
