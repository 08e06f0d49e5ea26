import type { SwapTransfer, WithdrawLiquidityDetails } from "../../../store/tables/action-details.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { excess, leg, paidBy } from "./dedust-v2.js";
import { byLt } from "./swaps.js";

/** Payments of a pool to the owner of a position. */
type Payouts = {
  readonly owner: AddressText | undefined;
  readonly pool: AddressText | undefined;
  /** The position whose fees or rewards are claimed. */
  readonly position?: AddressText | undefined;
  readonly sides: readonly [Side, Side];
  readonly isRefund: boolean;
  readonly lp: bigint | undefined;
};

/** The amount is known without a payment if the pool's message has it. */
type Side = { readonly amount: bigint | undefined; readonly paid: SwapTransfer | undefined };

function columns({ owner, pool, position, sides: [first, second], isRefund, lp }: Payouts) {
  const data: WithdrawLiquidityDetails = {
    dex: "dedust_v2",
    amount1: first.amount,
    amount2: second.amount,
    asset1_out: first.paid?.asset,
    asset2_out: second.paid?.asset,
    user_jetton_wallet_1: first.paid?.destination_jetton_wallet,
    user_jetton_wallet_2: second.paid?.destination_jetton_wallet,
    dex_wallet_1: first.paid?.source,
    dex_wallet_2: second.paid?.source,
    dex_jetton_wallet_1: first.paid?.source_jetton_wallet,
    dex_jetton_wallet_2: second.paid?.source_jetton_wallet,
    is_refund: isRefund,
    lp_tokens_burnt: lp,
  };
  return {
    source: owner,
    destination: pool,
    destination_secondary: position,
    dex_withdraw_liquidity_data: data,
  };
}

const dedustV2WithdrawalKind = new BlockKind("dex_withdraw_liquidity", {
  type: "dex_withdraw_liquidity",
  isLeaf: true,
  row: columns,
});

const dedustV2ClaimOfFeesKind = new BlockKind("dedust_v2_claim_fees", {
  type: "dedust_v2_claim_fees",
  row: columns,
});

const dedustV2ClaimOfRewardKind = new BlockKind("dedust_v2_claim_reward", {
  type: "dedust_v2_claim_reward",
  row: columns,
});

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
    const [first, second] = byLt(match.all("leg")).map(paidBy);
    const payouts: Payouts = {
      owner: anchor.source,
      pool: anchor.destination,
      sides: [
        { amount: first?.amount, paid: first },
        { amount: second?.amount, paid: second },
      ],
      isRefund: event === undefined,
      lp: event ? fieldsOf("dedust_v2_withdrawal_event", event).lp : request.lp,
    };
    return dedustV2WithdrawalKind.build(payouts, { isFailed: event === undefined });
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
    return dedustV2ClaimOfFeesKind.build(
      claim(match.anchor, payout, [
        { amount: amount_x, paid: first },
        { amount: amount_y, paid: second },
      ]),
    );
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
    const reward = match.find("leg");
    return dedustV2ClaimOfRewardKind.build(
      claim(match.anchor, payout, [
        { amount, paid: reward && paidBy(reward) },
        { amount: undefined, paid: undefined },
      ]),
    );
  },
};

function claim(request: Block, payout: Block, sides: Payouts["sides"]): Payouts {
  return {
    owner: request.source,
    pool: payout.destination,
    position: payout.source,
    sides,
    isRefund: false,
    lp: undefined,
  };
}
