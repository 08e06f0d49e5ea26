import type { Address } from "../../../../shared/values/address.js";
import type { Payment } from "../../../contracts/wallet-order.js";
import { buyBody, cancelSaleBody, NftCollection, NftSale, nftTransferBody } from "../contracts/nft.js";
import { treeLinks } from "../contracts/trees.js";
import type { Participant, Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** Eve's collection. */
export function collectionOf({ eve }: Participants): NftCollection {
  return new NftCollection(eve.address, {
    collection: "https://nft.example/devnet-trees/collection.json",
    ...treeLinks,
  });
}

/** Three sales of Ben's marketplace: two are completed, the third is cancelled. */
export function salesOf(
  participants: Participants,
  time: number,
): { oak: NftSale; birch: NftSale; pine: NftSale } {
  const collection = collectionOf(participants);
  const sale = (index: bigint, price: bigint) =>
    new NftSale({
      createdAt: time,
      marketplace: participants.ben.address,
      item: collection.item(index),
      price,
      fee: price / 20n,
      royaltyTo: participants.eve.address,
      royalty: price / 20n,
    });
  return { oak: sale(0n, 40n * ton), birch: sale(1n, 25n * ton), pine: sale(2n, 99n * ton) };
}

/** Mints, transfers and sales of NFTs. */
export function tradeNfts(participants: Participants, time: number): StoryBlock[] {
  const { ann, ben, cleo, dan, eve, finn, gus, hana, iris } = participants;
  const collection = collectionOf(participants);
  const { oak, birch, pine } = salesOf(participants, time);
  let queryId = 2000;

  const mint = (firstIndex: bigint, owners: readonly Participant[]): Payment => ({
    to: collection.address,
    value: ton,
    body: collection.mintBody(
      owners.map(({ address }, offset) => ({
        index: firstIndex + BigInt(offset),
        owner: address,
        tons: ton / 20n,
      })),
      queryId++,
    ),
    init: firstIndex === 0n ? collection.init : undefined,
  });
  const give = (index: bigint, from: Participant, to: Addressed) =>
    handOver(collection.item(index), { from, to, queryId: queryId++ });
  const open = (sale: NftSale): Payment => ({ to: sale.address, value: ton / 10n, init: sale.init });

  return [
    {
      title: "Eve plants a collection of trees",
      messages: [eve.sends([mint(0n, [ann, dan, gus, hana, iris])])],
    },
    { title: "Two more trees", messages: [eve.sends([mint(5n, [eve])]), eve.sends([mint(6n, [finn])])] },
    {
      title: "Trees as presents",
      messages: [hana.sends([give(3n, hana, cleo)]), finn.sends([give(6n, finn, ann)])],
    },
    { title: "Ben's marketplace opens three sales", messages: [ben.sends([oak, birch, pine].map(open))] },
    {
      title: "Ann, Dan and Gus hand in their trees",
      messages: [
        ann.sends([give(0n, ann, oak)]),
        dan.sends([give(1n, dan, birch)]),
        gus.sends([give(2n, gus, pine)]),
      ],
    },
    {
      title: "Finn buys the oak",
      messages: [finn.sends([{ to: oak.address, value: 41n * ton, body: buyBody(queryId++) }])],
    },
    {
      title: "Iris buys the birch",
      messages: [iris.sends([{ to: birch.address, value: 26n * ton, body: buyBody(queryId++) }])],
    },
    {
      title: "Gus takes the pine back",
      messages: [gus.sends([{ to: pine.address, value: ton, body: cancelSaleBody(queryId++) }])],
    },
    { title: "Cleo passes her tree on", messages: [cleo.sends([give(3n, cleo, dan)])] },
  ];
}

type Addressed = Pick<Participant, "address">;

/** Gives an item to somebody, with coins for a sale to open with. */
export function handOver(
  item: Address,
  { from, to, queryId }: { from: Addressed; to: Addressed; queryId: number },
): Payment {
  const excessesTo = from.address;
  const body = nftTransferBody({ to: to.address, excessesTo, forwardTons: ton / 5n, queryId });
  return { to: item, value: ton / 2n, body };
}
