import type { ActionMembers } from "../../../../shared/actions/all.js";
import type { vaultExcess } from "../../../../shared/actions/liquidity.js";
import type { Given } from "../../../../shared/actions/member.js";
import type { Block } from "../block.js";
import type { Asset } from "../contracts.js";
import { call, either, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";
import { proxyTonAmount, proxyTonBehind, withoutProxy } from "./proxy-ton.js";
import { type SwapTransfer, swapTransferOf } from "./swaps.js";

/** Assets deposited into a pool; `pool` is undefined while the other asset is missing. */
export type Deposit = ActionMembers<"dex_deposit_liquidity">;

/** Assets withdrawn from a pool. */
export type Withdrawal = ActionMembers<"dex_withdraw_liquidity">;

/** An asset that is returned. */
export type Excess = Given<typeof vaultExcess>;

/** A kind of deposits; protocols name their blocks differently. */
export const depositKindOf = (name: string) => rowKind("dex_deposit_liquidity", { name, isLeaf: true });

/** A kind of withdrawals; protocols name their blocks differently. */
export const withdrawalKindOf = (name: string) => rowKind("dex_withdraw_liquidity", { name, isLeaf: true });

/** One asset of a deposit. */
export type Side = {
  readonly asset: Asset;
  readonly amount: bigint | undefined;
  readonly wallet: AddressText | undefined;
};

export const noSide: Side = { asset: undefined, amount: undefined, wallet: undefined };

export function depositMembers(dex: string, [first, second]: readonly [Side, Side], lp: bigint | undefined) {
  return {
    dex,
    asset_1: first.asset,
    amount_1: first.amount,
    asset_2: second.asset,
    amount_2: second.amount,
    user_jetton_wallet_1: first.wallet,
    user_jetton_wallet_2: second.wallet,
    lp_tokens_minted: lp,
  };
}

/** One asset of a withdrawal's payout, with sender and receiver. */
export type Payout = Omit<SwapTransfer, "destination">;

const noPayout: Payout = {
  amount: undefined,
  asset: undefined,
  source: undefined,
  source_jetton_wallet: undefined,
  destination_jetton_wallet: undefined,
};

export function withdrawalMembers(
  dex: string,
  [first = noPayout, second = noPayout]: readonly (Payout | undefined)[],
  lp: bigint | undefined,
) {
  return {
    dex,
    amount_1: first.amount,
    amount_2: second.amount,
    asset_1: first.asset,
    asset_2: second.asset,
    user_jetton_wallet_1: first.destination_jetton_wallet,
    user_jetton_wallet_2: second.destination_jetton_wallet,
    dex_wallet_1: first.source,
    dex_wallet_2: second.source,
    dex_jetton_wallet_1: first.source_jetton_wallet,
    dex_jetton_wallet_2: second.source_jetton_wallet,
    lp_tokens_burnt: lp,
  };
}

/** A payout of jettons, or of TON if the proxy converts it. */
export function payoutOver(block: Block, transfer: JettonTransfer): Payout {
  const moved = swapTransferOf(transfer);
  const proxy = proxyTonBehind(block);
  return proxy
    ? { ...moved, asset: undefined, amount: proxyTonAmount(proxy) }
    : { ...moved, asset: withoutProxy(transfer.asset) };
}

/** A transfer of jettons or a call, with the same label. */
export function jettonsOr(label: string, ...opcodes: readonly number[]) {
  return either(made(jettonTransferKind).as(label), ...opcodes.map((opcode) => call(opcode).as(label)));
}
