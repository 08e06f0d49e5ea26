import { beginCell, Cell, Address as CoreAddress } from "@ton/core";
import { TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dnsOf } from "../../../server/devnet/story/domains.js";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { categoryKey } from "../../../shared/ton/contracts/dns-record.js";
import type { Address } from "../../../shared/values/address.js";
import { loadTonWeb } from "../../helpers/peers/tonweb.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { storyEnded } from "../../helpers/stories/story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { ann, finn, iris } = participants;
const { root, zone } = dnsOf(participants);

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ story: true });
  await storyEnded(service);
});
afterAll(() => service.close());

/** The DNS root that the configuration names. */
async function configuredRoot(): Promise<CoreAddress> {
  const { config } = await service.run<{ config: { bytes: string } }>("getConfigParam", { param: 4 });
  const [cell] = Cell.fromBoc(Buffer.from(config.bytes, "base64"));
  return new CoreAddress(-1, cell!.beginParse().loadBuffer(32));
}

describe("names of the story", () => {
  it("have a root in the configuration, since a key block", async () => {
    expect((await configuredRoot()).toRawString()).toBe(root.address.toRaw());
    const before = await service.run<{ config: { bytes: string } }>("getConfigParam", { param: 4, seqno: 1 });
    expect(Cell.fromBoc(Buffer.from(before.config.bytes, "base64"))[0]!.beginParse().loadUintBig(256)).toBe(
      0n,
    );
  });

  it("are resolved by dnsResolve", async () => {
    const resolve = async (name: string, category: string) => {
      const question = { address: root.address.toRaw(), name, category, ttl: 10 };
      const { entries } = await service.run<{ entries: { entry: object }[] }>("dnsResolve", question);
      return entries.map(({ entry }) => entry);
    };
    const contract = (address: Address) => ({
      "@type": "dns.entryDataSmcAddress",
      smc_address: { "@type": "accountAddress", account_address: address.toFriendly() },
    });
    expect(await resolve("devnet.ton", "wallet")).toEqual([contract(ann.address)]);
    expect(await resolve("finn.devnet.ton", "wallet")).toEqual([contract(finn.address)]);
    expect(await resolve("devnet.ton", "storage")).toEqual([
      { "@type": "dns.entryDataStorageAddress", bag_id: "ba".repeat(32) },
    ]);
    expect(await resolve("forest.ton", "wallet")).toEqual([]);
  });

  it("are resolved by tonweb", async () => {
    const { HttpProvider, Dns } = loadTonWeb();
    const dns = new Dns(new HttpProvider(`${service.url}/api/v2/jsonRPC`, { apiKey: service.key }));
    const walletOf = async (name: string) => (await dns.getWalletAddress(name))?.toString(false);
    expect(await walletOf("devnet.ton")).toBe(ann.address.toRaw());
    expect(await walletOf("finn.ton")).toBe(finn.address.toRaw());
    expect(await walletOf("finn.devnet.ton")).toBe(finn.address.toRaw());
    expect(await walletOf("forest.ton")).toBeUndefined();
    expect((await dns.getSiteAddress("devnet.ton"))?.toHex()).toBe("ad".repeat(32));
  });

  it("are resolved by get-methods through @ton/ton", async () => {
    const client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: service.key });
    const ask = async (resolver: CoreAddress, name: string, category: string) => {
      const { stack } = await client.runMethod(resolver, "dnsresolve", [
        { type: "slice", cell: beginCell().storeBuffer(Buffer.from(name)).endCell() },
        { type: "int", value: BigInt(`0x${Buffer.from(categoryKey(category)).toString("hex")}`) },
      ]);
      return { bits: stack.readNumber(), record: stack.readCell().beginParse().skip(16) };
    };
    const first = await ask(await configuredRoot(), "\0ton\0devnet\0", "wallet");
    const collection = first.record.loadAddress();
    expect([first.bits, collection.toRawString()]).toEqual([32, zone.address.toRaw()]);
    const second = await ask(collection, "\0devnet\0", "wallet");
    const item = second.record.loadAddress();
    expect([second.bits, item.toRawString()]).toEqual([56, zone.item("devnet").toRaw()]);
    const last = await ask(item, "\0", "wallet");
    expect([last.bits, last.record.loadAddress().toRawString()]).toEqual([8, ann.address.toRaw()]);
  });

  it("include one that is up for auction, with the highest of two bids", async () => {
    const client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: service.key });
    const item = CoreAddress.parse(zone.item("forest").toRaw());
    const { stack } = await client.runMethod(item, "get_auction_info");
    expect([stack.readAddress().toRawString(), stack.readBigNumber()]).toEqual([
      iris.address.toRaw(),
      8_000_000_000n,
    ]);
  });
});
