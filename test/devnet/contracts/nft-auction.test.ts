import { describe, expect, it } from "vitest";
import { readNftAuction, readNftAuctionV4 } from "../../../server/contracts/nft-sale.js";
import { cancelSaleBody } from "../../../server/devnet/story/contracts/nft.js";
import { cancelAuctionBody, NftAuction } from "../../../server/devnet/story/contracts/nft-auction.js";
import { commentBody } from "../../../server/devnet/wallets/compose.js";
import { readNftItem } from "../../../shared/ton/contracts/nft.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";
import { ItemSeller } from "../../helpers/contracts/item-seller.js";
import { queryBody } from "../../helpers/contracts/query-body.js";
import { variants } from "../../helpers/effort.js";

const chain = new ContractChain();
const items = new ItemSeller(chain);
const { creator, seller } = items;
const [market, ann, ben, stranger] = [1, 2, 3, 4].map(testAccount) as [Address, Address, Address, Address];
const cost = ton / 10n;
const finishAuction = queryBody(0x20c9eb18);

const ownerOf = async (item: Address) => (await readNftItem(chain, item)).owner;

describe.each(variants<3 | 4>([4], [3]))("an auction of version %i", (version) => {
  const read = version === 3 ? readNftAuction : readNftAuctionV4;

  async function deploy(item: Address) {
    const terms = { createdAt: 5, endTime: chain.now + 1000, minBid: 2n * ton, maxBid: 50n * ton };
    const auction = new NftAuction({ version, ...terms, marketplace: market, item, royaltyTo: creator });
    await chain.send({ from: market, to: auction.address, init: auction.init });
    return { auction: auction.address, endTime: terms.endTime };
  }

  /** An auction opened with the seller's item: bids from 2 TON, and 50 TON win immediately. */
  async function open() {
    const item = await items.mint();
    const { auction, endTime } = await deploy(item);
    await items.give(item, auction);
    return { item, auction, endTime };
  }

  const bid = (from: Address, auction: Address, amount: bigint, at?: number) =>
    chain.send({ from, to: auction, value: amount + cost, ...(at !== undefined && { at }) });
  const exitOfBid = async (...args: Parameters<typeof bid>) => (await bid(...args))[0]!.exitCode;

  it("is described by its get-method", async () => {
    const { item, auction, endTime } = await open();
    await bid(ann, auction, 3n * ton);
    const state = await read(chain, auction);
    expect(state).toEqual({
      isEnded: false,
      endTime: BigInt(endTime),
      marketplace: market,
      item,
      owner: seller,
      lastBid: 3n * ton,
      lastMember: ann,
      minStep: 5n,
      fee: { address: market, factor: 5n, base: 100n },
      royalty: { address: creator, factor: 5n, base: 100n },
      maxBid: 50n * ton,
      minBid: 2n * ton,
      createdAt: 5n,
      lastBidAt: BigInt(chain.now),
      isCanceled: false,
      more:
        version === 3
          ? undefined
          : {
              isActivated: true,
              stepTime: 300n,
              lastQueryId: expect.any(BigInt),
              jettonWallet: undefined,
              jettonMaster: undefined,
              isBroken: false,
              publicKey: 0n,
            },
    });
  });

  it("opens with its own item only", async () => {
    const { auction } = await deploy(await items.mint());
    await items.give(await items.mint(), auction);
    expect(await read(chain, auction)).toMatchObject({ owner: undefined });
    expect(await exitOfBid(ann, auction, 5n * ton)).toBe(402);
  });

  it("takes bids that rise by its step, and pays the bidder before back", async () => {
    const { auction } = await open();
    expect(await exitOfBid(ann, auction, 2n * ton - 1n)).toBe(403);
    expect(await exitOfBid(ann, auction, 10n * ton)).toBe(0);
    expect(await exitOfBid(ben, auction, (105n * ton) / 10n - 1n)).toBe(403);
    const sent = await bid(ben, auction, (105n * ton) / 10n);
    expect(paidTo(ann, sent)).toBe(10n * ton);
    expect(await read(chain, auction)).toMatchObject({ lastBid: (105n * ton) / 10n, lastMember: ben });
  });

  it("leaves time for another bid", async () => {
    const { auction, endTime } = await open();
    await bid(ann, auction, 10n * ton, endTime - 10);
    expect(await read(chain, auction)).toMatchObject({ endTime: BigInt(endTime + 290) });
    expect(await exitOfBid(ben, auction, 20n * ton, endTime + 290)).toBe(406);
  });

  it("transfers the item to the highest bidder after its end, and pays all parties", async () => {
    for (const body of [commentBody("finish"), finishAuction]) {
      const { item, auction, endTime } = await open();
      await bid(ann, auction, 20n * ton);
      expect(await chain.exitCode({ from: stranger, to: auction, body, at: endTime - 1 })).toBe(405);
      const sent = await chain.send({ from: stranger, to: auction, body, at: endTime });
      expect([market, creator, seller].map((to) => paidTo(to, sent))).toEqual([ton, ton, 18n * ton]);
      expect(await ownerOf(item)).toEqual(ann);
      expect(await read(chain, auction)).toMatchObject({ isEnded: true, isCanceled: false });
      expect(await chain.exitCode({ from: stranger, to: auction, body })).toBe(402);
    }
  });

  it("ends at once with its highest price", async () => {
    const { item, auction } = await open();
    await bid(ben, auction, 50n * ton);
    expect(await ownerOf(item)).toEqual(ben);
    expect(await read(chain, auction)).toMatchObject({ isEnded: true, lastMember: ben });
    expect(await exitOfBid(ann, auction, 60n * ton)).toBe(402);
  });

  it("is cancelled by the seller or the marketplace while it has no bid", async () => {
    for (const [from, body] of [
      [seller, commentBody("cancel")],
      [market, cancelAuctionBody(9)],
    ] as const) {
      const { item, auction } = await open();
      expect(await chain.exitCode({ from: stranger, to: auction, body })).toBe(401);
      expect(await chain.exitCode({ from, to: auction, body })).toBe(0);
      expect(await ownerOf(item)).toEqual(seller);
      expect(await read(chain, auction)).toMatchObject({ isEnded: true, isCanceled: true });
    }
    const { auction } = await open();
    await bid(ann, auction, 10n * ton);
    expect(await chain.exitCode({ from: seller, to: auction, body: cancelAuctionBody(9) })).toBe(407);
  });

  it("returns the item if there was no bid, and refuses other requests", async () => {
    const { item, auction, endTime } = await open();
    expect(await chain.exitCode({ from: ann, to: auction, body: cancelSaleBody(1) })).toBe(0xffff);
    await chain.send({ from: stranger, to: auction, body: finishAuction, at: endTime });
    expect(await ownerOf(item)).toEqual(seller);
  });
});
