import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiledContracts } from "../../server/devnet/contracts/compiled.js";
import { storyArtifacts } from "../../server/process/service/artifacts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type States = {
  accounts: { address: string; storage?: object; storage_error?: string; code_hash: string }[];
};
type Info = { contracts: { address: string; kind: string; name: string }[] };
type Interface = {
  matches: { contract: string; trust: string; by: string; get_methods: { name: string }[] }[];
};

describe("a devnet without artifacts", () => {
  let service: DevnetService;
  let names: Map<string, string>;
  beforeAll(async () => {
    service = await sharedService("story");
    names = new Map((await storyArtifacts()).map(({ contract, codeHashes }) => [codeHashes[0]!, contract]));
  });
  afterAll(() => service.close());

  const states = async (addresses: readonly string[]) => {
    const query = addresses.map((address) => `address=${encodeURIComponent(address)}`).join("&");
    const { json } = await service.get(`/api/v3/accountStates?${query}&include_storage=true`);
    return (json as States).accounts;
  };

  it("knows the ABI of each contract that it compiles", () => {
    expect(names.size).toBe(Object.keys(compiledContracts).length);
    expect([...names.values()]).toContain("MultisigOrder");
  });

  it("reads the storage of its own contracts, all of it", async () => {
    const { contracts } = await service.run<Info>("devnet.info");
    const system = ["3", "5"].map((digit) => `-1:${digit.repeat(64)}`);
    const accounts = await states([...contracts.map(({ address }) => address), ...system]);
    const own = accounts.filter(({ code_hash }) => names.has(code_hash));
    expect(own.filter(({ storage }) => !storage)).toEqual([]);
    expect(new Set(own.map(({ code_hash }) => names.get(code_hash)))).toEqual(
      new Set([
        "Config",
        "DnsCollection",
        "DnsItem",
        "DnsRoot",
        "Elector",
        "MintlessMinter",
        "MintlessWallet",
        "Multisig",
        "MultisigOrder",
        "NftAuction",
        "NftAuctionV4",
        "NftSaleV4",
        "TelemintItem",
      ]),
    );
  });

  it("has names of messages, get-methods and errors, and says that they are built in", async () => {
    const { contracts } = await service.run<Info>("devnet.info");
    const { address } = contracts.find(({ kind }) => kind === "multisig")!;
    const { json } = await service.get(`/api/v3/debug/abi?account=${encodeURIComponent(address)}`);
    const [match] = (json as Interface).matches;
    expect(match).toMatchObject({ contract: "Multisig", trust: "built in", by: "code" });
    expect(match!.get_methods.map(({ name }) => name)).toEqual(["get_multisig_data", "get_order_address"]);
    const run = await service.run<{ abi: object }>("v3.runGetMethod", {
      address,
      method: "get_order_address",
      args: { orderSeqno: 0 },
    });
    expect(run.abi).toMatchObject({ returns: "address", result: expect.stringMatching(/^0:/) });
  });
});
