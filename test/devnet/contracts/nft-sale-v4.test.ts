import { describe, expect, it } from "vitest";
import { readNftSaleV4 } from "../../../server/contracts/nft-sale.js";
import { Jetton, jettonTransferBody } from "../../../server/devnet/story/contracts/jetton.js";
import { cancelSaleBody } from "../../../server/devnet/story/contracts/nft.js";
import { changePriceBody, NftSaleV4 } from "../../../server/devnet/story/contracts/nft-sale-v4.js";
import { offchainContent } from "../../../server/devnet/story/contracts/token-content.js";
import { commentBody } from "../../../server/devnet/wallets/compose.js";
import { readJettonWallet } from "../../../shared/ton/contracts/jetton.js";
import { readNftItem } from "../../../shared/ton/contracts/nft.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";
import { ItemSeller } from "../../helpers/contracts/item-seller.js";
import { queryBody } from "../../helpers/contracts/query-body.js";

const chain = new ContractChain();
const items = new ItemSeller(chain);
const { creator, seller } = items;
const [market, buyer, stranger] = [testAccount(1), testAccount(2), testAccount(3)];

const ownerOf = async (item: Address) => (await readNftItem(chain, item)).owner;

/** A sale for 10 TON that the marketplace has deployed and the seller's item has reached. */
async function open() {
  const item = await items.mint();
  const terms = { createdAt: 5, marketplace: market, item, price: 10n * ton };
  const sale = new NftSaleV4({ ...terms, fee: ton / 2n, royaltyTo: creator, royalty: ton / 4n });
  await chain.send({ from: market, to: sale.address, init: sale.init });
  await items.give(item, sale.address);
  return { item, sale: sale.address };
}

describe("a sale of version 4", () => {
  it("is described by its get-method", async () => {
    const { item, sale } = await open();
    expect(await readNftSaleV4(chain, sale)).toEqual({
      isComplete: false,
      createdAt: 5n,
      marketplace: market,
      item,
      owner: seller,
      price: 10n * ton,
      feeAddress: market,
      fee: ton / 2n,
      royaltyAddress: creator,
      royalty: ton / 4n,
      sold: { at: 0n, queryId: 0n, jettonPrices: undefined },
    });
  });

  it("sells the item for its price, and pays all parties", async () => {
    const { item, sale } = await open();
    const sent = await chain.send({ from: buyer, to: sale, value: 11n * ton, body: commentBody("Mine!") });
    expect(await ownerOf(item)).toEqual(buyer);
    expect([market, creator, seller].map((to) => paidTo(to, sent))).toEqual([
      ton / 2n,
      ton / 4n,
      (37n * ton) / 4n,
    ]);
    // The excess.
    expect(paidTo(buyer, sent)).toBeGreaterThan((9n * ton) / 10n);
    expect(await readNftSaleV4(chain, sale)).toMatchObject({
      isComplete: true,
      owner: seller,
      sold: { at: BigInt(chain.now), queryId: 0n },
    });
    expect(await chain.exitCode({ from: stranger, to: sale, value: 11n * ton })).toBe(402);
  });

  it("returns money below its price", async () => {
    const { item, sale } = await open();
    expect(await chain.exitCode({ from: buyer, to: sale, value: 10n * ton })).toBe(403);
    expect(await ownerOf(item)).toEqual(sale);
  });

  it("does not start with an item that is not its own, or before its item arrives", async () => {
    const item = await items.mint();
    const terms = { createdAt: 5, marketplace: market, item, price: ton, fee: 0n, royaltyTo: creator };
    const sale = new NftSaleV4({ ...terms, royalty: 0n });
    await chain.send({ from: market, to: sale.address, init: sale.init });
    await items.give(await items.mint(), sale.address);
    expect(await readNftSaleV4(chain, sale.address)).toMatchObject({ owner: undefined });
    expect(await chain.exitCode({ from: buyer, to: sale.address, value: 2n * ton })).toBe(402);
  });

  it("gives the item back to its owner, when he or the marketplace cancels", async () => {
    for (const from of [seller, market]) {
      const { item, sale } = await open();
      expect(await chain.exitCode({ from: stranger, to: sale, body: cancelSaleBody(1) })).toBe(401);
      expect(await chain.exitCode({ from, to: sale, body: cancelSaleBody(1) })).toBe(0);
      expect(await ownerOf(item)).toEqual(seller);
      expect(await readNftSaleV4(chain, sale)).toMatchObject({ isComplete: true, sold: { at: 0n } });
    }
  });

  it("changes its price for the seller, and the shares with it", async () => {
    const { sale } = await open();
    const body = changePriceBody(20n * ton, [], 1);
    expect(await chain.exitCode({ from: market, to: sale, body })).toBe(401);
    expect(await chain.exitCode({ from: seller, to: sale, body })).toBe(0);
    expect(await readNftSaleV4(chain, sale)).toMatchObject({
      price: 20n * ton,
      fee: ton,
      royalty: ton / 2n,
    });
  });

  it("refuses other requests", async () => {
    const { sale } = await open();
    const finishAuction = queryBody(0x20c9eb18);
    expect(await chain.exitCode({ from: buyer, to: sale, body: finishAuction })).toBe(0xffff);
  });
});

describe("a sale of version 4 with a price in jettons", () => {
  const issuer = testAccount(9);
  const jetton = new Jetton(issuer, offchainContent("https://tokens.example/1.json"));
  const other = new Jetton(issuer, offchainContent("https://tokens.example/2.json"));
  const balance = async (owner: Address, of = jetton) =>
    (await readJettonWallet(chain, of.walletOf(owner))).balance;

  async function openForJettons() {
    for (const issued of [jetton, other]) {
      const body = issued.mintBody({ to: buyer, amount: 1000n, tons: ton / 5n, queryId: 1 });
      await chain.send({ from: issuer, to: issued.address, init: issued.init, body });
    }
    const { item, sale } = await open();
    const prices = [{ master: jetton.address, price: 400n, saleWallet: jetton.walletOf(sale) }];
    await chain.send({ from: seller, to: sale, body: changePriceBody(10n * ton, prices, 1) });
    return { item, sale };
  }

  const payWith = (paid: Jetton, amount: bigint, to: Address) =>
    chain.send({
      from: buyer,
      to: paid.walletOf(buyer),
      body: jettonTransferBody({ to, amount, excessesTo: buyer, forwardTons: ton / 2n, queryId: 77 }),
    });

  it("sells the item, gives every share and returns the rest", async () => {
    const { item, sale } = await openForJettons();
    expect(await readNftSaleV4(chain, sale)).toMatchObject({
      sold: { jettonPrices: { [jetton.address.toRawUpper()]: "400" } },
    });
    const before = await balance(buyer);
    await payWith(jetton, 500n, sale);
    expect(await ownerOf(item)).toEqual(buyer);
    expect([await balance(market), await balance(creator), await balance(seller)]).toEqual([20n, 10n, 370n]);
    expect(before - (await balance(buyer))).toBe(400n);
    expect(await readNftSaleV4(chain, sale)).toMatchObject({ isComplete: true, sold: { queryId: 77n } });
  });

  it("returns too few jettons, and those of another kind", async () => {
    const { item, sale } = await openForJettons();
    const before = [await balance(buyer), await balance(buyer, other)];
    await payWith(jetton, 399n, sale);
    await payWith(other, 400n, sale);
    expect(await ownerOf(item)).toEqual(sale);
    expect([await balance(buyer), await balance(buyer, other)]).toEqual(before);
  });
});
