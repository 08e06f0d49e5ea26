import type { Address } from "../../../shared/values/address.js";
import type { Staker } from "../elections/staker.js";
import { gusOf, maxOf, type Participants } from "./participants.js";
import { leafOf } from "./scenes/airdrop.js";
import { dnsOf } from "./scenes/domains.js";
import { grantsOf } from "./scenes/grants.js";
import { jettonsOf } from "./scenes/jetton-trade.js";
import { marketOf, treeCount } from "./scenes/nft-market.js";
import { collectionOf, salesOf } from "./scenes/nft-trade.js";
import { nominatorPoolOf } from "./scenes/nominator-pool-shares.js";
import { noraOf, singleNominatorOf } from "./scenes/single-stake.js";
import { treasuryOf } from "./scenes/treasury.js";
import { usernamesOf } from "./scenes/usernames.js";

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

/** A contract deployed by the story. `description`: what it is there to show. */
export type StoryContract = { address: Address; kind: ContractKind; name: string; description: string };

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
        ? contract("nominator_pool", { address: holder }, "Pool of Max", "Stakes coins of nominators.")
        : contract(
            "single_nominator",
            { address: holder },
            "Stake of Gus",
            "Coins of Gus, which Nora stakes.",
          ),
    ),
  ];
}

/** The story's contracts through which Max and Nora stake. */
export function storyStakers(seed: string): Staker[] {
  const [gus, max, nora] = [gusOf(seed), maxOf(seed), noraOf(seed)];
  return [
    { role: "pool", wallet: max.wallet, holder: nominatorPoolOf({ max }).address },
    { role: "single-nominator", wallet: nora.wallet, holder: singleNominatorOf({ gus, nora }).address },
  ];
}

function contract(
  kind: ContractKind,
  { address }: { address: Address },
  name: string,
  description: string,
): StoryContract {
  return { address, kind, name, description };
}

function walletContracts({ gus, hana, iris, max }: Participants): StoryContract[] {
  return [
    contract("wallet", gus, "Wallet of Gus", "Wallet v3r2 that another wallet funds."),
    contract("wallet", hana, "Wallet of Hana", "Receives a grant that vests."),
    contract("wallet", iris, "Wallet of Iris", "Receives a grant that vests."),
    contract("wallet", max, "Wallet of Max", "A wallet on the masterchain."),
  ];
}

function jettonContracts(participants: Participants, time: number): StoryContract[] {
  const { acorn, devDollar } = jettonsOf(participants);
  const wallets = (jetton: { walletOf(owner: Address): Address }, symbol: string, about: Notes = {}) =>
    Object.entries(participants).map(([owner, { address }]) => {
      const name = `${symbol} of ${capitalised(owner)}`;
      const description = about[owner as keyof Participants] ?? "Jetton wallet.";
      return contract("jetton_wallet", { address: jetton.walletOf(address) }, name, description);
    });
  const leaf = leafOf(participants, time);
  return [
    contract("jetton_master", acorn, "ACORN", "Jetton with on-chain metadata. Failed at a message of Hana."),
    ...wallets(acorn, "ACORN", {
      ann: "Jetton wallet. Failed at a transfer by Gus, who does not own it, and at one of more than it has.",
    }),
    contract("jetton_master", devDollar, "DEVUSD", "Jetton with on-chain metadata that links to more."),
    ...wallets(devDollar, "DEVUSD"),
    contract("jetton_master", leaf, "LEAF", "Mintless jetton."),
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
    contract("nft_collection", trees, "Trees of Eve", "Collection of NFTs."),
    ...Array.from({ length: treeCount }, (_, index) =>
      contract(
        "nft_item",
        { address: trees.item(BigInt(index)) },
        `Tree ${index}`,
        index === 5 ? "NFT. Failed at a transfer by Ben, who does not own it." : "NFT.",
      ),
    ),
    contract("nft_sale", oak, "Sale of tree 0", "The tree was sold."),
    contract("nft_sale", birch, "Sale of tree 1", "The tree was sold."),
    contract("nft_sale", pine, "Sale of tree 2", "The sale was cancelled."),
    contract("nft_sale", elm, "Sale of tree 7", "Version 4, open, for TON or ACORN."),
    contract("nft_sale", ash, "Sale of tree 8", "Version 4. The tree was sold."),
    contract("nft_auction", maple, "Auction of tree 9", "Open, with two bids."),
    contract("nft_auction", willow, "Auction of tree 10", "The tree was sold to the highest bidder."),
    contract("nft_auction", cedar, "Auction of tree 11", "Version 4, open, with a bid."),
    contract("nft_auction", rowan, "Auction of tree 12", "Version 4. The auction was cancelled."),
  ];
}

function nameContracts(participants: Participants): StoryContract[] {
  const { root, zone } = dnsOf(participants);
  const usernames = usernamesOf(participants);
  const domain = (name: string, about: string) =>
    contract("dns_item", { address: zone.item(name) }, `${name}.ton`, about);
  const username = (index: bigint, name: string, about: string) =>
    contract("telemint_item", { address: usernames.item(index) }, name, about);
  return [
    contract("dns_root", root, "DNS root", "Named by configuration parameter 4."),
    contract("nft_collection", zone, "TON DNS", "Collection of the domains that end with .ton."),
    domain("devnet", "Domain with all kinds of records."),
    domain("finn", "Domain that names a wallet."),
    domain("forest", "Domain up for auction, with two bids."),
    contract(
      "nft_collection",
      usernames,
      "User names",
      "Collection of names, sold in the manner of Telegram.",
    ),
    username(0n, "@sprout", "User name. It was sold."),
    username(1n, "@sapling", "User name up for auction, with two bids."),
    username(2n, "@stump", "User name up for auction, without a bid."),
  ];
}

function sharedContracts(participants: Participants, time: number): StoryContract[] {
  const treasury = treasuryOf(participants);
  const { hanas, iriss } = grantsOf(participants, time);
  return [
    contract("multisig", treasury, "Treasury", "Multisig of Ann, Ben and Cleo, two of whom must agree."),
    contract(
      "multisig_order",
      { address: treasury.order(0n) },
      "Treasury order 0",
      "Order that was executed.",
    ),
    contract(
      "multisig_order",
      { address: treasury.order(1n) },
      "Treasury order 1",
      "Order that lacks an approval.",
    ),
    contract("vesting", hanas, "Grant to Hana", "Vesting contract with a whitelist."),
    contract("vesting", iriss, "Grant to Iris", "Vesting contract without a whitelist."),
  ];
}
