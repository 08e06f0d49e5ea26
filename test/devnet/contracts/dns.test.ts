import { beforeAll, describe, expect, it } from "vitest";
import {
  changeRecordBody,
  DnsRoot,
  DnsZone,
  dnsRecord,
  giveNameBody,
} from "../../../server/devnet/story/contracts/dns.js";
import { nftTransferBody } from "../../../server/devnet/story/contracts/nft.js";
import { commentBody } from "../../../server/devnet/wallets/compose.js";
import { resolveDomain } from "../../../shared/ton/contracts/dns.js";
import { categoryKey } from "../../../shared/ton/contracts/dns-record.js";
import { Answer } from "../../../shared/ton/contracts/get-method.js";
import { readNftCollection, readNftItem } from "../../../shared/ton/contracts/nft.js";
import { readItemDomain } from "../../../shared/ton/contracts/nft-domain.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";
import { queryBody } from "../../helpers/contracts/query-body.js";

const chain = new ContractChain();
const [admin, ann, ben, stranger] = [1, 2, 3, 4].map(testAccount) as [Address, Address, Address, Address];
const zone = new DnsZone(admin);
const root = new DnsRoot(zone);
const week = 7 * 86_400;

beforeAll(async () => {
  await chain.send({ from: admin, to: zone.address, init: zone.init });
  await chain.send({ from: admin, to: root.address, init: root.init });
});

const give = (name: string, owner: Address, from = admin) =>
  chain.exitCode({ from, to: zone.address, body: giveNameBody(name, owner, 3) });
const bidFor = (name: string, from: Address, value: bigint) =>
  chain.send({ from, to: zone.address, value, body: commentBody(name) });
const change = (
  name: string,
  from: Address,
  category: string,
  record?: ReturnType<typeof dnsRecord.wallet>,
) => chain.exitCode({ from, to: zone.item(name), body: changeRecordBody(category, record, 4) });
const ownerOf = async (name: string) => (await readNftItem(chain, zone.item(name))).owner;

async function auctionOf(name: string) {
  const answer = await Answer.of(chain, zone.item(name), "get_auction_info");
  return { bidder: answer.maybeAddress(0), bid: answer.int(1), endTime: answer.int(2) };
}
const lastFillUp = async (name: string) =>
  (await Answer.of(chain, zone.item(name), "get_last_fill_up_time")).int(0);

/** The entries of a full name, from the root and the resolvers it refers to. */
async function resolve(name: string, category = "") {
  const key = category === "" ? new Uint8Array(32) : categoryKey(category);
  const entries = await resolveDomain(chain, {
    resolver: root.address,
    name: `${name}.`,
    category: key,
    hops: 9,
  });
  return entries.map(({ record }) => record);
}

describe("the zone ton of a devnet", () => {
  it("is a collection of names", async () => {
    expect(await readNftCollection(chain, zone.address)).toMatchObject({ nextItemIndex: -1n, owner: admin });
    expect(await give("alice", ann)).toBe(0);
    const item = await readNftItem(chain, zone.item("alice"));
    expect(item).toMatchObject({ initialized: true, collection: zone.address, owner: ann });
    const name = (await Answer.of(chain, zone.item("alice"), "get_domain")).slice(0);
    expect(Buffer.from(name.parse().loadBytes(5)).toString()).toBe("alice");
    const answers = await chain.send({
      from: stranger,
      to: zone.item("alice"),
      body: queryBody(0x2fcb26a2),
    });
    expect(answers.map(({ to, op }) => to.equals(stranger) && op)).toContain(0x8b771735);
  });

  it("gives names away for its administrator only", async () => {
    expect(await give("mine", stranger, stranger)).toBe(401);
  });

  it.each(["abc", "-abc", "abc-", "Abcd", "ab cd", "ab.cd", "müller"])("has no name %j", async (name) => {
    expect(await give(name, ann)).toBe(200);
    expect((await bidFor(name, ann, 5n * ton))[0]).toMatchObject({ exitCode: 200 });
  });

  it("starts no auction below a TON, or of a name that is taken", async () => {
    expect((await bidFor("cheap", ann, ton - 1n))[0]).toMatchObject({ exitCode: 201 });
    await give("taken", ann);
    const sent = await bidFor("taken", ben, 5n * ton);
    expect(paidTo(ben, sent)).toBeGreaterThan((49n * ton) / 10n);
    expect(await ownerOf("taken")).toEqual(ann);
  });
});

