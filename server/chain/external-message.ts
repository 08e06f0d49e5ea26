import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { encode, TlbError } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { type StateInit, StateInit as StateInitCodec } from "../../shared/ton/tlb/state-init.js";
import type { Address } from "../../shared/values/address.js";

/** An external message in tonlib's layout: state init inline, the body inline if it fits, in a reference otherwise. */
export function externalMessage(to: Address, body: Cell, init: StateInit | undefined): Cell {
  const message: Message = {
    info: { kind: "externalIn", src: undefined, dest: to, importFee: 0n },
    init: init && CellOf.of(StateInitCodec, init),
    initInRef: false,
    body,
    bodyInRef: false,
  };
  try {
    return encode(Message, message);
  } catch (error) {
    if (!(error instanceof TlbError)) throw error;
    return encode(Message, { ...message, bodyInRef: true });
  }
}
