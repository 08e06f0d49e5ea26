import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { snake } from "../contracts/snake.js";

/** Address of a contract with this initial state. */
export function contractAddress(init: StateInit, workchain = 0): Address {
  return new Address(workchain, encode(StateInit, init).hash());
}

/** Composes an inbound external message; `init` deploys the destination. */
export function externalMessage(to: Address, body: Cell, init?: StateInit): Cell {
  const info = { kind: "externalIn", src: undefined, dest: to, importFee: 0n } as const;
  return encode(Message, composeMessage({ info, init, body }));
}

/** Body of a text comment: op 0, then UTF-8 in snake format. */
export function commentBody(text: string): Cell {
  return snake(text, beginCell().storeUint(0, 32));
}
