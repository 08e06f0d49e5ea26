import type {
  DepositLiquidityDetails,
  SwapTransfer,
  WithdrawLiquidityDetails,
} from "../../../store/tables/action-details.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import type { Asset } from "../contracts.js";
import { call, either, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";
import { proxyTonAmount, proxyTonBehind, withoutProxy } from "./proxy-ton.js";
import { swapTransferOf } from "./swaps.js";

/** Assets deposited into a pool. */
export type Deposit = {
  readonly owner: AddressText | undefined;
  readonly ownerWallet?: AddressText | undefined;
  /** Undefined while the other asset is missing. */
  readonly pool: AddressText | undefined;
  /** The contract that collects both assets. */
  readonly contract?: AddressText | undefined;
  readonly details: DepositLiquidityDetails;
};

/** A kind of deposits; protocols name their blocks differently. */
export function depositKindOf(name: string, isLeaf: boolean) {
  return new BlockKind(name, {
    type: "dex_deposit_liquidity",
    isLeaf,
    row: ({ owner, ownerWallet, pool, contract, details }: Deposit) => ({
      source: owner,
      source_secondary: ownerWallet,
      destination: pool,
      destination_secondary: contract,
      dex_deposit_liquidity_data: details,
    }),
  });
}

/** One asset of a deposit. */
export type Side = {
  readonly asset: Asset;
  readonly amount: bigint | undefined;
  readonly wallet: AddressText | undefined;
};

export const noSide: Side = { asset: undefined, amount: undefined, wallet: undefined };

export function depositDetails(
  dex: string,
  [first, second]: readonly [Side, Side],
  lp: bigint | undefined,
): DepositLiquidityDetails {
  return {
    dex,
    asset1: first.asset,
    amount1: first.amount,
    asset2: second.asset,
    amount2: second.amount,
    user_jetton_wallet_1: first.wallet,
    user_jetton_wallet_2: second.wallet,
    lp_tokens_minted: lp,
  };
}

/** Assets withdrawn from a pool. */
export type Withdrawal = {
  readonly owner: AddressText | undefined;
  /** The burnt tokens; undefined unless they are a jetton. */
  readonly burnt?: { readonly wallet: AddressText; readonly asset: AddressText };
  readonly pool: AddressText | undefined;
  readonly details: WithdrawLiquidityDetails;
};

/** A kind of withdrawals; protocols name their blocks differently. */
export function withdrawalKindOf(name: string) {
  return new BlockKind(name, {
    type: "dex_withdraw_liquidity",
    isLeaf: true,
    row: ({ owner, burnt, pool, details }: Withdrawal) => ({
      source: owner,
      source_secondary: burnt?.wallet,
      destination: pool,
      asset: burnt?.asset,
      dex_withdraw_liquidity_data: details,
    }),
  });
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

export function withdrawalDetails(
  dex: string,
  [first = noPayout, second = noPayout]: readonly (Payout | undefined)[],
  lp: bigint | undefined,
): Omit<WithdrawLiquidityDetails, "is_refund"> {
  return {
    dex,
    amount1: first.amount,
    amount2: second.amount,
    asset1_out: first.asset,
    asset2_out: second.asset,
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
