import { foundIn, itemAt } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import type { Asset } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import { type CoffeeAsset, coffeeAsset } from "./coffee-assets.js";
import { jettonBurnKind, jettonTransferKind } from "./jettons.js";
import {
  type Deposit,
  depositKindOf,
  depositMembers,
  type Excess,
  jettonsOr,
  noSide,
  type Payout,
  type Side,
  withdrawalKindOf,
  withdrawalMembers,
} from "./liquidity.js";

const depositRequest = 0xc0ffee04;
const createDepository = 0xc0ffee27;
const deploy = 0xc0ffee22;
const depositInternal = 0xc0ffee29;
const deposited = 0xc0ffee33;
const withdrawn = 0xc0ffee35;
const payoutInternal = 0xc0ffee21;
const payout = 0xc0ffee32;
const payoutWithMessage = 0xc0ffee36;
const internalTransfer = 0x178d4519;
const excess = 0xd53276db;

const coffeeDepositKind = depositKindOf("coffee_deposit_liquidity");
const coffeeWithdrawalKind = withdrawalKindOf("dex_withdraw_liquidity");

const paid = call(payoutInternal)
  .as("payment")
  .followedBy(jettonsOr("out", payout, payoutWithMessage));

/**
 * swap.coffee: the depositor's depository receives one asset and passes it on to the pool together with the second one.
 */
export const coffeeDeposit: Matcher = {
  name: "coffee deposit",
  pattern: call(createDepository)
    .precededBy(jettonsOr("in", depositRequest))
    .followedBy(
      call(deploy)
        .as("depository")
        .followedBy(
          call(depositInternal)
            .followedBy([
              call(internalTransfer).as("lp").followedBy(call(excess).optional()),
              call(deposited).as("event"),
              paid.optional(),
            ])
            .optional(),
        ),
    ),
  build: (match) => {
    const { amount, params, sender } = fieldsOf("coffee_create_liquidity_depository_request", match.anchor);
    const transfer = jettonTransferKind.of(match.get("in"));
    const own: Side = { asset: transfer?.asset, amount, wallet: transfer?.senderWallet };
    const { first, second } = params.pool_params;
    const isFirst = isGiven(own.asset, first);
    if (!isFirst && !isGiven(own.asset, second)) return cancel("the pool does not have the asset");
    const deposit: Deposit = {
      source: addressText(sender),
      pool: (match.find("event") ?? match.find("lp"))?.source,
      collector: match.get("depository").destination,
      ...depositMembers("coffee", isFirst ? [own, noSide] : [noSide, own], mintedBy(match)),
      target_asset_1: coffeeAsset(isFirst ? first : second),
      target_asset_2: coffeeAsset(isFirst ? second : first),
      vault_excesses: match.all("out").map(givenBack),
    };
    return coffeeDepositKind.build(deposit);
  },
};

/** The given asset is TON or a jetton, so an extra currency never matches. */
function isGiven(given: Asset, asset: CoffeeAsset): boolean {
  return asset.$type !== "extra" && coffeeAsset(asset) === given;
}

function mintedBy(match: Match): bigint | undefined {
  const event = match.find("event");
  return event && fieldsOf("coffee_deposit_liquidity_succeeded", event).lp_amount;
}

function givenBack(out: Block): Excess {
  const transfer = jettonTransferKind.of(out);
  return { asset: transfer?.asset, amount: (transfer ? transfer.amount : out.value) ?? 0n };
}

/** swap.coffee: a pool is the master of its liquidity tokens, and makes the vaults pay for burnt ones. */
export const coffeeWithdrawal: Matcher = {
  name: "coffee withdrawal of liquidity",
  pattern: made(jettonBurnKind).followedBy([paid, paid, call(withdrawn).as("event")]),
  build: (match) => {
    const burn = jettonBurnKind.dataOf(match.anchor);
    const event = match.get("event");
    const { amount1, amount2, lp_amount } = fieldsOf("coffee_withdraw_liquidity_succeeded", event);
    const payments = match.all("payment");
    const payouts = [
      payoutOf(itemAt(payments, 0), match, amount1),
      payoutOf(itemAt(payments, 1), match, amount2),
    ];
    return coffeeWithdrawalKind.build({
      source: burn.owner,
      lp_wallet: burn.owner_jetton_wallet,
      lp_asset: burn.asset,
      pool: event.source,
      ...withdrawalMembers("coffee", payouts, lp_amount),
      refund: false,
    });
  },
};

/** The pool's event has the amounts, the vault's payment the rest. */
function payoutOf(payment: Block, match: Match, amount: bigint): Payout {
  const out = foundIn(match.all("out"), ({ previous }) => previous === payment);
  const transfer = jettonTransferKind.of(out);
  return {
    amount,
    asset: transfer?.asset,
    source: payment.source,
    source_jetton_wallet: transfer?.senderWallet,
    destination_jetton_wallet: transfer ? transfer.receiverWallet : receiverOf(out),
  };
}

/** In place of a wallet the reference names the receiver of TON, unless a message was attached. */
function receiverOf(out: Block) {
  return out.opcode === payout ? out.destination : undefined;
}
