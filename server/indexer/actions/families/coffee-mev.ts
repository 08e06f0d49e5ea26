import type { ActionMembers } from "../../../../shared/actions/all.js";
import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { anyBlock, call, either, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { jettonTransferKind } from "./jettons.js";

const hold = 0x6bc79e7e;
const failedSwap = 0xee51ce51;

const coffeeMevHoldKind = rowKind("coffee_mev_protect_hold_funds");

/** A call, or jettons with the same request in the payload. */
function asked(opcode: number) {
  return [
    call(opcode),
    made(jettonTransferKind).where(
      "that asks for it",
      (block) => jettonTransferKind.dataOf(block).payloadOpcode === opcode,
    ),
  ] as const;
}

const [heldTon, heldJettons] = asked(hold);
const announced = anyBlock().followedBy(call(0xc0ffeea0)).optional();

/** swap.coffee: funds are held for a swap that cannot be front-run. */
export const coffeeMevHold: Matcher = {
  name: "coffee mev hold",
  pattern: either(heldTon.precededBy(announced), heldJettons.precededBy(announced)),
  build: ({ anchor }) => coffeeMevHoldKind.build(heldBy(anchor)),
};

function heldBy(block: Block): ActionMembers<"coffee_mev_protect_hold_funds"> {
  const transfer = jettonTransferKind.of(block);
  return {
    source: transfer ? transfer.sender : block.source,
    source_jetton_wallet: transfer?.senderWallet,
    mev_contract: transfer ? transfer.receiver : block.destination,
    asset: transfer?.asset,
    amount: transfer ? transfer.amount : block.value,
  };
}

const coffeeMevFailedSwapKind = rowKind("coffee_mev_protect_failed_swap");

/** swap.coffee: held funds are returned. */
export const coffeeMevFailedSwap: Matcher = {
  name: "coffee mev failed swap",
  pattern: either(...asked(failedSwap)),
  build: ({ anchor }) => {
    const transfer = jettonTransferKind.of(anchor);
    const { recipient } = transfer
      ? fieldsIn("coffee_mev_protect_failed_swap", transfer.payload)
      : fieldsOf("coffee_mev_protect_failed_swap", anchor);
    return coffeeMevFailedSwapKind.build({ recipient: addressText(recipient), asset: transfer?.asset });
  },
};
