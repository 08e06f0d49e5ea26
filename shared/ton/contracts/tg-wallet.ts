import type { Cell } from "../cells/cell.js";

// Telegram's wallet: one code for all accounts, which runs what parameter -123 of the configuration has.

/** Opcodes of requests, behind a signature of 512 bits. */
export const tgWalletOpcodes = {
  sendOne: { internal: 0x63896e74, external: 0x63896e75 },
  sendBulk: { internal: 0x73896e74, external: 0x73896e75 },
  changeKey: { internal: 0xfbba99c7, external: 0xfbba99c8 },
} as const;

const opcodes: ReadonlySet<number> = new Set(
  Object.values(tgWalletOpcodes).flatMap((way) => Object.values(way)),
);
const signatureBits = 512;

/** The opcode of a request to such a wallet, which stands behind the signature; `undefined` for other bodies. */
export function tgWalletOpcode(body: Cell): number | undefined {
  if (body.exotic || body.bits < signatureBits + 32) return undefined;
  const opcode = body.parse().skip(signatureBits).loadUint(32);
  return opcodes.has(opcode) ? opcode : undefined;
}
