import { zeroStateTime } from "../../server/devnet/genesis/genesis.js";
import { storyBlocks } from "../../server/devnet/story/story.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import type { TestService } from "./service.js";
import { until } from "./until.js";

/** Waits until the devnet has made every block of its story; before that the story uses the same wallets. */
export async function storyTold(service: TestService): Promise<void> {
  const seed = "tonwire";
  const blocks = storyBlocks({ seed, wallets: await devnetWallets(seed), time: zeroStateTime }).length;
  await until("the story is told", async () => {
    const { result } = (await service.rpc("getMasterchainInfo")) as { result: { last: { seqno: number } } };
    // The chain's first block comes before the story.
    return result.last.seqno > blocks;
  });
}
