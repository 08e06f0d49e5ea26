import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bigUintKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { snake } from "../../contracts/snake.js";
import { contractAddress } from "../../wallets/compose.js";
import { offchainContent } from "./token-content.js";

type NewItem = { index: bigint; owner: Address; tons: bigint };

/** Links to the metadata of a collection and of its items; those of the items have a common beginning. */
type MetadataLinks = {
  readonly collection: string;
  readonly items: string;
  readonly endOf: (index: bigint) => string;
};

/** Links to files in one folder. */
function filesIn(uri: string): MetadataLinks {
  return { collection: `${uri}collection.json`, items: uri, endOf: (index) => `${index}.json` };
}

/** A collection (TEP-62) with off-chain metadata. Its owner gets a royalty of 5%. */
export class NftCollection {
  readonly init: StateInit;
  readonly address: Address;
  readonly #itemCode: Cell;
  readonly #links: MetadataLinks;

  /** `metadata`: the links, or the folder that the files are in. */
  constructor(owner: Address, metadata: string | MetadataLinks, itemCode = contractCode("nft item")) {
    this.#itemCode = itemCode;
    this.#links = typeof metadata === "string" ? filesIn(metadata) : metadata;
    // collection_content:^Cell common_content:^Cell
    const content = beginCell()
      .storeRef(offchainContent(this.#links.collection))
      .storeRef(snake(this.#links.items));
    // factor:uint16 base:uint16 destination:MsgAddress
    const royalty = beginCell().storeUint(5, 16).storeUint(100, 16).storeAddress(owner);
    // owner:MsgAddress next_item_index:uint64 content:^Cell item_code:^Cell royalty:^Cell
    const data = beginCell().storeAddress(owner).storeUint(0, 64).storeRef(content.endCell());
    data.storeRef(itemCode).storeRef(royalty.endCell());
    this.init = stateInitOf(contractCode("nft collection"), data.endCell());
    this.address = contractAddress(this.init);
  }

  item(index: bigint): Address {
    // index:uint64 collection:MsgAddress; owner and content are set by the first message
    const data = beginCell().storeUint(index, 64).storeAddress(this.address);
    return contractAddress(stateInitOf(this.#itemCode, data.endCell()));
  }

  /** Body of a message from the owner to the collection. `tons` (nanotons) are forwarded to each item. */
  mintBody(items: readonly NewItem[], queryId: number): Cell {
    const [only] = items;
    if (only && items.length === 1)
      return this.deployBody({ ...only, message: this.#contentOf(only) }, queryId);
    // batch_mint#2 query_id:uint64 items:^(Hashmap 64 [amount:Coins item:^Cell])
    const list = beginCell();
    const entries = items.map(
      (item) => [item.index, { tons: item.tons, content: this.#contentOf(item) }] as const,
    );
    Dictionary.empty(bigUintKey(64), listedItem).update(entries).storeDirect(list);
    return beginCell().storeUint(2, 32).storeUint(queryId, 64).storeRef(list.endCell()).endCell();
  }

  /** Like `mintBody` for a single item whose code has its own message format. */
  deployBody(
    { index, tons, message }: { index: bigint; tons: bigint; message: Cell },
    queryId: number,
  ): Cell {
    // mint#1 query_id:uint64 index:uint64 amount:Coins item:^Cell
    const body = beginCell().storeUint(1, 32).storeUint(queryId, 64).storeUint(index, 64);
    return body.storeCoins(tons).storeRef(message).endCell();
  }

  #contentOf({ index, owner }: NewItem): Cell {
    return beginCell()
      .storeAddress(owner)
      .storeRef(snake(this.#links.endOf(index)))
      .endCell();
  }
}

const listedItem: ValueCodec<{ tons: bigint; content: Cell }> = {
  store: ({ tons, content }, builder) => builder.storeCoins(tons).storeRef(content),
  load: (slice) => ({ tons: slice.loadCoins(), content: slice.loadRef() }),
};

type ItemTransfer = { to: Address; excessesTo: Address; forwardTons: bigint; queryId: number };

/** Body of a message from the owner to the item. */
export function nftTransferBody({ to, excessesTo, forwardTons, queryId }: ItemTransfer): Cell {
  // transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress
  //   custom_payload:(Maybe ^Cell) forward_amount:Coins forward_payload:(Either Cell ^Cell)
  return beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(queryId, 64)
    .storeAddress(to)
    .storeAddress(excessesTo)
    .storeMaybeRef(undefined)
    .storeCoins(forwardTons)
    .storeBit(false)
    .endCell();
}

export type SaleTerms = {
  createdAt: number;
  marketplace: Address;
  item: Address;
  price: bigint;
  fee: bigint;
  royaltyTo: Address;
  royalty: bigint;
};

/** The common beginning of every fixed-price sale's data. */
export function beginSale(terms: SaleTerms): Builder {
  // fee_address:MsgAddress fee:Coins royalty_address:MsgAddress royalty:Coins
  const shares = beginCell()
    .storeAddress(terms.marketplace)
    .storeCoins(terms.fee)
    .storeAddress(terms.royaltyTo)
    .storeCoins(terms.royalty);
  // is_complete:Bool created_at:uint32 marketplace:MsgAddress nft:MsgAddress nft_owner:MsgAddress
  //   full_price:Coins fees:^Cell
  return beginCell()
    .storeBit(false)
    .storeUint(terms.createdAt, 32)
    .storeAddress(terms.marketplace)
    .storeAddress(terms.item)
    .storeAddress(undefined)
    .storeCoins(terms.price)
    .storeRef(shares.endCell());
}

/** A fixed-price sale, deployed by the marketplace. It starts when the item is transferred to it. */
export class NftSale {
  readonly init: StateInit;
  readonly address: Address;

  constructor(terms: SaleTerms) {
    // ... can_deploy_by_external:Bool
    const data = beginSale(terms).storeBit(false);
    this.init = stateInitOf(contractCode("nft sale"), data.endCell());
    this.address = contractAddress(this.init);
  }
}

/** Body of a message to a sale. Attach the price plus 1 TON for fees. */
export function buyBody(queryId: number): Cell {
  return beginCell().storeUint(2, 32).storeUint(queryId, 64).endCell();
}

/** Body of a message from the seller to a sale. */
export function cancelSaleBody(queryId: number): Cell {
  return beginCell().storeUint(3, 32).storeUint(queryId, 64).endCell();
}
