import type { Address } from "../../../shared/values/address.js";
import type { Staker } from "../elections/staker.js";
import { leafOf } from "./airdrop.js";
import { dnsOf } from "./domains.js";
import { grantsOf } from "./grants.js";
import { jettonsOf } from "./jetton-trade.js";
import { marketOf, treeCount } from "./nft-market.js";
import { collectionOf, salesOf } from "./nft-trade.js";
import type { Participants } from "./participants.js";
import { treasuryOf } from "./treasury.js";
import { usernamesOf } from "./usernames.js";

export type ContractKind =
  | "wallet"
  | "jetton_master"
  | "jetton_wallet"
  | "nft_collection"
  | "nft_item"
  | "nft_sale"
  | "nft_auction"
  | "dns_root"
  | "dns_item"
  | "telemint_item"
  | "multisig"
  | "multisig_order"
  | "vesting"
  | "nominator_pool"
  | "single_nominator";

/** A contract deployed by the story. */
export type StoryContract = { address: Address; kind: ContractKind; description: string };

/**
 * The story's contracts including those that stake, besides the prefunded wallets. Includes some jetton wallets that
 * are never deployed.
 */
export function storyContracts(
  participants: Participants,
  time: number,
  stakers: readonly Staker[] = [],
): StoryContract[] {
  return [
    ...walletContracts(participants),
    ...jettonContracts(participants, time),
    ...nftContracts(participants, time),
    ...nameContracts(participants),
    ...sharedContracts(participants, time),
    ...stakers.map(({ role, holder }) =>
      role === "pool"
        ? contract("nominator_pool", { address: holder }, "Nominator pool of Max")
        : contract("single_nominator", { address: holder }, "Coins of Gus, which Nora stakes"),
    ),
  ];
}

function contract(kind: ContractKind, { address }: { address: Address }, description: string): StoryContract {
  return { address, kind, description };
}

function walletContracts({ gus, hana, iris, max }: Participants): StoryContract[] {
  return [
    contract("wallet", gus, "Wallet of Gus"),
    contract("wallet", hana, "Wallet of Hana"),
    contract("wallet", iris, "Wallet of Iris"),
    contract("wallet", max, "Wallet of Max, on the masterchain"),
  ];
}

function jettonContracts(participants: Participants, time: number): StoryContract[] {
  const { acorn, devDollar } = jettonsOf(participants);
  const wallets = (jetton: { walletOf(owner: Address): Address }, name: string, about: Notes = {}) =>
    Object.entries(participants).map(([owner, { address }]) => {
      const description = `${name} of ${capitalised(owner)}${about[owner as keyof Participants] ?? ""}`;
      return contract("jetton_wallet", { address: jetton.walletOf(address) }, description);
    });
  const leaf = leafOf(participants, time);
  return [
    contract("jetton_master", acorn, "Jetton ACORN, with on-chain metadata; failed at a message of Hana"),
    ...wallets(acorn, "ACORN", { ann: "; failed at a transfer by Gus and at one of more than she has" }),
    contract(
      "jetton_master",
      devDollar,
      "Jetton DEVUSD (dev dollar), with on-chain metadata that links to more",
    ),
    ...wallets(devDollar, "DEVUSD"),
    contract("jetton_master", leaf, "Jetton LEAF, mintless"),
    ...wallets(leaf, "LEAF"),
  ];
}

/** Descriptions of participants' contracts. */
type Notes = { readonly [Name in keyof Participants]?: string };

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function nftContracts(participants: Participants, time: number): StoryContract[] {
  const trees = collectionOf(participants);
  const { oak, birch, pine } = salesOf(participants, time);
  const { elm, ash, maple, willow, cedar, rowan } = marketOf(participants, time);
  return [
    contract("nft_collection", trees, "Trees of Eve"),
    ...Array.from({ length: treeCount }, (_, index) =>
      contract(
        "nft_item",
        { address: trees.item(BigInt(index)) },
        index === 5 ? "Tree 5; failed at a transfer by Ben, who does not own it" : `Tree ${index}`,
      ),
    ),
    contract("nft_sale", oak, "Sale of tree 0, sold"),
    contract("nft_sale", birch, "Sale of tree 1, sold"),
    contract("nft_sale", pine, "Sale of tree 2, cancelled"),
    contract("nft_sale", elm, "Sale (version 4) of tree 7 for TON or ACORN, open"),
    contract("nft_sale", ash, "Sale (version 4) of tree 8, sold"),
    contract("nft_auction", maple, "Auction of tree 9, open, with two bids"),
    contract("nft_auction", willow, "Auction of tree 10, won"),
    contract("nft_auction", cedar, "Auction (version 4) of tree 11, open, with a bid"),
    contract("nft_auction", rowan, "Auction (version 4) of tree 12, cancelled"),
  ];
}

function nameContracts(participants: Participants): StoryContract[] {
  const { root, zone } = dnsOf(participants);
  const usernames = usernamesOf(participants);
  const domain = (name: string, about: string) =>
    contract("dns_item", { address: zone.item(name) }, `${name}.ton, ${about}`);
  const username = (index: bigint, about: string) =>
    contract("telemint_item", { address: usernames.item(index) }, `User name ${about}`);
  return [
    contract("dns_root", root, "Root of DNS, named by configuration parameter 4"),
    contract("nft_collection", zone, "DNS zone ton"),
    domain("devnet", "with all records"),
    domain("finn", "with a wallet"),
    domain("forest", "up for auction, with two bids"),
    contract("nft_collection", usernames, "User names, sold in the manner of Telegram"),
    username(0n, "sprout, sold"),
    username(1n, "sapling, up for auction, with two bids"),
    username(2n, "stump, up for auction, without a bid"),
  ];
}

function sharedContracts(participants: Participants, time: number): StoryContract[] {
  const treasury = treasuryOf(participants);
  const { hanas, iriss } = grantsOf(participants, time);
  return [
    contract("multisig", treasury, "Treasury of Ann, Ben and Cleo, two of whom must agree"),
    contract("multisig_order", { address: treasury.order(0n) }, "Order of the treasury, executed"),
    contract(
      "multisig_order",
      { address: treasury.order(1n) },
      "Order of the treasury, which lacks an approval",
    ),
    contract("vesting", hanas, "Grant to Hana, with a whitelist"),
    contract("vesting", iriss, "Grant to Iris, without a whitelist"),
  ];
}
