import { address, attributes, bigint, boolean, nullable, numeric, statedNumber } from "../declare/columns.js";
import { anyPresent, columnsOf, ifPresent, object, orNull } from "../declare/record.js";
import { type RowOf, table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** NFT collections (TEP-62). */
export const nftCollections = table("nft_collections", {
  columns: {
    ...contractColumns,
    next_item_index: numeric,
    owner_address: nullable(address),
    collection_content: attributes,
  },
  ...contractBehaviour,
});

export type NftItemRow = RowOf<typeof nftItems.columns>;

/** NFT items; those of a collection are confirmed by it. */
export const nftItems = table("nft_items", {
  columns: {
    ...contractColumns,
    init: boolean,
    index: numeric,
    collection_address: nullable(address),
    owner_address: nullable(address),
    /** The seller, if the owner is a sale or an auction of the item; else the owner. Set by `writeAndSettle`. */
    real_owner: nullable(address),
    content: attributes,
  },
  ...contractBehaviour,
  divideBy: { column: "address" },
  ownedBy: [
    { kind: "nft_items", owner: "owner_address", token: "address" },
    { kind: "nft_items", owner: "real_owner", token: "address" },
  ],
});

/** Sales at a fixed price. */
export const nftSales = table("nft_sales", {
  columns: {
    ...contractColumns,
    is_complete: boolean,
    created_at: statedNumber,
    marketplace_address: address,
    nft_address: address,
    nft_owner_address: nullable(address),
    full_price: numeric,
    marketplace_fee_address: address,
    marketplace_fee: numeric,
    royalty_address: address,
    royalty_amount: numeric,
    sold_at: nullable(bigint),
    sold_query_id: nullable(numeric),
    jetton_price_dict: nullable(attributes),
  },
  ...contractBehaviour,
  ownedBy: [{ kind: "nft_items", owner: "nft_owner_address", token: "nft_address" }],
});

export const nftAuctions = table("nft_auctions", {
  columns: {
    ...contractColumns,
    end_flag: boolean,
    end_time: statedNumber,
    mp_addr: address,
    nft_addr: address,
    nft_owner: nullable(address),
    last_bid: numeric,
    last_member: nullable(address),
    min_step: statedNumber,
    mp_fee_addr: address,
    mp_fee_factor: statedNumber,
    mp_fee_base: statedNumber,
    royalty_fee_addr: address,
    royalty_fee_factor: statedNumber,
    royalty_fee_base: statedNumber,
    max_bid: numeric,
    min_bid: numeric,
    created_at: statedNumber,
    last_bid_at: statedNumber,
    is_canceled: boolean,
    activated: nullable(boolean),
    step_time: nullable(bigint),
    last_query_id: nullable(numeric),
    jetton_wallet: nullable(address),
    jetton_master: nullable(address),
    is_broken_state: nullable(boolean),
    public_key: nullable(numeric),
  },
  ...contractBehaviour,
  ownedBy: [{ kind: "nft_items", owner: "nft_owner", token: "nft_addr" }],
});

const c = columnsOf("c", nftCollections.columns);

export const nftCollectionRecord = object({
  address: c.address,
  owner_address: orNull(c.owner_address),
  last_transaction_lt: c.last_transaction_lt,
  next_item_index: c.next_item_index,
  collection_content: c.collection_content,
  data_hash: c.data_hash,
  code_hash: c.code_hash,
});

const i = columnsOf("i", nftItems.columns);
const s = columnsOf("s", nftSales.columns);
const a = columnsOf("a", nftAuctions.columns);

type SaleRows = { s: object | undefined; a: object | undefined };

/** An item `i` with its collection `c`, and the sale `s` or the auction `a` that owns it. */
export const nftItemRecord = object(
  {
    address: i.address,
    init: i.init,
    index: i.index,
    collection_address: orNull(i.collection_address),
    owner_address: orNull(i.owner_address),
    content: i.content,
    last_transaction_lt: i.last_transaction_lt,
    code_hash: i.code_hash,
    data_hash: i.data_hash,
    collection: orNull(ifPresent(c.address, nftCollectionRecord)),
    on_sale: anyPresent<SaleRows>(s.address, a.address),
  },
  {
    sale_contract_address: s.address,
    auction_contract_address: a.address,
    real_owner: i.real_owner,
  },
);

export type NftItemRecord = ReturnType<typeof nftItemRecord.present>;
