import { zeroStateTime } from "../../server/devnet/genesis/genesis.js";
import { storyBlocks } from "../../server/devnet/story/story.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import type { TestService } from "./service.js";
import { until } from "./until.js";

/** The masterchain seqno of the last block of a devnet's story. */
export async function storyEnd(): Promise<number> {
  const seed = publishedSeed;
  const blocks = storyBlocks({ seed, wallets: await devnetWallets(seed), time: zeroStateTime });
  // The chain's first block comes before the story.
  return blocks.length + 1;
}

/**
 * Waits until the devnet has made every block of its story; before that the story uses the same wallets. Returns the
 * masterchain seqno of the last one.
 */
export async function storyTold(service: TestService): Promise<number> {
  const end = await storyEnd();
  await until("the story is told", async () => {
    const { result } = (await service.rpc("getMasterchainInfo")) as { result: { last: { seqno: number } } };
    return result.last.seqno >= end;
  });
  return end;
}

/** Waits until every block of the story is in the index, too. */
export async function storyIndexed(service: TestService): Promise<void> {
  const end = await storyTold(service);
  await until("the story in the index", async () => {
    const { json } = await service.get("/api/v3/masterchainInfo");
    return ((json as { last?: { seqno: number } }).last?.seqno ?? 0) >= end;
  });
}
