import { addressText, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call, log, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { jettonTransferKind } from "./jettons.js";
import { nftMintKind } from "./nfts.js";

const deposit = 0xf9471134;
const withdraw = 0xcb03bfaf;
const claim = 0xb30c7310;

// Logs have the opcode of the call that they report. Excesses are not included.
const plain = (opcode: number) => call(opcode).withoutExcess();
const jettons = made(jettonTransferKind).withoutExcess().as("jettons");

const coffeeStakingDepositKind = rowKind("coffee_staking_deposit");

/** Jettons are staked in exchange for an item. */
export const coffeeStakingDeposit: Matcher = {
  name: "coffee staking deposit",
  pattern: made(jettonTransferKind).followedBy(
    plain(deposit)
      .as("stake")
      .followedBy([log(deposit).withoutExcess().optional(), made(nftMintKind).withoutExcess().as("item")]),
  ),
  build: (match) => {
    const transfer = jettonTransferKind.dataOf(match.anchor);
    const mint = nftMintKind.dataOf(match.get("item"));
    return coffeeStakingDepositKind.build({
      source: transfer.sender,
      source_jetton_wallet: transfer.senderWallet,
      pool: match.get("stake").destination,
      pool_jetton_wallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
      minted_item_address: mint.nft_item,
      minted_item_index: mint.nft_item_index,
    });
  },
};

const coffeeStakingWithdrawalKind = rowKind("coffee_staking_withdraw");

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
    const transfer = jettonTransferKind.dataOf(match.get("jettons"));
    return coffeeStakingWithdrawalKind.build({
      source: addressText(owner),
      source_jetton_wallet: transfer.receiverWallet,
      pool: byItem.source,
      pool_jetton_wallet: addressText(wallet),
      asset: transfer.asset,
      amount,
      nft_address: match.anchor.destination,
      nft_index: nft_id,
      points,
    });
  },
};

const coffeeStakingClaimKind = rowKind("coffee_staking_claim_rewards");

export const coffeeStakingClaim: Matcher = {
  name: "coffee staking claim",
  pattern: plain(claim).followedBy([jettons, log(claim).withoutExcess().optional()]),
  build: (match) => {
    const transfer = jettonTransferKind.dataOf(match.get("jettons"));
    return coffeeStakingClaimKind.build({
      pool: transfer.sender,
      pool_jetton_wallet: transfer.senderWallet,
      recipient: transfer.receiver,
      recipient_jetton_wallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
    });
  },
};
