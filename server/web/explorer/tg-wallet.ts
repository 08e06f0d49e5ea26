import { readBag } from "../../../client/values/bag-of-cells.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { tgWalletCodeHash } from "../../../shared/values/tg-wallet.js";
import { CellReader } from "./config/cell-reader.js";
import { hashCell, ifReadable } from "./parts/cells.js";

/** The data of Telegram's wallet. */
export type TgWallet = {
  /** The form of the data. */
  readonly revision: number;
  readonly seqno: number;
  readonly walletId: number;
  /** In hex. */
  readonly publicKey: string;
};

/** Longer code is another one. */
const codeLength = 100;

/** The data of an account with the code of Telegram's wallet, for which no get-method has to run; undefined for others. */
export function tgWalletIn({ code, data }: { code: string; data: string }): TgWallet | undefined {
  if (code === "" || code.length > codeLength) return undefined;
  const hashed = ifReadable(() => hashCell(readBag(code)));
  return hashed && bytesToHex(hashed.hash) === tgWalletCodeHash ? readTgWallet(data) : undefined;
}

function readTgWallet(data: string): TgWallet | undefined {
  return ifReadable(() => {
    const reader = new CellReader(readBag(data));
    return {
      revision: reader.number(8),
      seqno: reader.number(32),
      walletId: reader.number(32),
      publicKey: reader.hex(32),
    };
  });
}
