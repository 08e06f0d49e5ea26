import { type DevnetService, startDevnetService } from "./devnet-service.js";
import { folderInRun } from "./once-per-run.js";
import { storyIndexed } from "./story.js";
import { copyToldChain } from "./told-story.js";

/** A service with the whole story in its chain and its index. */
export async function startToldService(): Promise<DevnetService> {
  const data = folderInRun("tonwire-told-service-");
  await copyToldChain(data);
  const service = await startDevnetService({ data, index: true, story: true });
  await storyIndexed(service);
  return service;
}
