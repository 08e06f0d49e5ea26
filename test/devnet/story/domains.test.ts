import { Cell, Address as CoreAddress } from "@ton/core";
import { TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { dnsOf } from "../../../server/devnet/story/scenes/domains.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { loadTonWeb } from "../../helpers/peers/tonweb.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { ann, finn, iris } = participants;
const { root, zone } = dnsOf(participants);

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("story");
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
