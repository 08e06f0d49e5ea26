import type { Builder } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { tgWalletOpcodes } from "../../../shared/values/tg-wallet.js";
import { cellWith, fieldsWith, maybe } from "../made-cells.js";
import { account, type MadeMessage } from "./made-trace.js";

// Signed requests to wallets, for constructed traces: signatures have any value.

/** Its first 32 bits are no opcode. */
const signature = () => fieldsWith(new Uint8Array(64).fill(0xa5));
/** Id of the wallet, time, seqno. */
const limits = () => fieldsWith([1, 32], [2, 32], [3, 32]);

export const { sendOne, sendBulk, changeKey } = tgWalletOpcodes;
export const tgWallet = account("tg wallet");
export const newKey = new Uint8Array(32).fill(0x11);
export const proof = new Uint8Array(64).fill(0x22);
export const oldKey = new Uint8Array(32).fill(0x33);

/** A request to Telegram's wallet, which has its opcode behind the signature. */
export function tgRequest(opcode: number, rest: Builder = fieldsWith()): Cell {
  return cellWith(signature(), [opcode, 32], limits(), rest);
}

export function tgSendOne(opcode: number, message: Cell = Cell.empty): Cell {
  return tgRequest(opcode, fieldsWith([3, 8], message));
}

/** Chunks are lists of messages, of which all but the last have three at most. */
export function tgSendBulk(opcode: number, count: number, chunks: readonly (readonly Cell[])[]): Cell {
  const first = chunks.reduceRight<Cell | undefined>(
    (next, messages) => cellWith(maybe(next), ...messages.map((message) => fieldsWith([3, 8], message))),
    undefined,
  );
  return tgRequest(opcode, fieldsWith([count, 8], maybe(first)));
}

export function tgChangeKey(opcode: number): Cell {
  return tgRequest(opcode, fieldsWith(newKey, cellWith(proof), cellWith(oldKey)));
}

/** The log of a changed key. */
export function keyChanged(opcode = 0xeba19948): MadeMessage {
  return { to: undefined, body: cellWith([opcode, 32], oldKey) };
}

/** A request that a wallet v5 takes from other accounts. */
export function w5Request(opcode = 0x73696e74): Cell {
  return cellWith([opcode, 32], limits(), false, false, signature());
}
