import { describe, expect, it } from "vitest";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { NftCollection, nftTransferBody } from "../../../server/devnet/story/contracts/nft.js";
import {
  deployItemMessage,
  startAuctionBody,
  type TelemintAuction,
} from "../../../server/devnet/story/contracts/telemint.js";
import { Answer } from "../../../shared/ton/contracts/get-method.js";
import { readNftItem } from "../../../shared/ton/contracts/nft.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";
import { queryBody } from "../../helpers/contracts/query-body.js";

const chain = new ContractChain();
const [issuer, ann, ben, creator, stranger] = [1, 2, 3, 4, 5].map(testAccount) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const collection = new NftCollection(issuer, "https://names.example/", contractCode("telemint-item"));
const terms: TelemintAuction = { beneficiary: issuer, minBid: 2n * ton, maxBid: 50n * ton, duration: 1000 };
let minted = 0n;

/** Mints an item with Ann's first bid; returns the item and the following transactions. */
async function mint(bid: bigint, { tons = bid + ton / 5n, auction = terms } = {}) {
  const index = minted++;
  const item = { name: "durable", domain: "me\0t\0", content: "1.json", bidder: ann, bid, auction };
  const message = deployItemMessage({ ...item, royaltyTo: creator });
  const body = collection.deployBody({ index, tons, message }, 1);
  const value = tons + ton;
  const sent = await chain.send({ from: issuer, to: collection.address, value, body, init: collection.init });
  return { item: collection.item(index), sent };
}

const ownerOf = async (item: Address) => (await readNftItem(chain, item)).owner;
const bid = (from: Address, item: Address, value: bigint, at?: number) =>
  chain.send({ from, to: item, value, ...(at !== undefined && { at }) });
const exitOfBid = async (...args: Parameters<typeof bid>) => (await bid(...args))[0]!.exitCode;

async function stateOf(item: Address) {
  const { exitCode, stack } = await chain.run(item, "get_telemint_auction_state");
  if (exitCode !== 0) return exitCode;
  const answer = await Answer.of(chain, item, "get_telemint_auction_state");
  const bidder = stack[0]?.type === "null" ? undefined : answer.address(0);
  return { bidder, bid: answer.int(1), minBid: answer.int(3), endTime: answer.int(4) };
}

