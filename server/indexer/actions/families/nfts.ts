import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { callContract, commentOf, tickTock, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { bocText } from "../boc-text.js";
import { addressText, anyPayloadIn, fieldsIn, fieldsOf, opcodeOf } from "../body.js";
import type { ContractLookups, NftItem } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";

const transferRequest = 0x5fcc3d14;
const ownershipAssigned = 0x05138d91;
const excess = 0xd53276db;
const bidInfo = 0x38127de1;
const telegramDeploy = 0x299a3e15;
const fillUp = 0x370fec51;

export const nftMintKind = rowKind("nft_mint", { isLeaf: true });

/** Any message that deployed an item. */
export const nftMint: Matcher = {
  name: "nft mint",
  pattern: made(callContract, tonTransfer, tickTock).where("that deploys", ({ node }) => node.isDeployed),
  build: ({ anchor }, contracts) => {
    const { account, source, opcode, isFailed } = anchor;
    const item = contracts.nftItem(account);
    if (!item) return cancel("the deployed contract is no known item");
    const members = {
      owner: source,
      nft_item: account,
      nft_collection: item.collection,
      nft_item_index: item.index,
    };
    return nftMintKind.build({ ...members, opcode }, { isFailed });
  },
};

export type NftTransfer = {
  readonly address: AddressText;
  readonly item: NftItem;
  readonly queryId: bigint;
  readonly previousOwner: AddressText | undefined;
  readonly newOwner: AddressText | undefined;
  readonly responseDestination?: AddressText | undefined;
  readonly forwardAmount?: bigint;
  readonly customPayload?: Cell | undefined;
  readonly payload: Cell | undefined;
  readonly purchase?: NftPurchase | undefined;
};

/** The sale behind a transfer. */
type NftPurchase = {
  /** False if Telegram moves an item because of a bid that deploys it. */
  readonly isPurchase: boolean;
  readonly marketplace: "getgems" | "fragment";
  readonly marketplaceAddress?: AddressText | undefined;
  readonly price: bigint | undefined;
  readonly realPreviousOwner?: AddressText | undefined;
  readonly royalty?: Payout | undefined;
  readonly payout?: Payout | undefined;
};

type Payout = { readonly to: AddressText | undefined; readonly amount: bigint | undefined };

export const nftTransferKind = new BlockKind("nft_transfer", {
  type: "nft_transfer",
  isLeaf: true,
  row: (transfer: NftTransfer) => ({
    ...transferMembers(transfer),
    payout_amount: transfer.purchase?.payout?.amount,
    payout_address: transfer.purchase?.payout?.to,
    royalty_amount: transfer.purchase?.royalty?.amount,
    royalty_address: transfer.purchase?.royalty?.to,
  }),
});

/** The members of a transfer, without those of payments behind it. */
export function transferMembers({ address, item, purchase, ...transfer }: NftTransfer) {
  return {
    nft_item: address,
    nft_collection: item.collection,
    nft_item_index: item.index,
    old_owner: transfer.previousOwner,
    new_owner: transfer.newOwner,
    is_purchase: purchase?.isPurchase ?? false,
    price: purchase?.isPurchase ? purchase.price : undefined,
    query_id: transfer.queryId,
    response_destination: transfer.responseDestination,
    custom_payload: transfer.customPayload && bocText(transfer.customPayload),
    forward_payload: transfer.payload && bocText(transfer.payload),
    forward_amount: transfer.forwardAmount,
    marketplace: purchase?.marketplace,
    marketplace_address: purchase?.marketplaceAddress,
    real_old_owner: purchase?.realPreviousOwner,
  };
}

export const nftTransfer: Matcher = {
  name: "nft transfer",
  pattern: call(transferRequest).followedBy(
    either(call(ownershipAssigned).as("assigned").optional(), call(excess).optional()).optional(),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const item = contracts.nftItem(anchor.account);
    if (!item) return cancel("the item is unknown");
    const request = fieldsOf("nft_transfer_start", anchor);
    const assigned = match.find("assigned");
    const newOwner = addressText(request.new_owner);
    const purchase = purchaseAt(anchor, newOwner, contracts);
    const transfer: NftTransfer = {
      address: anchor.account,
      item,
      queryId: request.query_id,
      previousOwner: assigned
        ? addressText(fieldsOf("nft_ownership_assigned_start", assigned).prev_owner)
        : anchor.source,
      newOwner,
      responseDestination: addressText(request.response_destination),
      forwardAmount: request.forward_amount,
      customPayload: request.custom_payload,
      payload: anyPayloadIn(request.rest),
      purchase,
    };
    const before = purchase && isPartOfPurchase(anchor.previous!) ? [anchor.previous!] : [];
    return nftTransferKind.build(transfer, { isFailed: anchor.isFailed, from: [...match.taken, ...before] });
  },
};

/** The sale or auction called by the previous block, if it sold the item to its new owner. */
function purchaseAt(
  { previous, account }: Block,
  newOwner: AddressText | undefined,
  contracts: ContractLookups,
): NftPurchase | undefined {
  if (previous?.previous === undefined) return undefined;
  const { nftSale, nftAuction } = contracts.at(previous.account);
  const isSentByBuyer = previous.kind === tonTransfer && previous.source === newOwner;
  const contract =
    nftSale && isSentByBuyer
      ? { ...nftSale, price: nftSale.fullPrice }
      : nftAuction && { ...nftAuction, price: nftAuction.lastBid };
  if (contract?.nft !== account || contract.nftOwner === newOwner) return undefined;
  return {
    isPurchase: true,
    marketplace: "getgems",
    marketplaceAddress: contract.marketplace,
    price: contract.price,
    realPreviousOwner: contract.nftOwner,
  };
}

/** Payments end a sale; an auction can also be ended by a text, which is an event of its own. */
function isPartOfPurchase(before: Block): boolean {
  if (before.kind === tonTransfer) return !isFinishWord(before);
  return isInboundExternal(before);
}

/** Whether a block is a transfer whose text ends an auction. */
export function isFinishWord(block: Block): boolean {
  if (block.kind !== tonTransfer) return false;
  const { text } = commentOf(block.node);
  return text === "finish" || text === "stop";
}

function isInboundExternal({ kind, node }: Block): boolean {
  return kind === callContract && node.message?.source === undefined;
}

/** Telegram's items assign owners without a transfer request. */
export const telegramTransfer: Matcher = {
  name: "telegram transfer",
  pattern: call(ownershipAssigned),
  build: ({ anchor, taken }, contracts) => {
    const address = anchor.source;
    const item = contracts.nftItem(address);
    if (address === undefined || !item) return cancel("the item is unknown");
    const assigned = fieldsOf("nft_ownership_assigned_start", anchor);
    const payload = anyPayloadIn(assigned.rest);
    const transfer: NftTransfer = {
      address,
      item,
      queryId: assigned.query_id,
      previousOwner: addressText(assigned.prev_owner),
      newOwner: anchor.destination,
      payload,
    };
    const isFailed = anchor.isFailed;
    if (opcodeOf(payload) !== bidInfo) return nftTransferKind.build(transfer, { isFailed });
    const before = anchor.previous!;
    const paid = isPayment(before) ? before.followers.filter(isFillUp) : [];
    const payouts = paid.map(({ destination, value }) => ({ to: destination, amount: value }));
    const purchase: NftPurchase = {
      isPurchase: before.opcode !== telegramDeploy && before.kind !== nftMintKind,
      marketplace: "fragment",
      price: fieldsIn("teleitem_bid_info", payload).bid,
      royalty: payouts.length > 1 ? payouts[0] : undefined,
      payout: payouts.length > 1 ? payouts[1] : payouts[0],
    };
    const from = isPayment(before) ? [...taken, before, ...paid] : taken;
    return nftTransferKind.build({ ...transfer, purchase }, { isFailed, from });
  },
};

function isPayment(block: Block): boolean {
  return block.previous !== undefined && (block.kind === tonTransfer || isInboundExternal(block));
}

function isFillUp(block: Block): boolean {
  return block.kind === callContract && block.opcode === fillUp;
}

const nftDiscoveryKind = rowKind("nft_discovery");

/** A request to an item for its data. */
export const nftDiscovery: Matcher = {
  name: "nft discovery",
  pattern: call(0x2fcb26a2).followedBy(call(0x8b771735).as("report")),
  build: (match) => {
    const { anchor } = match;
    const report = match.get("report");
    const { index, collection } = fieldsOf("report_static_data", report);
    const members = {
      source: anchor.source,
      nft_item: anchor.account,
      nft_collection: addressText(collection),
      nft_item_index: index,
    };
    return nftDiscoveryKind.build(members, { from: [anchor, report] });
  },
};
