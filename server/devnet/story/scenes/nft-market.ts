import { itemAt } from "../../../../shared/values/lookups.js";
import type { Payment } from "../../../contracts/wallet-order.js";
import { commentBody } from "../../wallets/compose.js";
import { cancelAuctionBody, NftAuction } from "../contracts/nft-auction.js";
import { changePriceBody, NftSaleV4 } from "../contracts/nft-sale-v4.js";
import type { Participant, Participants } from "../participants.js";
import { farFuture, type StoryBlock, ton } from "../story-block.js";
import { jettonsOf } from "./jetton-trade.js";
import { collectionOf, handOver } from "./nft-trade.js";

/** Added to a price or a bid, for fees. */
const postage = ton / 10n;

/** Number of trees in Eve's collection, including those of the market. */
export const treeCount = 13;

/** Newer sales and auctions of Ben's marketplace, each of one of Eve's trees. */
export function marketOf(participants: Participants, time: number) {
  const { ben, eve } = participants;
  const collection = collectionOf(participants);
  const common = { createdAt: time, marketplace: ben.address };
  const sale = (index: bigint, price: bigint) =>
    new NftSaleV4({
      ...common,
      item: collection.item(index),
      price,
      fee: price / 20n,
      royaltyTo: eve.address,
      royalty: price / 20n,
    });
  const auction = (version: 3 | 4, index: bigint, maxBid = 0n) =>
    new NftAuction({
      ...common,
      version,
      endTime: farFuture,
      item: collection.item(index),
      minBid: 5n * ton,
      maxBid,
      royaltyTo: eve.address,
    });
  return {
    elm: sale(7n, 30n * ton),
    ash: sale(8n, 20n * ton),
    maple: auction(3, 9n),
    willow: auction(3, 10n, 50n * ton),
    cedar: auction(4, 11n),
    rowan: auction(4, 12n),
  };
}

/** Sales of version 4, one of them also for jettons, and auctions: open, won, outbid and cancelled. */
export function tradeOnMarket(participants: Participants, time: number): StoryBlock[] {
  const { ann, ben, cleo, dan, eve, finn, gus, hana, iris } = participants;
  const collection = collectionOf(participants);
  const { acorn } = jettonsOf(participants);
  const { elm, ash, maple, willow, cedar, rowan } = marketOf(participants, time);
  let queryId = 5000;

  const sellers = [hana, gus, cleo, dan, finn, ann];
  const newTrees = sellers.map((owner, offset) => ({
    index: BigInt(7 + offset),
    owner: owner.address,
    tons: ton / 20n,
  }));
  const open = ({ address, init }: NftSaleV4 | NftAuction): Payment => ({
    to: address,
    value: ton / 10n,
    init,
  });
  const handIn = (from: Participant, index: bigint, to: NftSaleV4 | NftAuction) =>
    from.sends([handOver(collection.item(index), { from, to, queryId: queryId++ })]);
  const offer = (to: NftSaleV4 | NftAuction, amount: bigint, comment: string): Payment => ({
    to: to.address,
    value: amount + postage,
    body: commentBody(comment),
  });
  const inAcorns = {
    master: acorn.address,
    price: 2500n * 1_000_000_000n,
    saleWallet: acorn.walletOf(elm.address),
  };

  return [
    {
      title: "Eve plants six more trees",
      messages: [
        eve.sends([{ to: collection.address, value: ton, body: collection.mintBody(newTrees, queryId++) }]),
      ],
    },
    {
      title: "Ben's marketplace opens newer sales and auctions",
      messages: [
        ben.sends([elm, ash].map(open)),
        ben.sends([maple, willow].map(open)),
        ben.sends([cedar, rowan].map(open)),
      ],
    },
    {
      title: "Their owners hand the six trees in",
      messages: [elm, ash, maple, willow, cedar, rowan].map((to, offset) =>
        handIn(itemAt(sellers, offset), BigInt(7 + offset), to),
      ),
    },
    {
      title: "Hana takes acorns too, Ann cancels her auction, others bid and buy",
      messages: [
        hana.sends([
          { to: elm.address, value: ton / 10n, body: changePriceBody(30n * ton, [inAcorns], queryId++) },
        ]),
        eve.sends([offer(ash, 20n * ton, "An ash")]),
        ann.sends([{ to: rowan.address, value: ton / 5n, body: cancelAuctionBody(queryId++) }]),
        ann.sends([offer(maple, 5n * ton, "First")]),
        iris.sends([offer(willow, 50n * ton, "The willow is mine")]),
        gus.sends([offer(cedar, 12n * ton, "Cedar")]),
      ],
    },
    { title: "Finn outbids Ann", messages: [finn.sends([offer(maple, 6n * ton, "More")])] },
  ];
}