describe("a name that is sold like those of Telegram", () => {
  it("belongs to a collection and returns its name", async () => {
    const { item } = await mint(3n * ton);
    expect(await readNftItem(chain, item)).toMatchObject({
      initialized: true,
      collection: collection.address,
    });
    const text = async (method: string) => {
      const cell = (await Answer.of(chain, item, method)).slice(0);
      return Buffer.from(cell.parse().loadBytes(cell.bits / 8)).toString();
    };
    expect(await text("get_telemint_token_name")).toBe("durable");
    expect(await text("get_full_domain")).toBe("me\0t\0durable\0");
    const royalty = await Answer.of(chain, item, "royalty_params");
    expect([royalty.int(0), royalty.int(1), royalty.address(2)]).toEqual([5n, 100n, creator]);
    const config = await Answer.of(chain, item, "get_telemint_auction_config");
    expect([config.address(0), ...[1, 2, 3, 4, 5].map((index) => config.int(index))]).toEqual([
      issuer,
      ...[2n * ton, 50n * ton, 5n, 3600n, 1000n],
    ]);
  });

  it("is auctioned from its first bid", async () => {
    const { item } = await mint(3n * ton);
    const start = BigInt(chain.now);
    const state = { bidder: ann, bid: 3n * ton, minBid: (315n * ton) / 100n, endTime: start + 3600n };
    expect(await stateOf(item)).toEqual(state);
    expect(await ownerOf(item)).toBeUndefined();
    expect(await exitOfBid(ben, item, 3n * ton)).toBe(403);
    const sent = await bid(ben, item, 10n * ton);
    expect(paidTo(ann, sent)).toBe(3n * ton);
    expect(await stateOf(item)).toMatchObject({ bidder: ben, bid: 10n * ton });
  });

  it("goes to the highest bidder with the next message after its time", async () => {
    const { item } = await mint(20n * ton);
    const end = Number(((await stateOf(item)) as { endTime: bigint }).endTime);
    const body = nftTransferBody({ to: ben, excessesTo: ann, forwardTons: 0n, queryId: 5 });
    expect(await chain.exitCode({ from: ann, to: item, body, at: end - 1 })).toBe(401);
    const sent = await chain.send({ from: ann, to: item, body, at: end });
    expect(paidTo(creator, sent)).toBe(ton);
    expect(paidTo(issuer, sent)).toBeGreaterThan((188n * ton) / 10n);
    expect(await ownerOf(item)).toEqual(ben);
    expect(await stateOf(item)).toBe(207);
  });

  it("is sold at once for its highest price", async () => {
    const { item, sent } = await mint(50n * ton);
    expect(paidTo(creator, sent)).toBe((5n * ton) / 2n);
    expect(sent.map(({ to, op }) => to.equals(ann) && op)).toContain(0x05138d91);
    expect(await ownerOf(item)).toEqual(ann);
    const config = (await chain.run(item, "get_telemint_auction_config")).stack;
    expect(config[0]).toEqual({ type: "null" });
    expect(await exitOfBid(ben, item, 60n * ton)).toBe(207);
  });

  it("is not minted with less money than its first bid, a bid that is too low, or a senseless auction", async () => {
    for (const made of [
      await mint(10n * ton, { tons: 9n * ton }),
      await mint(ton),
      await mint(3n * ton, { auction: { ...terms, minBid: 1n } }),
      await mint(3n * ton, { auction: { ...terms, maxBid: ton } }),
    ])
      expect((await chain.run(made.item, "get_telemint_token_name")).exitCode).toBe(402);
  });

  it("is put up for auction again by its owner, who keeps it without a bid", async () => {
    const { item } = await mint(50n * ton);
    const auction = { ...terms, beneficiary: ann };
    const start = startAuctionBody(auction, 8);
    expect(await chain.exitCode({ from: stranger, to: item, body: start })).toBe(401);
    const answers = await chain.send({ from: ann, to: item, body: start });
    expect(answers.map(({ to, op }) => to.equals(ann) && op)).toContain(0xa37a0983);
    expect(await stateOf(item)).toMatchObject({ bidder: undefined, bid: 0n, minBid: 2n * ton });
    expect(await chain.exitCode({ from: ann, to: item, body: start })).toBe(208);
    const transfer = nftTransferBody({ to: ben, excessesTo: ann, forwardTons: 0n, queryId: 5 });
    expect(await chain.exitCode({ from: ann, to: item, body: transfer })).toBe(208);
    expect(await chain.exitCode({ from: ann, to: item, body: transfer, at: chain.now + 1000 })).toBe(0);
    expect(await ownerOf(item)).toEqual(ben);
  });

  it("is withdrawn by its owner before the first bid, and sold by him after it", async () => {
    const { item } = await mint(50n * ton);
    const start = startAuctionBody({ ...terms, beneficiary: ann }, 8);
    const cancel = queryBody(0x371638ae);
    await chain.send({ from: ann, to: item, body: start });
    expect(await chain.exitCode({ from: stranger, to: item, body: cancel })).toBe(401);
    expect(await chain.exitCode({ from: ann, to: item, body: cancel })).toBe(0);
    expect(await stateOf(item)).toBe(207);
    await chain.send({ from: ann, to: item, body: start });
    await bid(ben, item, 2n * ton);
    expect(await chain.exitCode({ from: ann, to: item, body: cancel })).toBe(209);
    const sent = await bid(stranger, item, 50n * ton);
    expect(await ownerOf(item)).toEqual(stranger);
    expect(paidTo(ann, sent)).toBeGreaterThan(47n * ton);
  });
});
