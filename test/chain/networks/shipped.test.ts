import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publishedAt, publishedServers } from "../../../server/chain/networks/published.js";
import { shippedConfig, shippedFile, shippedNetworks } from "../../../server/chain/networks/shipped.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";

/** Root and file hashes of the zero states, which identify the networks. */
const zeroStates = {
  mainnet: ["F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=", "XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24="],
  testnet: ["gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=", "Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg="],
};

describe.each(shippedNetworks)("the configuration of %s that comes with the program", (network) => {
  it("is of this network, and has a key block to start from and servers", () => {
    const { zeroState, initBlock, servers } = shippedConfig(network);
    expect([zeroState.rootHash, zeroState.fileHash].map(bytesToBase64)).toEqual(zeroStates[network]);
    expect(initBlock?.seqno).toBeGreaterThan(10_000_000);
    expect(servers.length).toBeGreaterThan(10);
  });

  it("would be accepted if it were published, at an address that is encrypted", () => {
    const text = readFileSync(shippedFile(network), "utf8");
    const { zeroState, servers } = shippedConfig(network);
    expect(publishedServers(text, zeroState)).toEqual(servers);
    expect(publishedAt[network]).toMatch(/^https:/);
  });
});
