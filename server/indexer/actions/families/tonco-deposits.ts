import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import type { Match, Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import {
  type Deposit,
  depositKindOf,
  depositMembers,
  type Excess,
  noSide,
  payoutOver,
  type Side,
} from "./liquidity.js";
import { nftMintKind } from "./nfts.js";
import { holdingOf, payment, paymentPayload, proxyTonTransfer } from "./proxy-ton.js";

const fundAccount = 0x4468de77;
const addLiquidity = 0x3ebe5431;
const mintAndRefund = 0x81702ef8;
const payTo = 0xa1daa96d;
const excess = 0xd53276db;

const toncoDepositKind = depositKindOf("tonco_deposit_liquidity");

const refund = made(jettonTransferKind).as("refund").followedBy(call(proxyTonTransfer).optional()).optional();

/** TONCO: the depositor's account receives one asset; the second one creates a position. */
export const toncoDeposit: Matcher = {
  name: "tonco deposit",
  pattern: call(addLiquidity)
    .precededBy(call(fundAccount).precededBy(payment))
    .followedBy(
      call(mintAndRefund)
        .followedBy([
          call(payTo).followedBy([refund, refund]).optional(),
          made(nftMintKind).as("position"),
          call(excess).optional(),
        ])
        .optional(),
    ),
  build: (match, contracts) => {
    const { anchor } = match;
    const account = fieldsOf("tonco_account_add_liquidity", anchor);
    const { sender, own, other } = broughtBy(match, contracts);
    const isFirst = account.new_amount0 > 0n;
    const [first, second] = isFirst ? [own, other] : [other, own];
    const position = match.find("position");
    const minted = position && fieldsOf("tonco_position_nft_init", position);
    const deposit: Deposit = {
      source: sender,
      source_wallet: own.wallet,
      pool: anchor.source,
      collector: anchor.destination,
      // The delivered asset comes first, regardless of the pool's order.
      ...depositMembers("tonco", [own, noSide], minted?.liquidity),
      user_jetton_wallet_1: first.wallet,
      user_jetton_wallet_2: second.wallet,
      target_asset_1: first.asset,
      target_amount_1: account.new_enough0,
      target_asset_2: second.asset,
      target_amount_2: account.new_enough1,
      vault_excesses: match.all("refund").map(refunded),
      tick_lower: account.tick_lower,
      tick_upper: account.tick_upper,
      nft_index: minted?.old_fee_cell.nft_index,
      nft_address: position?.destination,
    };
    return toncoDepositKind.build(deposit);
  },
};

type Brought = {
  readonly sender: AddressText | undefined;
  readonly own: Side;
  /** The other asset, still to be delivered. */
  readonly other: Side;
};

/** Assets with unknown wallets count as TON. */
function broughtBy(match: Match, contracts: ContractLookups): Brought {
  const { sender, amount, wallet, routerWallet, payload } = paidBy(match);
  const { other_jetton_wallet } = fieldsIn("tonco_pool_fund_account_payload", payload);
  return {
    sender,
    own: { asset: holdingOf(routerWallet, contracts)?.asset, amount, wallet },
    other: { ...noSide, asset: holdingOf(addressText(other_jetton_wallet), contracts)?.asset },
  };
}

function paidBy(match: Match) {
  const transfer = jettonTransferKind.of(match.get("in"));
  const payload = paymentPayload(match);
  if (transfer) {
    const { sender, amount, senderWallet, receiverWallet } = transfer;
    return { sender, amount, wallet: senderWallet, routerWallet: receiverWallet, payload };
  }
  const notified = match.get("notified");
  const { sender, amount } = fieldsOf("jetton_notify_start", notified);
  return {
    sender: addressText(sender),
    amount,
    wallet: undefined,
    routerWallet: notified.source,
    payload,
  };
}

function refunded(block: Block): Excess {
  const { asset, amount } = payoutOver(block, jettonTransferKind.dataOf(block));
  return { asset, amount };
}
