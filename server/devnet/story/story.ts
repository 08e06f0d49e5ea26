import type { DevnetWallets } from "../wallets/devnet-wallets.js";
import { participantsOf } from "./participants.js";
import { dropLeaves } from "./scenes/airdrop.js";
import { takeNames } from "./scenes/domains.js";
import { failInManyWays } from "./scenes/failures.js";
import { giveGrants } from "./scenes/grants.js";
import { tradeJettons } from "./scenes/jetton-trade.js";
import { visitMasterchain } from "./scenes/masterchain.js";
import { tradeOnMarket } from "./scenes/nft-market.js";
import { tradeNfts } from "./scenes/nft-trade.js";
import { shareNominatorPool } from "./scenes/nominator-pool-shares.js";
import { payEachOther, wakeWallets } from "./scenes/payments.js";
import { lendToNora, noraOf } from "./scenes/single-stake.js";
import { useTreasury } from "./scenes/treasury.js";
import { sellUsernames } from "./scenes/usernames.js";
import type { StoryBlock } from "./story-block.js";
import { storyContracts, storyStakers } from "./story-contracts.js";

type StoryOptions = {
  seed: string;
  wallets: DevnetWallets;
  /** Unix time of the zero state, used as the creation time of sales. */
  time: number;
  /** Whether validators take part in elections. */
  elections?: boolean;
};

/**
 * Sample data for a new devnet: transfers between wallets, three jettons, an NFT collection with sales and auctions, a
 * multisig wallet, vesting wallets, DNS names, user names, failing messages, transfers to and from the masterchain, and
 * with elections a single nominator and a nominator pool that take part in them. Independent of results, because all
 * addresses are derived from the seed. A block's messages may cause transactions in the next one.
 */
export function storyBlocks({ seed, wallets, time, elections = false }: StoryOptions): StoryBlock[] {
  const participants = participantsOf(seed, wallets);
  return [
    ...wakeWallets(participants),
    ...payEachOther(participants),
    ...tradeJettons(participants),
    ...tradeNfts(participants, time),
    ...tradeOnMarket(participants, time),
    ...useTreasury(participants),
    ...giveGrants(participants, time),
    ...takeNames(participants),
    ...sellUsernames(participants),
    ...dropLeaves(participants, time),
    ...failInManyWays(participants),
    ...visitMasterchain(participants),
    ...(elections ? [...lendToNora(participants, noraOf(seed)), ...shareNominatorPool(participants)] : []),
  ];
}

/** The sample data of a devnet: its blocks, and its contracts, some of which stake even before they are deployed. */
export function storyOf(options: StoryOptions) {
  const { seed, wallets, time, elections = false } = options;
  const stakers = elections ? storyStakers(seed) : [];
  return {
    stakers,
    blocks: () => storyBlocks(options),
    contracts: () => storyContracts(participantsOf(seed, wallets), time, stakers),
  };
}
