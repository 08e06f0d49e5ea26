import type { Cell } from "../cells/cell.js";
import { ifReadable } from "../tlb/readable.js";

// Telegram's wallet: one code for all accounts, which runs what parameter -123 of the configuration has.

/** The hash of the accounts' code, in hex. */
export const tgWalletCodeHash = "9149ae51c1e4689710cebf7830297b16acfbadb363a920a537893e7ffeeca768";

/** The configuration parameter with the code that these accounts run: the root cell of the code itself. */
export const tgWalletParam = -123;

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

/** The data of such a wallet. */
export type TgWalletData = {
  /** The form of the data. */
  readonly revision: number;
  readonly seqno: number;
  readonly walletId: number;
  readonly publicKey: Uint8Array;
};

/**
 * Reads the data of such a wallet, for which no get-method has to run; `undefined` if they are malformed. All revisions begin
 * with `revision:uint8 seqno:uint32 subwallet_id:uint32 public_key:bits256`.
 */
export function readTgWallet(data: Cell): TgWalletData | undefined {
  return ifReadable(() => {
    const slice = data.parse();
    return {
      revision: slice.loadUint(8),
      seqno: slice.loadUint(32),
      walletId: slice.loadUint(32),
      publicKey: slice.loadBytes(32),
    };
  });
}

/** The opcode of a request to such a wallet, which stands behind the signature; `undefined` for other bodies. */
export function tgWalletOpcode(body: Cell): number | undefined {
  if (body.exotic || body.bits < signatureBits + 32) return undefined;
  const opcode = body.parse().skip(signatureBits).loadUint(32);
  return opcodes.has(opcode) ? opcode : undefined;
}