describe("a name of a devnet", () => {
  it("is auctioned for a week from its first bid", async () => {
    await bidFor("auction", ann, 2n * ton);
    const start = BigInt(chain.now);
    expect(await ownerOf("auction")).toBeUndefined();
    expect(await auctionOf("auction")).toMatchObject({ bidder: ann, endTime: start + BigInt(week) });
    const item = zone.item("auction");
    expect(await chain.exitCode({ from: ben, to: item, value: 2n * ton })).toBe(403);
    const sent = await chain.send({ from: ben, to: item, value: 10n * ton });
    expect(sent.map(({ to, op }) => to.equals(ann) && op)).toContain(0x557cea20);
    expect(await auctionOf("auction")).toEqual({
      bidder: ben,
      bid: 10n * ton,
      endTime: start + BigInt(week),
    });
    expect(paidTo(ann, sent)).toBeGreaterThan((19n * ton) / 10n);
  });

  it("leaves an hour for another bid, and belongs to the winner once the time is up", async () => {
    await bidFor("winner", ann, 2n * ton);
    const item = zone.item("winner");
    const { endTime } = await auctionOf("winner");
    await chain.send({ from: ben, to: item, value: 5n * ton, at: Number(endTime) - 60 });
    expect(await auctionOf("winner")).toMatchObject({ endTime: endTime + 3540n });
    expect(await change("winner", ben, "wallet", dnsRecord.wallet(ben))).toBe(401);
    const body = changeRecordBody("wallet", dnsRecord.wallet(ben), 1);
    const sent = await chain.send({ from: ben, to: item, body, at: Number(endTime) + 3540 });
    expect(paidTo(zone.address, sent)).toBeGreaterThan((48n * ton) / 10n);
    expect(await ownerOf("winner")).toEqual(ben);
    expect(await auctionOf("winner")).toEqual({ bidder: undefined, bid: 0n, endTime: 0n });
    expect(await lastFillUp("winner")).toBe(endTime + 3540n);
    expect(await resolve("winner.ton", "wallet")).toEqual([{ kind: "smcAddress", address: ben }]);
  });

  it("resolves to the records that its owner sets, until he deletes them", async () => {
    await give("records", ann);
    const [adnl, bag] = [7, 8].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
    expect(await resolve("records.ton")).toEqual([]);
    expect(await change("records", ben, "wallet", dnsRecord.wallet(ben))).toBe(401);
    for (const [category, record] of [
      ["wallet", dnsRecord.wallet(ann)],
      ["site", dnsRecord.site(adnl)],
      ["storage", dnsRecord.storage(bag)],
    ] as const)
      expect(await change("records", ann, category, record)).toBe(0);
    expect(await resolve("records.ton", "site")).toEqual([{ kind: "adnlAddress", id: adnl }]);
    expect(await resolve("records.ton", "storage")).toEqual([{ kind: "storageAddress", id: bag }]);
    expect((await resolve("records.ton")).length).toBe(3);
    expect(await change("records", ann, "site")).toBe(0);
    expect(await resolve("records.ton", "site")).toEqual([]);
    expect((await readItemDomain(chain, zone.item("records"))).records).toEqual({
      wallet: { kind: "smcAddress", address: ann },
      storage: { kind: "storageAddress", id: bag },
    });
  });

  it("refers names below it to the next resolver", async () => {
    await give("upper", ann);
    await give("lower", ben);
    expect(await resolve("sub.upper.ton", "wallet")).toEqual([]);
    // Another name as resolver of the names below: it resolves its own.
    await change("upper", ann, "dns_next_resolver", dnsRecord.nextResolver(zone.address));
    await change("lower", ben, "wallet", dnsRecord.wallet(ben));
    expect(await resolve("lower.upper.ton", "wallet")).toEqual([{ kind: "smcAddress", address: ben }]);
  });

  it("is transferred by its owner", async () => {
    await give("moving", ann);
    const body = nftTransferBody({ to: ben, excessesTo: ann, forwardTons: ton / 10n, queryId: 5 });
    const to = zone.item("moving");
    expect(await chain.exitCode({ from: ben, to, body })).toBe(401);
    expect(await chain.exitCode({ from: ann, to, body, value: ton / 10n })).toBe(403);
    const sent = await chain.send({ from: ann, to, body });
    expect(paidTo(ben, sent)).toBe(ton / 10n);
    expect(paidTo(ann, sent)).toBeGreaterThan((8n * ton) / 10n);
    expect(await ownerOf("moving")).toEqual(ben);
  });

  it("is renewed by its owner, and goes to auction when it is forgotten for a year", async () => {
    await give("yearly", ann);
    const to = zone.item("yearly");
    const releaseName = queryBody(0x4ed14b65);
    const release = { to, from: stranger, value: 3n * ton, body: releaseName };
    expect(await chain.exitCode({ from: ben, to })).toBe(401);
    expect(await chain.exitCode({ from: ann, to, at: chain.now + 100 })).toBe(0);
    const renewed = chain.now;
    expect(await lastFillUp("yearly")).toBe(BigInt(renewed));
    expect(await chain.exitCode({ ...release, at: renewed + 366 * 86_400 })).toBe(414);
    expect(await chain.exitCode({ ...release, at: renewed + 366 * 86_400 + 1 })).toBe(0);
    expect(await auctionOf("yearly")).toMatchObject({ bidder: stranger, bid: 3n * ton });
    expect(await ownerOf("yearly")).toBeUndefined();
    expect(await chain.exitCode(release)).toBe(415);
  });
});

describe("the root of a devnet's DNS", () => {
  it("knows no other zone", async () => {
    expect(await resolve("alice.com", "wallet")).toEqual([]);
    await expect(resolve("nobody-has-it.ton", "wallet")).rejects.toThrow("get method failed");
  });
});
