import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import type { Asset } from "../contracts.js";
import type { Matcher } from "../matcher.js";
import { anyBlock, call, either, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";

const hold = 0x6bc79e7e;
const failedSwap = 0xee51ce51;

type HeldFunds = {
  readonly sender: AddressText | undefined;
  readonly senderWallet: AddressText | undefined;
  readonly holder: AddressText | undefined;
  readonly asset: Asset;
  readonly amount: bigint | undefined;
};

const coffeeMevHoldKind = new BlockKind("coffee_mev_protect_hold_funds", {
  type: "coffee_mev_protect_hold_funds",
  row: ({ sender, senderWallet, holder, asset, amount }: HeldFunds) => ({
    source: sender,
    source_secondary: senderWallet,
    destination: holder,
    asset,
    amount,
  }),
});

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

function heldBy(block: Block): HeldFunds {
  const { source, destination, value } = block;
  const transfer = jettonTransferKind.of(block);
  if (!transfer)
    return { sender: source, senderWallet: undefined, holder: destination, asset: undefined, amount: value };
  const { sender, senderWallet, receiver, asset, amount } = transfer;
  return { sender, senderWallet, holder: receiver, asset, amount };
}

type FailedSwap = { readonly recipient: AddressText | undefined; readonly asset: Asset };

const coffeeMevFailedSwapKind = new BlockKind("coffee_mev_protect_failed_swap", {
  type: "coffee_mev_protect_failed_swap",
  row: ({ recipient, asset }: FailedSwap) => ({ destination: recipient, asset }),
});

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
