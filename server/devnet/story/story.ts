import type { DevnetWallets } from "../wallets/devnet-wallets.js";
import { failInManyWays } from "./failures.js";
import { tradeJettons } from "./jetton-trade.js";
import { visitMasterchain } from "./masterchain.js";
import { tradeNfts } from "./nft-trade.js";
import { participantsOf } from "./participants.js";
import { payEachOther, wakeWallets } from "./payments.js";
import type { StoryBlock } from "./story-block.js";

export type StoryOptions = {
  seed: string;
  wallets: DevnetWallets;
  /** Unix time of the zero state: what contracts of the story give as their beginning. */
  time: number;
};

/**
 * What happens on a new devnet, so that there is something to see: wallets paying each other, two jettons, a
 * collection and its sales, messages that fail, dealings with the masterchain. It needs no answers from the chain,
 * as every address follows from the seed. What a block's messages set off may go on in the next.
 */
export function storyBlocks({ seed, wallets, time }: StoryOptions): StoryBlock[] {
  const participants = participantsOf(seed, wallets);
  return [
    ...wakeWallets(participants),
    ...payEachOther(participants),
    ...tradeJettons(participants),
    ...tradeNfts(participants, time),
    ...failInManyWays(participants),
    ...visitMasterchain(participants),
  ];
}
