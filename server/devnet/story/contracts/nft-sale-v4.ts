import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";
import { beginSale, type SaleTerms } from "./nft.js";

type JettonPrice = { master: Address; price: bigint; saleWallet: Address };

/** A sale at a fixed price (nft-sale-v4.tolk), deployed by the marketplace. It starts when the item is transferred to it. */
export class NftSaleV4 {
  readonly init: StateInit;
  readonly address: Address;

  constructor(terms: SaleTerms) {
    // ... sold:(Maybe ^Cell) jettonPrices:(HashmapE 256 JettonPrice)
    const data = beginSale(terms).storeMaybeRef(undefined).storeBit(false);
    this.init = stateInitOf(contractCode("nft-sale-v4"), data.endCell());
    this.address = contractAddress(this.init);
  }
}

/**
 * Body of a message from the seller to a sale. The sale's jetton wallets depend on its address, so they are set after
 * deployment.
 */
export function changePriceBody(price: bigint, jettons: readonly JettonPrice[], queryId: number): Cell {
  // change_price#fd135f7b query_id:uint64 price:Coins jetton_prices:(HashmapE 256 JettonPrice)
  const body = beginCell().storeUint(0xfd135f7b, 32).storeUint(queryId, 64).storeCoins(price);
  Dictionary.empty(bytesKey(32), jettonPrice)
    .update(jettons.map((jetton): [Uint8Array, JettonPrice] => [jetton.master.hash, jetton]))
    .store(body);
  return body.endCell();
}

/** price:Coins wallet:MsgAddress = JettonPrice */
const jettonPrice: ValueCodec<Pick<JettonPrice, "price" | "saleWallet">> = {
  store: ({ price, saleWallet }, builder) => builder.storeCoins(price).storeAddress(saleWallet),
  load: (slice) => ({ price: slice.loadCoins(), saleWallet: slice.loadAddress()! }),
};
