import { zeroStateTime } from "../../../server/devnet/genesis/genesis.js";
import { storyBlocks } from "../../../server/devnet/story/story.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import type { TestService } from "../services/service.js";
import { untilIndexed } from "../services/until-indexed.js";
import { until } from "../until.js";

/** The masterchain seqno of the last block of a devnet's story. */
export async function storyEnd({ elections = false } = {}): Promise<number> {
  const seed = publishedSeed;
  const wallets = await devnetWallets(seed);
  // The chain's first block comes before the story.
  return storyBlocks({ seed, wallets, time: zeroStateTime, elections }).length + 1;
}

/**
 * Waits until the devnet has made every block of its story; before that the story uses the same wallets. Returns the
 * masterchain seqno of the last one.
 */
export async function storyEnded(service: TestService, options?: { elections?: boolean }): Promise<number> {
  const end = await storyEnd(options);
  await until("the end of the story", async () => {
    const { result } = (await service.rpc("getMasterchainInfo")) as { result: { last: { seqno: number } } };
    return result.last.seqno >= end;
  });
  return end;
}

/** Waits until every block of the story is in the index, too. */
export async function storyIndexed(service: TestService): Promise<void> {
  await untilIndexed(service, await storyEnded(service));
}
