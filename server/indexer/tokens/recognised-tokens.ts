import { tables } from "../../store/tables/all-tables.js";
import type { JettonWalletRow } from "../../store/tables/jettons.js";
import type { NftItemRow } from "../../store/tables/nfts.js";
import { keyOf } from "../hash-key.js";
import type { Found } from "../recognition/detection.js";

/** An account's roles as a token contract, with the columns that events copy. */
export type TokenContract = {
  wallet?: Pick<JettonWalletRow, "jetton"> | undefined;
  item?: Pick<NftItemRow, "index" | "collection_address"> | undefined;
};

/** The token contracts among recognised contracts, by account. */
export class RecognisedTokens {
  readonly #wallets = new Map<string, JettonWalletRow>();
  readonly #items = new Map<string, NftItemRow>();

  constructor(found: readonly Found[]) {
    for (const { table, account, row } of found) {
      const key = keyOf(account.state.account);
      // The row belongs to its table.
      if (table.name === tables.jettonWallets.name) this.#wallets.set(key, row as JettonWalletRow);
      if (table.name === tables.nftItems.name) this.#items.set(key, row as NftItemRow);
    }
  }

  /** The account's roles as a token contract. */
  at(account: Uint8Array): TokenContract {
    const key = keyOf(account);
    return { wallet: this.#wallets.get(key), item: this.#items.get(key) };
  }
}
