import { cpSync } from "node:fs";
import { type DevnetService, startDevnetService } from "./devnet-service.js";
import { folderInRun, oncePerRun } from "./once-per-run.js";
import { storyIndexed } from "./story.js";
import { copyToldChain } from "./told-story.js";

/** A service with the whole story in its chain and its index. */
export async function startToldService(data = folderInRun("tonwire-told-service-")): Promise<DevnetService> {
  const told = await oncePerRun("told-service", tell);
  if (told !== undefined) cpSync(told, data, { recursive: true });
  return startIndexed(data);
}

/** Fills the data folder that those of a run are copies of. */
async function tell(data: string): Promise<void> {
  await copyToldChain(data);
  await (await startIndexed(data)).close();
}

async function startIndexed(data: string): Promise<DevnetService> {
  const service = await startDevnetService({ data, index: true, story: true });
  await storyIndexed(service);
  return service;
}
