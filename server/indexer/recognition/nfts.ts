import { confirmItem, readClaimedItem, readNftCollection } from "../../../shared/ton/contracts/nft.js";
import { readDomainName } from "../../../shared/ton/contracts/nft-domain.js";
import { flatContent } from "../../../shared/ton/contracts/token-content.js";
import type { Address } from "../../../shared/values/address.js";
import { ifOfKind } from "../../contracts/if-of-kind.js";
import type { ContractAccounts } from "../../contracts/methods-at.js";
import {
  hasFormOfAuctionV4,
  type NftAuction,
  type NftSale,
  readNftAuction,
  readNftAuctionV4,
  readNftSale,
  readNftSaleV4,
} from "../../contracts/nft-sale.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { detector } from "./detector.js";
import { dnsEntry } from "./dns.js";

export const nftCollection = detector({
  table: tables.nftCollections,
  versions: [
    {
      needs: ["get_collection_data"],
      async read(methods, address) {
        const { nextItemIndex, owner, content } = await readNftCollection(methods, address);
        return {
          next_item_index: nextItemIndex,
          owner_address: bytesOf(owner),
          collection_content: flatContent(content),
        };
      },
    },
  ],
});

export const nftItem = detector({
  table: tables.nftItems,
  versions: [
    {
      needs: ["get_nft_data"],
      async read(contracts, address) {
        const { initialized, index, collection, owner, content } = await readClaimedItem(contracts, address);
        const domain = collection && (await ifOfKind(domainOf(contracts, address, collection)));
        return {
          init: initialized,
          index,
          collection_address: bytesOf(collection),
          owner_address: bytesOf(owner),
          real_owner: undefined,
          content: { ...flatContent(content), ...(domain !== undefined && { domain }) },
        };
      },
    },
  ],
  companion: dnsEntry,
  ownerLink: {
    owner: "collection_address",
    by: ["index"],
    confirm: (methods, address, { collection_address, index }) =>
      confirmItem(methods, address, { collection: addressFromBytes(collection_address!), index }),
  },
});

/** The name of an item that is a domain. */
async function domainOf(
  contracts: ContractAccounts,
  item: Address,
  collection: Address,
): Promise<string | undefined> {
  const zone = await contracts.zoneOf(collection);
  return zone && readDomainName(contracts, item, zone);
}

export const nftSale = detector({
  table: tables.nftSales,
  versions: [
    { needs: ["get_fix_price_data_v4"], read: async (...at) => saleColumns(await readNftSaleV4(...at)) },
    { needs: ["get_sale_data"], read: async (...at) => saleColumns(await readNftSale(...at)) },
  ],
});

function saleColumns(sale: NftSale) {
  return {
    is_complete: sale.isComplete,
    created_at: sale.createdAt,
    marketplace_address: addressToBytes(sale.marketplace),
    nft_address: addressToBytes(sale.item),
    nft_owner_address: bytesOf(sale.owner),
    full_price: sale.price,
    marketplace_fee_address: addressToBytes(sale.feeAddress),
    marketplace_fee: sale.fee,
    royalty_address: addressToBytes(sale.royaltyAddress),
    royalty_amount: sale.royalty,
    sold_at: sale.sold?.at,
    sold_query_id: sale.sold?.queryId,
    jetton_price_dict: sale.sold?.jettonPrices,
  };
}

export const nftAuction = detector({
  table: tables.nftAuctions,
  versions: [
    {
      needs: ["get_auction_data_v4"],
      read: async (...at) => auctionColumns(await readNftAuctionV4(...at)),
      excludesOthers: hasFormOfAuctionV4,
    },
    { needs: ["get_sale_data"], read: async (...at) => auctionColumns(await readNftAuction(...at)) },
  ],
});

function auctionColumns(auction: NftAuction) {
  const { fee, royalty, more } = auction;
  return {
    end_flag: auction.isEnded,
    end_time: auction.endTime,
    mp_addr: addressToBytes(auction.marketplace),
    nft_addr: addressToBytes(auction.item),
    nft_owner: bytesOf(auction.owner),
    last_bid: auction.lastBid,
    last_member: bytesOf(auction.lastMember),
    min_step: auction.minStep,
    mp_fee_addr: addressToBytes(fee.address),
    mp_fee_factor: fee.factor,
    mp_fee_base: fee.base,
    royalty_fee_addr: addressToBytes(royalty.address),
    royalty_fee_factor: royalty.factor,
    royalty_fee_base: royalty.base,
    max_bid: auction.maxBid,
    min_bid: auction.minBid,
    created_at: auction.createdAt,
    last_bid_at: auction.lastBidAt,
    is_canceled: auction.isCanceled,
    activated: more?.isActivated,
    step_time: more?.stepTime,
    last_query_id: more?.lastQueryId,
    jetton_wallet: bytesOf(more?.jettonWallet),
    jetton_master: bytesOf(more?.jettonMaster),
    is_broken_state: more?.isBroken,
    public_key: more?.publicKey,
  };
}

function bytesOf(address: Address | undefined): Uint8Array | undefined {
  return address && addressToBytes(address);
}
