import type { Block } from "../block.js";
import { addressText, fieldsOf } from "../body.js";
import type { Asset } from "../contracts.js";
import type { Match, Matcher } from "../matcher.js";
import { call, either, made, repeat } from "../pattern.js";
import { coffeeAsset } from "./coffee-assets.js";
import { jettonTransferKind } from "./jettons.js";
import {
  byLt,
  type PeerSwap,
  peerSwap,
  type Swap,
  type SwapTransfer,
  swapKind,
  swapTransferOf,
  tonTransferOf,
} from "./swaps.js";

const swapRequest = 0xc0ffee00;
const swapInternal = 0xc0ffee20;
const payoutInternal = 0xc0ffee21;
const swapEvent = 0xc0ffee30;
const payout = 0xc0ffee32;
const payoutWithMessage = 0xc0ffee36;

/** A payment by a vault: jettons, or TON with or without a message for the receiver; `#out`. */
const paidByVault = either(
  made(jettonTransferKind).as("out"),
  call(payout).as("out"),
  call(payoutWithMessage).as("out"),
);
const paidOut = call(payoutInternal).as("payment").followedBy(paidByVault);
const swapped = call(swapEvent).as("event");

/** swap.coffee: a vault calls the first pool of a route, each pool the next one, and the last pool another vault. */
export const coffeeSwap: Matcher = {
  name: "coffee swap",
  pattern: call(swapInternal)
    .precededBy(either(made(jettonTransferKind).as("in"), call(swapRequest).as("in")))
    .followedBy([swapped, either(repeat(call(swapInternal).followedBy(swapped), paidOut), paidOut)]),
  build: (match) => {
    const incoming = incomingOf(match.get("in"));
    const outgoing = outgoingOf(match);
    const events = byLt(match.all("event"));
    const swap: Swap = {
      dex: "coffee",
      incoming,
      outgoing,
      peerSwaps: events.length > 1 ? peerSwapsOf(events, outgoing.asset) : [],
    };
    return swapKind.build(swap);
  },
};

function incomingOf(request: Block): SwapTransfer {
  const transfer = jettonTransferKind.of(request);
  return transfer
    ? swapTransferOf(transfer)
    : tonTransferOf(request, fieldsOf("coffee_swap_start", request).amount);
}

function outgoingOf(match: Match): SwapTransfer {
  const out = match.get("out");
  const transfer = jettonTransferKind.of(out);
  if (transfer) return swapTransferOf(transfer);
  if (out.opcode === payoutWithMessage) return tonTransferOf(out, out.value);
  const payment = match.get("payment");
  const { amount, recipient } = fieldsOf("coffee_payout_internal_start", payment);
  return { ...tonTransferOf(payment, amount), destination: addressText(recipient) };
}

/** Events have a pool's input; its output is the next pool's input. */
function peerSwapsOf(events: readonly Block[], paidAsset: Asset): PeerSwap[] {
  const swaps = events.map((event) => {
    const { input, input_amount, output_amount } = fieldsOf("coffee_swap_succeeded", event);
    return { asset: coffeeAsset(input), amount: input_amount, gave: output_amount };
  });
  return swaps.map((swap, index) => {
    const next = swaps[index + 1];
    return peerSwap(swap, { asset: next ? next.asset : paidAsset, amount: swap.gave });
  });
}
