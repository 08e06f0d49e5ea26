import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Block } from "../block.js";
import { fieldsOf, payloadIn } from "../body.js";
import type { Asset, ContractLookups } from "../contracts.js";
import type { Match } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind, proxyTonMasters } from "./jettons.js";
import { type SwapTransfer, swapTransferOf } from "./swaps.js";

// Exchanges that only support jettons take and pay TON through a contract that acts as a jetton wallet.

export const proxyTonTransfer = 0x01f3835d;
const notification = 0x7362d09c;

/** A payment to a pool: a jetton transfer, or TON whose proxy notifies the router; `#in`, `#notified`. */
export const payment = either(
  made(jettonTransferKind).as("in"),
  call(notification).as("notified").precededBy(call(proxyTonTransfer).as("in")),
);

/** The asset and amount that a `payment` delivered to the router that sent the anchor. */
export function paymentOf(match: Match): SwapTransfer {
  const paid = match.get("in");
  const transfer = jettonTransferKind.of(paid);
  if (transfer) {
    const moved = swapTransferOf(transfer);
    return transfer.isProxyTon ? { ...moved, asset: undefined } : moved;
  }
  return {
    amount: proxyTonAmount(paid),
    asset: undefined,
    source: paid.source,
    source_jetton_wallet: undefined,
    destination: match.anchor.source,
    destination_jetton_wallet: paid.destination,
  };
}

/** The payload of a `payment`: the request to the router. */
export function paymentPayload(match: Match): Cell | undefined {
  const transfer = jettonTransferKind.of(match.get("in"));
  return transfer ? transfer.payload : payloadIn(fieldsOf("jetton_notify_start", match.get("notified")).rest);
}

export function proxyTonAmount(transfer: Block): bigint {
  return fieldsOf("pton_ton_transfer", transfer).ton_amount;
}

/** The TON transfer caused by a transfer through the proxy. */
export function proxyTonBehind(block: Block): Block | undefined {
  return block.followers.find(({ opcode }) => opcode === proxyTonTransfer);
}

/** The asset of a wallet; undefined if the wallet is unknown. */
export function holdingOf(
  wallet: AddressText | undefined,
  contracts: ContractLookups,
): { readonly asset: Asset } | undefined {
  const known = contracts.jettonWallet(wallet);
  return known && { asset: withoutProxy(known.master) };
}

/** TON in place of the jetton that represents it. */
export function withoutProxy(master: Asset): Asset {
  return master !== undefined && proxyTonMasters.has(master) ? undefined : master;
}
