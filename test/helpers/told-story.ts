import { cpSync, rmSync } from "node:fs";
import type { Devnet, DevnetConfig } from "../../server/devnet/devnet.js";
import { startDevnet } from "../../server/devnet/thread/devnet-thread.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { folderInRun, oncePerRun } from "./once-per-run.js";
import { storyEnd } from "./story.js";
import { until } from "./until.js";

/** Blocks are made when a test asks, one second apart. */
const config: DevnetConfig = {
  seed: publishedSeed,
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: true,
};

/** A devnet with every block of its story. Telling it takes seconds, so that a run does it once. */
export async function startToldDevnet(onError: (error: Error) => void): ReturnType<typeof startDevnet> {
  const directory = folderInRun("tonwire-story-");
  await copyToldChain(directory);
  const devnet = await startDevnet({ ...config, directory }, onError);
  await told(devnet);
  const close = devnet.close.bind(devnet);
  return Object.assign(devnet, {
    async close() {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

/** Puts the chain into a data folder that is empty or missing. Outside of a run of tests it stays empty, for a devnet to tell its story. */
export async function copyToldChain(folder: string): Promise<void> {
  const chain = await oncePerRun("story", tell);
  if (chain !== undefined) cpSync(chain, folder, { recursive: true });
}

async function tell(directory: string): Promise<void> {
  const errors: Error[] = [];
  const devnet = await startDevnet({ ...config, directory }, (error) => errors.push(error));
  await told(devnet);
  await devnet.close();
  if (errors.length > 0) throw errors[0]!;
}

async function told({ api }: Devnet): Promise<void> {
  const end = await storyEnd();
  await until("the story is told", async () => (await api.getMasterchainInfo()).last.seqno >= end);
}
