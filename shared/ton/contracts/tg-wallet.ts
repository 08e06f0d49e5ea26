import { tgWalletOpcodes } from "../../values/tg-wallet.js";
import type { Cell } from "../cells/cell.js";
import { ifReadable } from "../tlb/readable.js";

// Telegram's wallet: one code for all accounts, which runs what parameter -123 of the configuration has.

const opcodes: ReadonlySet<number> = new Set(
  Object.values(tgWalletOpcodes).flatMap((way) => Object.values(way)),
);
const signatureBits = 512;

/** The data of such a wallet. */
type TgWalletData = {
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
