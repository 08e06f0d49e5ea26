import { cpSync, rmSync } from "node:fs";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { DevnetThread } from "../../../server/devnet/thread/devnet-thread.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { folderInRun, oncePerRun } from "../once-per-run.js";
import { until } from "../until.js";
import { storyEnd } from "./story.js";

/** Blocks are made when a test asks, one second apart. */
const config: DevnetConfig = {
  seed: publishedSeed,
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: true,
};

/** A devnet with every block of its story. Making these takes seconds, so a run does it once. */
export async function startStoryDevnet(onError: (error: Error) => void): Promise<DevnetThread> {
  const directory = folderInRun("tonwire-story-");
  await copyStoryChain(directory);
  const devnet = await DevnetThread.start({ ...config, directory }, { onError });
  await storyMade(devnet);
  const close = devnet.close.bind(devnet);
  return Object.assign(devnet, {
    async close() {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

/**
 * Copies the chain into an empty or missing data folder. Outside of a run of tests the folder stays empty, and the
 * devnet makes its story.
 */
export async function copyStoryChain(folder: string): Promise<void> {
  const chain = await oncePerRun("story", makeStory);
  if (chain !== undefined) cpSync(chain, folder, { recursive: true });
}

async function makeStory(directory: string): Promise<void> {
  const errors: Error[] = [];
  const devnet = await DevnetThread.start(
    { ...config, directory },
    { onError: (error) => errors.push(error) },
  );
  await storyMade(devnet);
  await devnet.close();
  if (errors.length > 0) throw errors[0]!;
}

async function storyMade({ api }: Devnet): Promise<void> {
  const end = await storyEnd();
  await until("the end of the story", async () => (await api.getMasterchainInfo()).last.seqno >= end);
}
