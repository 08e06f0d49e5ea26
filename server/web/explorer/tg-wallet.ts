import { readBag } from "../../../client/chain/bag-of-cells.js";
import { CellReader } from "./config/cell-reader.js";
import { ifReadable } from "./parts/cells.js";

/** The data of Telegram's wallet. */
type TgWallet = {
  /** The form of the data. */
  readonly revision: number;
  readonly seqno: number;
  readonly walletId: number;
  /** In hex. */
  readonly publicKey: string;
};

/** Reads the data of such a wallet from a bag of cells in base64; `undefined` if they are malformed. */
export function readTgWallet(data: string): TgWallet | undefined {
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
