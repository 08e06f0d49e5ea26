import type { Cell } from "../../../cells/cell.js";
import type { SwapTransfer } from "../../../store/tables/action-details.js";
import type { Block } from "../block.js";
import { fieldsOf, tryFieldsIn, tryFieldsOf } from "../body.js";
import { call, either, made } from "../pattern.js";
import { jettonTransferKind } from "./jettons.js";
import { swapTransferOf, tonTransferOf } from "./swaps.js";

// What swaps and liquidity of DeDust's second version have in common. Who is paid excesses by its contracts is part of
// the patterns: no call takes those that follow it by itself.

export const payNative = 0xa5a7cbf8;
export const payout = 0x3216ca09;

/** Contracts between two others pass on all that is left, so an excess can be absent. */
export const excess = call(0xd53276db).withoutExcess().optional();

/** How a pool is paid; `#in`. */
export const carrier = either(made(jettonTransferKind).as("in"), call(payNative).withoutExcess().as("in"));

/** How a pool pays; `#leg`. */
export const leg = either(made(jettonTransferKind).as("leg"), call(payout).withoutExcess().as("leg"));

/** What a carrier brought to a pool; without the amount if its body cannot be read. */
export function carriedBy(block: Block): SwapTransfer {
  const transfer = jettonTransferKind.of(block);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(block, tryFieldsOf("dedust_v2_pay_native", block)?.amount);
}

/** What a pool paid. */
export function paidBy(block: Block): SwapTransfer {
  const transfer = jettonTransferKind.of(block);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(block, fieldsOf("dedust_v2_payout", block).amount);
}

/** What the pool is asked to do with what a carrier brings; undefined if that cannot be read. */
export function requestIn(block: Block): Cell | undefined {
  const transfer = jettonTransferKind.of(block);
  const asked = transfer
    ? tryFieldsIn("dedust_v2_pay_jetton", transfer.payload)
    : tryFieldsOf("dedust_v2_pay_native", block);
  return asked?.request;
}
