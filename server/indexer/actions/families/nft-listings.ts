import { readAuctionTerms, readDeployedState, readSaleTerms } from "../../../contracts/sale-init.js";
import { callContract, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import type { Built } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { ContractLookups, NftAuction, NftSale } from "../contracts.js";
import { type Cancelled, cancel, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { type NftTransfer, nftTransferKind } from "./nfts.js";

const nftPutOnSaleKind = rowKind("nft_put_on_sale");
const nftPutOnAuctionKind = rowKind("nft_put_on_auction");

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
  const { address, item, previousOwner: owner, newOwner: listing_address } = given;
  const listing = {
    nft_item: address,
    nft_collection: item.collection,
    nft_item_index: item.index,
    owner,
    listing_address,
    marketplace: "getgems",
  };
  if (!nftSale) {
    const { fee, royalty, maxBid, minBid } = readAuctionTerms(state);
    return nftPutOnAuctionKind.build({
      ...listing,
      auction_address: contract,
      marketplace_address: seller.marketplace,
      marketplace_fee_factor: fee.factor,
      marketplace_fee_base: fee.base,
      royalty_fee_base: royalty.base,
      max_bid: maxBid,
      min_bid: minBid,
      marketplace_fee_address: addressText(fee.address),
      royalty_address: addressText(royalty.address),
    });
  }
  const { marketplace, fullPrice, fee, royalty } = readSaleTerms(state);
  return nftPutOnSaleKind.build({
    ...listing,
    sale_address: contract,
    marketplace_address: addressText(marketplace),
    full_price: fullPrice,
    marketplace_fee: fee.amount,
    royalty_amount: royalty.amount,
    marketplace_fee_address: addressText(fee.address),
    royalty_address: addressText(royalty.address),
  });
}

function isSellerOf(
  { nft, nftOwner }: NftSale | NftAuction,
  { address, previousOwner }: NftTransfer,
): boolean {
  return nft === address && nftOwner === previousOwner;
}

const nftUpdateSaleKind = rowKind("nft_update_sale", { accounts: ({ nft_address }) => [nft_address] });

/** The price of a sale was changed. */
export const nftUpdateSale: Matcher = {
  name: "nft update of a sale",
  pattern: call(0x6c6c2080),
  build: ({ anchor }, contracts) => {
    const { source, destination: contract } = anchor;
    const sale = contracts.at(contract).nftSale;
    if (contract === undefined || !sale) return cancel("the sale is unknown");
    const { new_full_price, new_mp_fee, new_royalty_amount } = fieldsOf("sale_update_message", anchor);
    const update = {
      source,
      sale_contract: contract,
      nft_address: sale.nft,
      marketplace_address: sale.marketplace,
      full_price: new_full_price,
      marketplace_fee: new_mp_fee,
      royalty_amount: new_royalty_amount,
    };
    return nftUpdateSaleKind.build(update, { isFailed: anchor.node.isAborted });
  },
};
