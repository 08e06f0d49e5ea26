import type { BodyFields } from "../../../contracts/bodies/declared.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import type { Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import { type Payout, payoutOver, withdrawalDetails, withdrawalKindOf } from "./liquidity.js";
import { holdingOf, proxyTonTransfer } from "./proxy-ton.js";

const startBurn = 0x530b5f2c;
const burnPosition = 0x46ca335a;
const burn = 0xd73ac09d;
const payTo = 0xa1daa96d;

/** The router's wallet of proxy TON, which counts as none. */
const proxyTonWallet = "0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17";
const doneCodes: ReadonlySet<bigint> = new Set([0n, 201n]);

export const toncoWithdrawalKind = withdrawalKindOf("tonco_withdraw_liquidity");

const paid = made(jettonTransferKind).as("paid").followedBy(call(proxyTonTransfer).optional()).optional();

/** TONCO: a position is burnt, wholly or in part. */
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
    const burnt = fieldsOf("tonco_pool_burn", match.get("burn"));
    const payment = match.get("payment");
    const { exit_code, coins } = fieldsOf("tonco_pay_to_start", payment);
    const withdrawal = {
      owner: anchor.source,
      pool: anchor.destination,
      details: {
        ...withdrawalDetails(
          "tonco",
          inOrderOfRouter(payoutsOf(payment, match.all("paid"), contracts), walletText(coins?.wallet0)),
          request.liquidity_to_burn,
        ),
        burned_nft_index: burnt.burned_index || request.burned_index,
        burned_nft_address: match.get("position").destination,
        tick_lower: request.tick_lower,
        tick_upper: request.tick_upper,
      },
    };
    return toncoWithdrawalKind.build(withdrawal, { isFailed: !doneCodes.has(exit_code) });
  },
};

type Payouts = readonly [Payout, Payout];

/** The transfers; in place of one that is missing, what the router was told to pay. */
function payoutsOf(payment: Block, [first, second]: readonly Block[], contracts: ContractLookups): Payouts {
  const { receiver0, receiver1, coins } = fieldsOf("tonco_pay_to_start", payment);
  const told = (receiver: TonAddress, wallet: TonAddress, amount: bigint | undefined): Payout => ({
    amount,
    asset: holdingOf(addressText(wallet), contracts)?.asset,
    source: payment.source,
    source_jetton_wallet: walletText(wallet),
    destination_jetton_wallet: addressText(receiver),
  });
  return [
    transferred(first) ?? told(receiver0, coins?.wallet0, coins?.amount0),
    transferred(second) ?? told(receiver1, coins?.wallet1, coins?.amount1),
  ];
}

type TonAddress = BodyFields<"tonco_pay_to_start">["receiver0"] | undefined;

function transferred(block: Block | undefined): Payout | undefined {
  const transfer = jettonTransferKind.of(block);
  return block && transfer && payoutOver(block, transfer);
}

function inOrderOfRouter([first, second]: Payouts, wallet: AddressText | undefined): Payouts {
  return first.source_jetton_wallet === wallet ? [first, second] : [second, first];
}

function walletText(wallet: TonAddress): AddressText | undefined {
  const text = addressText(wallet);
  return text === proxyTonWallet ? undefined : text;
}
