import type { Handlers } from "../../../shared/methods/define.js";
import type { nftMethods } from "../../../shared/methods/v3/nfts.js";
import { wantedExtras, withExtras } from "../../present/v3/answer-extras.js";
import type { IndexDeps } from "../../present/v3/index-deps.js";
import { presentPayload } from "../../present/v3/message.js";
import { addressesOfItem } from "../../present/v3/nft-item.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { listNftCollections, listNftItems, listTokenEvents } from "../../store/index-reads.js";
import { nftTransferList } from "../../store/queries/tokens/nfts.js";
import { addressesOfSale, readSales } from "./nft-sales.js";
import { ownersOf } from "./owners.js";

export const nftHandlers: Handlers<typeof nftMethods, IndexDeps> = {
  nft: {
    collections: ({ collection_address, owner_address, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = {
          addresses: collection_address?.map(addressToBytes),
          owners: owner_address?.map(addressToBytes),
        };
        const nft_collections = await listNftCollections(queries, filter, page);
        const shown = nft_collections.flatMap((each) => [each.address, each.owner_address]);
        return withExtras({ nft_collections }, shown, { queries, call, book });
      }),

    items: (params, { index: reader, book }, call) =>
      reader.read(call, async (queries) => {
        const { address, owner_address, include_on_sale, collection_address, index, ...page } = params;
        const filter = {
          addresses: address?.map(addressToBytes),
          owners: owner_address?.map(addressToBytes),
          withSales: include_on_sale,
          collections: collection_address?.map(addressToBytes),
          indexes: index,
        };
        const sort = params.sort_by_last_transaction_lt ? "desc" : params.sort;
        const extras = wantedExtras(call);
        const nft_items = await listNftItems(queries, filter, { ...page, sort }, extras);
        const shown = nft_items.flatMap(addressesOfItem);
        return withExtras({ nft_items }, shown, { queries, call, book, extras });
      }),

    sales: ({ address }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const nft_sales = await readSales(queries, address);
        return withExtras({ nft_sales }, nft_sales.flatMap(addressesOfSale), {
          queries,
          call,
          book,
        });
      }),

    transfers: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = {
          ...params,
          owners: ownersOf(params),
          accounts: {
            nft_item_address: params.item_address?.map(addressToBytes),
            nft_collection_address: params.collection_address && [addressToBytes(params.collection_address)],
          },
        };
        const found = await listTokenEvents(queries, nftTransferList, filter, params);
        const nft_transfers = found.map((transfer) => ({
          ...transfer,
          decoded_custom_payload: presentPayload(transfer.custom_payload),
          decoded_forward_payload: presentPayload(transfer.forward_payload),
        }));
        const shown = found.flatMap((each) => [
          each.nft_address,
          each.nft_collection,
          each.old_owner,
          each.new_owner,
          each.response_destination,
        ]);
        return withExtras({ nft_transfers }, shown, { queries, call, book });
      }),
  },
};
