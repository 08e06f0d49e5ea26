import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf, tryFieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import { type Payout, payoutOver, withdrawalKindOf, withdrawalMembers } from "./liquidity.js";
import { holdingOf, proxyTonTransfer } from "./proxy-ton.js";

const startBurn = 0x530b5f2c;
const burnPosition = 0x46ca335a;
const burn = 0xd73ac09d;
const payTo = 0xa1daa96d;

/** The router's wallet of proxy TON; treated as no wallet. */
const proxyTonWallet = "0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17";
const doneCodes: ReadonlySet<bigint> = new Set([0n, 201n]);

const toncoWithdrawalKind = withdrawalKindOf("tonco_withdraw_liquidity");

const paid = made(jettonTransferKind).as("paid").followedBy(call(proxyTonTransfer).optional()).optional();

/** TONCO: a position is burnt, completely or in part. */
export const toncoWithdrawal: Matcher = {
  name: "tonco withdrawal of liquidity",
  pattern: call(startBurn).followedBy(
    call(burnPosition)
      .as("position")
      .followedBy(
        call(burn)
          .as("burn")
          .followedBy(call(payTo).as("payment").followedBy([paid, paid])),
      ),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const request = fieldsOf("tonco_pool_start_burn", anchor);
    const position = match.get("position");
    const { nft_owner } = fieldsOf("tonco_position_nft_burn", position);
    const { exit_code, coins } = fieldsOf("tonco_pay_to_start", match.get("payment"));
    if (!coins) return cancel("the payment order has no amounts");
    const withdrawal = {
      source: addressText(nft_owner),
      pool: anchor.destination,
      ...withdrawalMembers("tonco", payoutsOf(match, coins, contracts), request.liquidity_to_burn),
      refund: undefined,
      burnt_nft_index: toldIndex(match.get("burn")) || request.burned_index,
      burnt_nft_address: position.destination,
      tick_lower: request.tick_lower,
      tick_upper: request.tick_upper,
    };
    return toncoWithdrawalKind.build(withdrawal, { isFailed: !doneCodes.has(exit_code) });
  },
};

/** Undefined if the position's message is unreadable. */
function toldIndex(burn: Block): bigint | undefined {
  return tryFieldsOf("tonco_pool_burn", burn)?.burned_index;
}

type Payment = BodyFields<"tonco_pay_to_start">;
type Coins = NonNullable<Payment["coins"]>;
type Payouts = readonly [Payout, Payout];

/** The transfers; a missing one is replaced by the router's instructions. */
function payoutsOf(match: Match, coins: Coins, contracts: ContractLookups): Payouts {
  const payment = match.get("payment");
  const { receiver0, receiver1 } = fieldsOf("tonco_pay_to_start", payment);
  const told = (receiver: Payment["receiver0"], wallet: Coins["wallet0"], amount: bigint): Payout => ({
    amount,
    asset: holdingOf(addressText(wallet), contracts)?.asset,
    source: payment.source,
    source_jetton_wallet: walletText(wallet),
    destination_jetton_wallet: addressText(receiver),
  });
  const [first, second] = match.all("paid");
  const payouts: Payouts = [
    transferred(first) ?? told(receiver0, coins.wallet0, coins.amount0),
    transferred(second) ?? told(receiver1, coins.wallet1, coins.amount1),
  ];
  return payouts[0].source_jetton_wallet === walletText(coins.wallet0) ? payouts : [payouts[1], payouts[0]];
}

function transferred(block: Block | undefined): Payout | undefined {
  const transfer = jettonTransferKind.of(block);
  return block && transfer && payoutOver(block, transfer);
}

function walletText(wallet: Coins["wallet0"]): AddressText | undefined {
  const text = addressText(wallet);
  return text === proxyTonWallet ? undefined : text;
}
