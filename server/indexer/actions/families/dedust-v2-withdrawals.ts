import type { Block } from "../block.js";
import { fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { excess, leg, paidBy } from "./dedust-v2.js";
import { withdrawalKindOf, withdrawalMembers } from "./liquidity.js";
import { byLt } from "./swaps.js";

const dex = "dedust_v2";

const dedustV2WithdrawalKind = withdrawalKindOf("dex_withdraw_liquidity");
const dedustV2ClaimOfFeesKind = rowKind("dedust_v2_claim_fees");
const dedustV2ClaimOfRewardKind = rowKind("dedust_v2_claim_reward");

const plain = (opcode: number) => call(opcode).withoutExcess();
const paid = leg.optional();

/** A withdrawal of liquidity; without the pool's event it failed. */
export const dedustV2Withdrawal: Matcher = {
  name: "dedust v2 withdrawal",
  pattern: plain(0x20b5ef89).followedBy(
    plain(0xbc1531a9).followedBy(
      plain(0xf6f6a3aa).followedBy([plain(0xc0d77b54).as("event").optional(), paid, paid]),
    ),
  ),
  build: (match) => {
    const { anchor } = match;
    const request = fieldsOf("dedust_v2_withdraw", anchor);
    if (request.claims_fees) return cancel("fees are claimed with it");
    const event = match.find("event");
    const withdrawal = {
      source: anchor.source,
      pool: anchor.destination,
      ...withdrawalMembers(
        dex,
        byLt(match.all("leg")).map(paidBy),
        event ? fieldsOf("dedust_v2_withdrawal_event", event).lp : request.lp,
      ),
      refund: event === undefined,
    };
    return dedustV2WithdrawalKind.build(withdrawal, { isFailed: event === undefined });
  },
};

/** Fees of a position. */
export const dedustV2ClaimOfFees: Matcher = {
  name: "dedust v2 claim of fees",
  pattern: plain(0x5652f1df).followedBy(
    plain(0x25f19752).followedBy(plain(0x29ff1bcf).as("payout").followedBy([paid, paid, excess])),
  ),
  build: (match) => {
    const payout = match.get("payout");
    const { amount_x, amount_y } = fieldsOf("dedust_v2_payout_fees", payout);
    const legs = byLt(match.all("leg")).map(paidBy);
    const first = legs.find(({ amount }) => amount === amount_x);
    const second = legs.find((each) => each !== first && each.amount === amount_y);
    return dedustV2ClaimOfFeesKind.build({
      ...claim(match.anchor, payout),
      amount_1: amount_x,
      amount_2: amount_y,
      asset_1: first?.asset,
      asset_2: second?.asset,
      user_jetton_wallet_1: first?.destination_jetton_wallet,
      user_jetton_wallet_2: second?.destination_jetton_wallet,
      dex_wallet_1: first?.source,
      dex_wallet_2: second?.source,
      dex_jetton_wallet_1: first?.source_jetton_wallet,
      dex_jetton_wallet_2: second?.source_jetton_wallet,
    });
  },
};

/** A reward of a position. */
export const dedustV2ClaimOfReward: Matcher = {
  name: "dedust v2 claim of a reward",
  pattern: plain(0x909fdb65).followedBy(
    plain(0x2e0cccba).followedBy(plain(0x9e17fbbe).as("payout").followedBy([paid, excess])),
  ),
  build: (match) => {
    const payout = match.get("payout");
    // If either is unreadable, there is no claim.
    fieldsOf("dedust_v2_claim_reward", match.anchor);
    const { amount } = fieldsOf("dedust_v2_payout_reward", payout);
    const leg = match.find("leg");
    const reward = leg && paidBy(leg);
    return dedustV2ClaimOfRewardKind.build({
      ...claim(match.anchor, payout),
      amount,
      asset: reward?.asset,
      user_jetton_wallet: reward?.destination_jetton_wallet,
      dex_wallet: reward?.source,
      dex_jetton_wallet: reward?.source_jetton_wallet,
    });
  },
};

function claim(request: Block, payout: Block) {
  return { dex, source: request.source, pool: payout.destination, position: payout.source, refund: false };
}
