import { cpSync } from "node:fs";
import type { Config } from "../../../server/config/settings.js";
import type { Environment } from "../../../server/process/service/service.js";
import { freePort } from "../free-port.js";
import { folderInRun, oncePerRun } from "../once-per-run.js";
import { type DevnetService, startDevnetService } from "../services/devnet-service.js";
import { until } from "../until.js";
import { storyIndexed } from "./story.js";
import { copyStoryChain } from "./story-devnet.js";

/** A service with the whole story in its chain and its index. */
export async function startStoryService(
  data = folderInRun("tonwire-story-service-"),
  settings: Partial<Config> = {},
  environment: Environment = {},
): Promise<DevnetService> {
  await copyStoryService(data);
  return startIndexed(data, settings, environment);
}

/** Puts the chain and the index into a data folder. Outside of a run of tests it stays empty, for a service to fill. */
export async function copyStoryService(data: string): Promise<void> {
  const made = await oncePerRun("story-service", makeService);
  if (made !== undefined) cpSync(made, data, { recursive: true });
}

/** Fills the data folder that the folders of a run are copied from. */
async function makeService(data: string): Promise<void> {
  await copyStoryChain(data);
  const service = await startIndexed(data, { adminPort: await freePort() });
  // On a busy machine contracts are recognised after their blocks.
  await until("the contracts of the story", async () => {
    const { index } = await (await fetch(`${service.adminUrl}/status`)).json();
    return index.queued_accounts === 0;
  });
  await service.close();
}

async function startIndexed(
  data: string,
  settings: Partial<Config> = {},
  environment: Environment = {},
): Promise<DevnetService> {
  const service = await startDevnetService({ data, index: true, story: true, ...settings }, environment);
  await storyIndexed(service);
  return service;
}
