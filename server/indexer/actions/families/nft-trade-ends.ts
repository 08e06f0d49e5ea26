import { commentOf } from "../basic-blocks.js";
import type { Block } from "../block.js";
import type { Built } from "../block-kind.js";
import type { NftAuction, NftSale } from "../contracts.js";
import { type Cancelled, cancel, type Matcher } from "../matcher.js";
import { call, either, made, type Pattern, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { nftPurchaseKind } from "./nft-purchase.js";
import { isFinishWord, type NftTransfer, nftTransferKind } from "./nfts.js";

const cancelSale = 0x3;
const cancelAuction = 0x5616c572;
const finishAuction = 0x20c9eb18;
const stopAuction = 0xb95616b6;

/** Options of all kinds of ends. */
export const endedTrade = {
  accounts: ({ nft_item }: { readonly nft_item: AddressText | undefined }) => [nft_item],
};

const nftCancelSaleKind = rowKind("nft_cancel_sale", endedTrade);
const nftCancelAuctionKind = rowKind("nft_cancel_auction", endedTrade);
const nftFinishAuctionKind = rowKind("nft_finish_auction", endedTrade);

// Only the anchors are taken: the following transfers and purchases keep rows of their own.

const returned = made(nftTransferKind).as("returned");

export const nftCancelSale: Matcher = {
  name: "nft cancellation of a sale",
  pattern: call(cancelSale).followedBy(returned),
  build: (match, contracts) => {
    const { anchor } = match;
    const item = nftTransferKind.dataOf(match.get("returned"));
    return endOf(anchor, { item, by: contracts.at(anchor.destination).nftSale, kind: nftCancelSaleKind });
  },
};

/** An auction that ended with a purchase. */
export const nftFinishAuction: Matcher = {
  name: "nft finish of an auction",
  pattern: asked([finishAuction, stopAuction], isFinishWord, made(nftPurchaseKind).as("bought")),
  build: (match, contracts) => {
    const { anchor } = match;
    const { transfer: item } = nftPurchaseKind.dataOf(match.get("bought"));
    const auction = contracts.at(anchor.destination).nftAuction;
    // The purchase has the marketplace.
    const by = auction && { ...auction, marketplace: undefined };
    return endOf(anchor, { item, by, kind: nftFinishAuctionKind });
  },
};

/** An auction that ended with a transfer but no purchase: a cancellation, or no bids. */
export const nftCancelAuction: Matcher = {
  name: "nft cancellation of an auction",
  pattern: asked([cancelAuction, finishAuction, stopAuction], isEndWord, returned),
  build: (match, contracts) => {
    const { anchor } = match;
    const item = nftTransferKind.dataOf(match.get("returned"));
    const isFinish = anchor.opcode === finishAuction || anchor.opcode === stopAuction || isFinishWord(anchor);
    const kind = isFinish ? nftFinishAuctionKind : nftCancelAuctionKind;
    return endOf(anchor, { item, by: contracts.at(anchor.destination).nftAuction, kind });
  },
};

/** A request as opcode or text. */
function asked(opcodes: readonly number[], isWord: (block: Block) => boolean, follower: Pattern): Pattern {
  return either(
    transfer().where("with a word that ends auctions", isWord).followedBy(follower),
    call(...opcodes).followedBy(follower),
  );
}

function isEndWord(block: Block): boolean {
  return isFinishWord(block) || commentOf(block.node).text === "cancel";
}

type End = {
  readonly item: NftTransfer;
  readonly by: Pick<NftSale | NftAuction, "nft" | "marketplace"> | undefined;
  readonly kind: typeof nftCancelSaleKind | typeof nftCancelAuctionKind | typeof nftFinishAuctionKind;
};

function endOf(anchor: Block, { item: { address, item, newOwner }, by, kind }: End): Built | Cancelled {
  const contract = anchor.destination;
  if (contract === undefined || !by) return cancel("the contract is no known sale or auction");
  if (by.nft !== address) return cancel("the contract sells another item");
  const ended = {
    owner: newOwner,
    nft_item: address,
    nft_collection: item.collection,
    // Each kind has one of them.
    sale_address: contract,
    auction_address: contract,
    marketplace_address: by.marketplace,
  };
  return kind.build(ended, { from: [anchor] });
}
