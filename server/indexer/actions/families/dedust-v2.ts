import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Block } from "../block.js";
import { fieldsOf, tryFieldsIn, tryFieldsOf } from "../body.js";
import { call, either, made } from "../pattern.js";
import { jettonTransferKind } from "./jettons.js";
import { type SwapTransfer, swapTransferOf, tonTransferOf } from "./swaps.js";

// Shared by swaps and liquidity of DeDust's second version. The patterns name the receivers of excesses, so no call
// takes its excesses automatically.

export const payNative = 0xa5a7cbf8;
export const payout = 0x3216ca09;

/** Intermediate contracts may forward everything, so an excess can be absent. */
export const excess = call(0xd53276db).withoutExcess().optional();

/** A payment to a pool; `#in`. */
export const carrier = either(made(jettonTransferKind).as("in"), call(payNative).withoutExcess().as("in"));

/** A payment by a pool; `#leg`. */
export const leg = either(made(jettonTransferKind).as("leg"), call(payout).withoutExcess().as("leg"));

/** The asset and amount that a carrier delivers to a pool; without the amount if its body is unreadable. */
export function carriedBy(block: Block): SwapTransfer {
  const transfer = jettonTransferKind.of(block);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(block, tryFieldsOf("dedust_v2_pay_native", block)?.amount);
}

/** The asset and amount paid by a pool. */
export function paidBy(block: Block): SwapTransfer {
  const transfer = jettonTransferKind.of(block);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(block, fieldsOf("dedust_v2_payout", block).amount);
}

/** The request attached to a carrier; undefined if it is unreadable. */
export function requestIn(block: Block): Cell | undefined {
  const transfer = jettonTransferKind.of(block);
  const asked = transfer
    ? tryFieldsIn("dedust_v2_pay_jetton", transfer.payload)
    : tryFieldsOf("dedust_v2_pay_native", block);
  return asked?.request;
}
