import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call, log, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";
import { nftMintKind } from "./nfts.js";

const deposit = 0xf9471134;
const withdraw = 0xcb03bfaf;
const claim = 0xb30c7310;

// Logs have the opcode of the call that they report. Excesses are not included.
const plain = (opcode: number) => call(opcode).withoutExcess();
const jettons = made(jettonTransferKind).withoutExcess().as("jettons");

type StakeDeposit = {
  readonly transfer: JettonTransfer;
  readonly pool: AddressText | undefined;
  readonly item: AddressText | undefined;
  readonly itemIndex: bigint | undefined;
};

const coffeeStakingDepositKind = new BlockKind("coffee_staking_deposit", {
  type: "coffee_staking_deposit",
  row: ({ transfer, pool, item, itemIndex }: StakeDeposit) => ({
    source: transfer.sender,
    source_secondary: transfer.senderWallet,
    destination: pool,
    destination_secondary: transfer.receiverWallet,
    asset: transfer.asset,
    amount: transfer.amount,
    coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: itemIndex },
  }),
});

/** Jettons are staked in exchange for an item. */
export const coffeeStakingDeposit: Matcher = {
  name: "coffee staking deposit",
  pattern: made(jettonTransferKind).followedBy(
    plain(deposit)
      .as("stake")
      .followedBy([log(deposit).withoutExcess().optional(), made(nftMintKind).withoutExcess().as("item")]),
  ),
  build: (match) => {
    const mint = nftMintKind.dataOf(match.get("item"));
    return coffeeStakingDepositKind.build({
      transfer: jettonTransferKind.dataOf(match.anchor),
      pool: match.get("stake").destination,
      item: mint.address,
      itemIndex: mint.item.index,
    });
  },
};

type StakeWithdrawal = {
  readonly owner: AddressText | undefined;
  readonly transfer: JettonTransfer;
  readonly pool: AddressText | undefined;
  readonly poolWallet: AddressText | undefined;
  readonly amount: bigint;
  readonly item: AddressText | undefined;
  readonly itemIndex: bigint;
  readonly points: bigint;
};

const coffeeStakingWithdrawalKind = new BlockKind("coffee_staking_withdraw", {
  type: "coffee_staking_withdraw",
  row: (withdrawal: StakeWithdrawal) => ({
    source: withdrawal.owner,
    source_secondary: withdrawal.transfer.receiverWallet,
    destination: withdrawal.pool,
    destination_secondary: withdrawal.poolWallet,
    asset: withdrawal.transfer.asset,
    amount: withdrawal.amount,
    coffee_staking_withdraw_data: {
      nft_address: withdrawal.item,
      nft_index: withdrawal.itemIndex,
      points: withdrawal.points,
    },
  }),
});

/** The item requests the jettons from the pool, and the pool from its vault. */
export const coffeeStakingWithdrawal: Matcher = {
  name: "coffee staking withdrawal",
  pattern: plain(withdraw).followedBy(
    plain(withdraw)
      .as("byItem")
      .followedBy([
        plain(withdraw).as("byPool").followedBy([jettons]),
        log(withdraw).withoutExcess().optional(),
      ]),
  ),
  build: (match) => {
    const byItem = match.get("byItem");
    const { nft_id, owner, points } = fieldsOf("coffee_staking_withdraw_by_item", byItem);
    const { wallet, amount } = fieldsOf("coffee_staking_withdraw_by_pool", match.get("byPool"));
    return coffeeStakingWithdrawalKind.build({
      owner: addressText(owner),
      transfer: jettonTransferKind.dataOf(match.get("jettons")),
      pool: byItem.source,
      poolWallet: addressText(wallet),
      amount,
      item: match.anchor.destination,
      itemIndex: nft_id,
      points,
    });
  },
};

const coffeeStakingClaimKind = new BlockKind("coffee_staking_claim_rewards", {
  type: "coffee_staking_claim_rewards",
  row: (transfer: JettonTransfer) => ({
    source: transfer.sender,
    source_secondary: transfer.senderWallet,
    destination: transfer.receiver,
    destination_secondary: transfer.receiverWallet,
    asset: transfer.asset,
    amount: transfer.amount,
  }),
});

export const coffeeStakingClaim: Matcher = {
  name: "coffee staking claim",
  pattern: plain(claim).followedBy([jettons, log(claim).withoutExcess().optional()]),
  build: (match) => coffeeStakingClaimKind.build(jettonTransferKind.dataOf(match.get("jettons"))),
};
