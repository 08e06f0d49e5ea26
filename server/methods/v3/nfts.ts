import type { z } from "zod";
import type { Handlers } from "../../../shared/methods/define.js";
import type { nftMethods } from "../../../shared/methods/v3/nfts.js";
import type { nftSale } from "../../../shared/schema/v3/tokens/nft-sales.js";
import type { nftItem } from "../../../shared/schema/v3/tokens/nfts.js";
import type { Address } from "../../../shared/values/address.js";
import { addressOf } from "../../present/v3/address-book.js";
import { wantedExtras, withExtras } from "../../present/v3/answer-extras.js";
import { presentPayload } from "../../present/v3/message.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { nftTransferList } from "../../store/queries/tokens/nfts.js";
import { reads } from "../../store/reads/index-reads.js";
import { ownersOf } from "../input/owners.js";
import { foundAt, foundOf, type TokenDeps } from "./found-tokens.js";

export const nftHandlers: Handlers<typeof nftMethods, TokenDeps> = {
  nft: {
    async collections({ collection_address, owner_address, ...page }, deps, call) {
      const { index, book } = deps;
      const found = await foundAt(deps, { named: ["collection", collection_address] }, call);
      return index.read(call, async (queries) => {
        const filter = {
          addresses: collection_address?.map(addressToBytes),
          owners: owner_address?.map(addressToBytes),
        };
        const nft_collections = await reads.listNftCollections(queries, filter, page);
        const shown = nft_collections.flatMap((each) => [each.address, each.owner_address]);
        return withExtras({ nft_collections, ...found }, shown, { queries, call, book });
      });
    },

    async items(params, deps, call) {
      const { book } = deps;
      const { address, owner_address: owners, include_on_sale, collection_address, index, ...page } = params;
      const found = owners
        ? await foundOf(deps, { owners }, call)
        : await foundAt(deps, { named: ["item", address], parent: ["collection", collection_address] }, call);
      return deps.index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          owners: owners?.map(addressToBytes),
          withSales: include_on_sale,
          collections: collection_address?.map(addressToBytes),
          indexes: index,
        };
        const sort = params.sort_by_last_transaction_lt ? "desc" : params.sort;
        const extras = await wantedExtras({ queries, call });
        const nft_items = await reads.listNftItems(queries, filter, { ...page, sort }, extras);
        const shown = nft_items.flatMap(addressesOfItem);
        return withExtras({ nft_items, ...found }, shown, { queries, call, book, extras });
      });
    },

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
        const found = await reads.listTokenEvents(queries, nftTransferList, filter, params);
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

type Sale = z.output<typeof nftSale>;

/** The sales at these addresses, in the order of first mention, with their items. */
async function readSales(queries: Queries, addresses: readonly Address[]): Promise<Sale[]> {
  const wanted = new Map(addresses.map((address) => [address.toRaw(), addressToBytes(address)]));
  const sales = await reads.readNftSales(queries, [...wanted.values()]);
  const sold = new Set(sales.map(({ nft_address }) => nft_address));
  const items = await reads.readNftItems(
    queries,
    [...sold].map((address) => addressToBytes(addressOf(address))),
  );
  const byAddress = new Map(items.map((item) => [item.address, item]));
  return sales.map((sale) => {
    const nft_item = byAddress.get(sale.nft_address) ?? itemOfTelegram(sale);
    return nft_item ? { ...sale, nft_item } : sale;
  });
}

/** Data of a Telegram item that is not recognised as an item, from its sale. */
function itemOfTelegram(sale: Sale): Sale["nft_item"] {
  if (sale.type !== "telemint") return undefined;
  return { address: sale.address, init: true, index: sale.details.token_name! };
}

/** All addresses that the answer contains for a sale. */
function addressesOfSale(sale: Sale): (string | null | undefined)[] {
  const { address, nft_address, nft_owner_address, marketplace_address, nft_item } = sale;
  const shown = [address, nft_address, nft_owner_address, marketplace_address, ...addressesOfDetails(sale)];
  if (!nft_item || !("owner_address" in nft_item)) return shown;
  return [...shown, ...addressesOfItem(nft_item)];
}

function addressesOfDetails({ type, details }: Sale): (string | undefined)[] {
  switch (type) {
    case "getgems_sale":
      return [details.marketplace_fee_address, details.royalty_address];
    case "getgems_auction":
      return [details.last_member, details.mp_fee_address, details.royalty_fee_address];
    case "telemint":
      return [details.bidder_address, details.beneficiary_address, details.royalty_destination];
  }
}

/** All addresses in an item's record. */
function addressesOfItem(item: z.output<typeof nftItem>): (string | null | undefined)[] {
  return [
    item.address,
    item.collection_address,
    item.owner_address,
    item.real_owner,
    item.sale_contract_address,
    item.auction_contract_address,
  ];
}
