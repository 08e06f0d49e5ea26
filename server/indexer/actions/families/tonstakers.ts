import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { nftMintKind } from "./nfts.js";

const deposit = 0x47d54391;
const mintOfPayout = 0x1674b0a0;
const internalTransfer = 0x178d4519;
const notification = 0x7362d09c;
const burnRequest = 0x595f07bc;
const burnNotification = 0x7bdd97de;
const withdrawal = 0x319b0cdc;
const immediatePayout = 0x0a77535c;
const initOfNft = 0x132f9a45;
const startOfDistribution = 0x1140a64f;
const burnOfNft = 0xf127fe4e;
const burnOfNftNotification = 0xed58b0b2;
const delayedPayout = 0xdb3b8abd;

/** The pool keeps this part of a deposit as its fee. */
const feeOfDeposit = 1_000_000_000n;

const provider = "liquid_staking";

const depositKind = rowKind("stake_deposit", { name: "tonstakers_deposit", isLeaf: true });
const withdrawalKind = rowKind("stake_withdrawal", { name: "tonstakers_withdraw", isLeaf: true });
const requestKind = rowKind("stake_withdrawal_request", {
  name: "tonstakers_withdraw_request",
  isLeaf: true,
});

export const tonstakersDeposit: Matcher = {
  name: "tonstakers deposit",
  pattern: call(deposit).followedBy(
    call(mintOfPayout)
      .followedBy(call(internalTransfer).as("minted").followedBy(call(notification).optional()))
      .optional(),
  ),
  build: (match) => {
    const { anchor } = match;
    const minted = match.find("minted");
    if (!minted) return cancel("no tokens were minted");
    const { amount } = fieldsOf("jetton_internal_transfer_start", minted);
    return depositKind.build({
      stake_holder: anchor.source,
      pool: anchor.account,
      amount: (anchor.value ?? 0n) - feeOfDeposit,
      asset: minted.source,
      provider,
      tokens_minted: amount,
    });
  },
};

/** Burnt tokens yield TON immediately, or an item paid out at the end of the round. */
export const tonstakersWithdrawal: Matcher = {
  name: "tonstakers withdrawal",
  pattern: call(burnRequest).followedBy(
    call(burnNotification).followedBy(
      call(withdrawal)
        .as("withdrawal")
        .followedBy(either(call(immediatePayout).as("payout"), call(mintOfPayout).as("mint"))),
    ),
  ),
  build: (match) => {
    const { anchor } = match;
    const request = match.get("withdrawal");
    const { amount } = fieldsOf("jetton_burn_start", anchor);
    const members = {
      provider,
      stake_holder: anchor.source,
      pool: request.destination,
      asset: request.source,
    };
    const payout = match.find("payout");
    if (payout)
      return withdrawalKind.build({
        ...members,
        amount: (payout.value ?? 0n) - (request.value ?? 0n),
        tokens_burnt: amount,
      });
    const item = payoutItem(match.get("mint"));
    return requestKind.build(
      { ...members, holder_wallet: anchor.account, tokens_burnt: amount, payout_nft: item },
      { isFailed: item === undefined },
    );
  },
};

function payoutItem({ followers }: Block): AddressText | undefined {
  const mint = followers.find(({ kind }) => kind === nftMintKind);
  return (mint ?? followers.find(({ opcode }) => opcode === initOfNft))?.destination;
}

/** The payouts of a round: each item is burnt, and its owner is paid. */
export const tonstakersDelayedWithdrawal: Matcher = {
  name: "tonstakers delayed withdrawal",
  pattern: call(delayedPayout).precededBy(
    call(burnOfNftNotification).as("burned").precededBy(call(burnOfNft)),
  ),
  build: (match) => {
    const burned = match.get("burned");
    const { owner, amount } = fieldsOf("tonstake_nft_burn_notification", burned);
    return withdrawalKind.build({
      stake_holder: addressText(owner),
      pool: distributingPool(burned),
      amount: match.anchor.value,
      provider,
      payout_nft: burned.source,
      tokens_burnt: amount,
    });
  },
};

const passedOver: ReadonlySet<number | undefined> = new Set([
  burnOfNft,
  burnOfNftNotification,
  delayedPayout,
]);

/** Items are burnt one after another, so the pool's request can be many blocks back. */
function distributingPool({ previous }: Block): AddressText | undefined {
  for (let block = previous; block; block = block.previous) {
    const withdrawal = withdrawalKind.of(block);
    if (withdrawal) return withdrawal.pool;
    if (block.opcode === startOfDistribution) return block.source;
    if (!passedOver.has(block.opcode)) return undefined;
  }
  return undefined;
}
