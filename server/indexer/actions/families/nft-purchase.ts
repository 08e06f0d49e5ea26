import type { Text } from "../../../contracts/message-text.js";
import { commentOf, tonTransfer } from "../basic-blocks.js";
import { BlockKind } from "../block-kind.js";
import { cancel, type Matcher } from "../matcher.js";
import { made } from "../pattern.js";
import { isFinishWord, type NftTransfer, nftTransferKind, transferMembers } from "./nfts.js";

type PaidPurchase = {
  readonly transfer: NftTransfer;
  readonly payout: { readonly amount: bigint | undefined; readonly comment: Text };
};

export const nftPurchaseKind = new BlockKind("nft_purchase", {
  type: "nft_purchase",
  row: ({ transfer, payout }: PaidPurchase) => ({
    ...transferMembers(transfer),
    payout_amount: payout.amount,
    payout_comment: payout.comment.text,
    payout_comment_encrypted: payout.comment.isEncrypted,
    payout_comment_encoded: payout.comment.isEncrypted && payout.comment.text !== undefined,
  }),
});

/** The transfer of a bought item, with the payment to the seller. */
export const nftPurchase: Matcher = {
  name: "nft purchase",
  pattern: made(nftTransferKind).where("bought at getgems", (block) => {
    const { purchase } = nftTransferKind.dataOf(block);
    return purchase?.isPurchase === true && purchase.marketplace === "getgems";
  }),
  build: ({ anchor }, _contracts, tree) => {
    const transfer = nftTransferKind.dataOf(anchor);
    const before = anchor.previous!;
    const isFinished = before.previous !== undefined && isFinishWord(before);
    const seller = transfer.purchase!.realPreviousOwner;
    const payout = (isFinished ? before : anchor).followers.find(
      (block) => block.kind === tonTransfer && block.destination === seller,
    );
    if (!payout) return cancel("the seller was paid nothing");
    const paid = { amount: payout.value, comment: commentOf(payout.node) };
    // The auction sent both, so they need a common block to follow.
    const joint = isFinished ? [tree.insertHelper(before, [anchor, payout])] : [];
    return nftPurchaseKind.build({ transfer, payout: paid }, { from: [...joint, anchor, payout] });
  },
};
