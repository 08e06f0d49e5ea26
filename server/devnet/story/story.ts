import type { DevnetWallets } from "../wallets/devnet-wallets.js";
import { dropLeaves } from "./airdrop.js";
import { takeNames } from "./domains.js";
import { failInManyWays } from "./failures.js";
import { giveGrants } from "./grants.js";
import { tradeJettons } from "./jetton-trade.js";
import { visitMasterchain } from "./masterchain.js";
import { tradeOnMarket } from "./nft-market.js";
import { tradeNfts } from "./nft-trade.js";
import { participantsOf } from "./participants.js";
import { payEachOther, wakeWallets } from "./payments.js";
import { sharePool } from "./pool-shares.js";
import { lendToNora, noraOf } from "./single-stake.js";
import type { StoryBlock } from "./story-block.js";
import { useTreasury } from "./treasury.js";
import { sellUsernames } from "./usernames.js";

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
    ...(elections ? [...lendToNora(participants, noraOf(seed)), ...sharePool(participants)] : []),
  ];
}
