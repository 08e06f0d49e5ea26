import { address, attributes, nullable, numeric } from "../declare/columns.js";
import { columnsOf, object, orNull } from "../declare/record.js";
import { table } from "../declare/table.js";
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
