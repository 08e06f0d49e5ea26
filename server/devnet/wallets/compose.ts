import { Address } from "../../../shared/values/address.js";
import { beginCell } from "../../cells/builder.js";
import type { Cell } from "../../cells/cell.js";
import { encode } from "../../tlb/codec.js";
import { composeMessage, Message } from "../../tlb/message.js";
import { StateInit } from "../../tlb/state-init.js";
import { snake } from "../contracts/snake.js";

/** Where a contract with this initial state lives. */
export function contractAddress(init: StateInit, workchain = 0): Address {
  return new Address(workchain, encode(StateInit, init).hash());
}

export function externalMessage(to: Address, body: Cell, init?: StateInit): Cell {
  const info = { kind: "externalIn", src: undefined, dest: to, importFee: 0n } as const;
  return encode(Message, composeMessage({ info, init, body }));
}

/** The body wallets show as text: op 0, then UTF-8. */
export function commentBody(text: string): Cell {
  return snake(text, beginCell().storeUint(0, 32));
}
