import { tgWalletOpcodes } from "../../shared/values/tg-wallet.js";

/** Least bytes of a bag of cells with a signature and an opcode. */
export const leastTgRequestBytes = 80;

/** Three bytes of each opcode, as the last one alone differs between the two ways of a request: fewer searches. */
const beginnings: readonly Buffer[] = Object.values(tgWalletOpcodes).map(({ internal }) =>
  Buffer.of(internal >>> 24, internal >>> 16, internal >>> 8),
);

/**
 * Whether a bag of cells may be a request to Telegram's wallet: a quick look, which hardly any other bag passes. The opcode is at
 * whole bytes of the root cell, and these are consecutive in a bag.
 */
export function mayBeTgWalletRequest(boc: Uint8Array): boolean {
  if (boc.length < leastTgRequestBytes) return false;
  const bytes = Buffer.from(boc.buffer, boc.byteOffset, boc.length);
  return beginnings.some((beginning) => bytes.includes(beginning));
}
