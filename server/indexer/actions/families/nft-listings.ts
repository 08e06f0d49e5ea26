import {
  type AuctionTerms,
  readAuctionTerms,
  readDeployedState,
  readSaleTerms,
  type SaleTerms,
} from "../../../contracts/sale-init.js";
import { callContract, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import { BlockKind, type Built } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups, NftAuction, NftItem, NftSale } from "../contracts.js";
import { type Cancelled, cancel, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type NftTransfer, nftTransferKind } from "./nfts.js";

/** An item put up for sale. */
export type Listing = {
  readonly address: AddressText;
  readonly item: NftItem;
  readonly owner: AddressText | undefined;
  /** The account that received the item first and deployed the selling contract; undefined if the item sells itself. */
  readonly listedBy: AddressText | undefined;
  /** The selling contract. */
  readonly contract: AddressText;
  readonly marketplace: AddressText | undefined;
};

export function listingColumns({ address, item, owner, listedBy, contract, marketplace }: Listing) {
  return {
    source: owner,
    source_secondary: listedBy,
    destination: contract,
    asset: item.collection,
    asset_secondary: address,
    nft_transfer_data: { marketplace_address: marketplace },
  };
}

const nftPutOnSaleKind = new BlockKind("nft_put_on_sale", {
  type: "nft_put_on_sale",
  row: ({ terms, ...listing }: Listing & { terms: SaleTerms }) => ({
    ...listingColumns(listing),
    nft_listing_data: {
      nft_item_index: listing.item.index,
      full_price: terms.fullPrice,
      marketplace_fee: terms.fee.amount,
      marketplace_fee_address: addressText(terms.fee.address),
      royalty_amount: terms.royalty.amount,
      royalty_address: addressText(terms.royalty.address),
      marketplace: "getgems",
    },
  }),
});

const nftPutOnAuctionKind = new BlockKind("nft_put_on_auction", {
  type: "nft_put_on_auction",
  row: ({ terms, ...listing }: Listing & { terms: AuctionTerms }) => ({
    ...listingColumns(listing),
    nft_listing_data: {
      nft_item_index: listing.item.index,
      mp_fee_factor: terms.fee.factor,
      mp_fee_base: terms.fee.base,
      royalty_fee_base: terms.royalty.base,
      max_bid: terms.maxBid,
      min_bid: terms.minBid,
      marketplace_fee_address: addressText(terms.fee.address),
      royalty_address: addressText(terms.royalty.address),
      marketplace: "getgems",
    },
  }),
});

/** The owner gave an item to an account that deployed a sale or an auction and transferred the item to it. */
export const nftListing: Matcher = {
  name: "nft put on sale or auction",
  pattern: made(nftTransferKind).followedBy([
    made(tonTransfer, callContract)
      .where("that deploys", ({ node }) => node.isDeployed)
      .withoutExcess()
      .as("deployment"),
    made(nftTransferKind).as("passed on"),
  ]),
  build: (match, contracts) => {
    const given = nftTransferKind.dataOf(match.anchor);
    const passedOn = nftTransferKind.dataOf(match.get("passed on"));
    const deployment = match.get("deployment");
    if (passedOn.address !== given.address) return cancel("two items were transferred");
    if (passedOn.newOwner === undefined || passedOn.newOwner !== deployment.destination)
      return cancel("the item did not go to the deployed contract");
    return listingAt(passedOn.newOwner, { given, deployment, contracts });
  },
};

type Offer = { readonly given: NftTransfer; readonly deployment: Block; readonly contracts: ContractLookups };

function listingAt(contract: AddressText, { given, deployment, contracts }: Offer): Built | Cancelled {
  const { nftSale, nftAuction } = contracts.at(contract);
  const seller = nftSale ?? nftAuction;
  if (!seller) return cancel("the deployed contract is no known sale or auction");
  if (!isSellerOf(seller, given)) return cancel("the contract sells another item, or for another seller");
  const init = deployment.node.message?.initState;
  if (init === undefined) return cancel("the contract was deployed without its state");
  const state = readDeployedState(init);
  const { address, item, previousOwner: owner, newOwner: listedBy } = given;
  const listing = { address, item, owner, listedBy, contract };
  if (!nftSale) {
    const terms = readAuctionTerms(state);
    return nftPutOnAuctionKind.build({ ...listing, marketplace: seller.marketplace, terms });
  }
  const terms = readSaleTerms(state);
  return nftPutOnSaleKind.build({ ...listing, marketplace: addressText(terms.marketplace), terms });
}

function isSellerOf(
  { nft, nftOwner }: NftSale | NftAuction,
  { address, previousOwner }: NftTransfer,
): boolean {
  return nft === address && nftOwner === previousOwner;
}

type SaleUpdate = {
  readonly source: AddressText | undefined;
  readonly contract: AddressText;
  readonly sale: NftSale;
  readonly fullPrice: bigint;
  readonly fee: bigint;
  readonly royalty: bigint;
};

const nftUpdateSaleKind = new BlockKind("nft_update_sale", {
  type: "nft_update_sale",
  row: ({ source, contract, sale, fullPrice, fee, royalty }: SaleUpdate) => ({
    source,
    destination: contract,
    asset_secondary: sale.nft,
    nft_transfer_data: { marketplace_address: sale.marketplace },
    nft_listing_data: { full_price: fullPrice, marketplace_fee: fee, royalty_amount: royalty },
  }),
  accounts: ({ sale }) => [sale.nft],
});

/** The price of a sale was changed. */
export const nftUpdateSale: Matcher = {
  name: "nft update of a sale",
  pattern: call(0x6c6c2080),
  build: ({ anchor }, contracts) => {
    const { source, destination: contract } = anchor;
    const sale = contracts.at(contract).nftSale;
    if (contract === undefined || !sale) return cancel("the sale is unknown");
    const { new_full_price, new_mp_fee, new_royalty_amount } = fieldsOf("sale_update_message", anchor);
    const amounts = { fullPrice: new_full_price, fee: new_mp_fee, royalty: new_royalty_amount };
    const update = { source, contract, sale, ...amounts };
    return nftUpdateSaleKind.build(update, { isFailed: anchor.node.isAborted });
  },
};
