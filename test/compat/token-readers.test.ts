import { createHash } from "node:crypto";
import { Address, type Cell, Dictionary, type TupleItem } from "@ton/core";
import { JettonMaster, JettonWallet, TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checked, type V3Path, type V3Result } from "../helpers/http/v3-results.js";
import type { TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// Tokens of the story as @ton/ton reads them from the chain, and as v3 has them in its index.

let service: TestService;
let client: TonClient;
beforeAll(async () => {
  service = await sharedService("story");
  client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: service.key });
});
afterAll(() => service.close());

async function ask<Path extends V3Path>(path: Path, query = "limit=1000"): Promise<V3Result<Path>> {
  return checked(path, (await service.get(`/api/v3/${path}?${query}`)).json);
}

const rawOf = (address: Address | null) => address?.toRawString().toUpperCase() ?? null;
const hashOf = (cell: Cell) => cell.hash().toString("base64");
const keyOf = (name: string) => BigInt(`0x${createHash("sha256").update(name).digest("hex")}`);
const names = ["uri", "name", "description", "image", "symbol", "decimals"];

/** Metadata (TEP-64) as @ton/core reads it; its texts are snakes. */
function contentOf(cell: Cell): Record<string, string> {
  const content = cell.beginParse();
  if (content.loadUint(8) === 1) return { uri: content.loadStringTail() };
  const texts = content.loadDict(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = texts.get(keyOf(name))?.beginParse().skip(8).loadStringTail();
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

const stackOf = async (address: string, method: string, args: TupleItem[] = []) =>
  (await client.runMethod(Address.parse(address), method, args)).stack;

describe("The index agrees with @ton/ton", () => {
  it("on every jetton", async () => {
    const { jetton_masters } = await ask("jetton/masters");
    expect(jetton_masters.length).toBeGreaterThan(1);
    for (const master of jetton_masters) {
      const contract = client.open(JettonMaster.create(Address.parse(master.address)));
      const data = await contract.getJettonData();
      expect({
        total_supply: String(data.totalSupply),
        mintable: data.mintable,
        admin_address: rawOf(data.adminAddress),
        jetton_content: contentOf(data.content),
        jetton_wallet_code_hash: hashOf(data.walletCode),
      }).toEqual({
        total_supply: master.total_supply,
        mintable: master.mintable,
        admin_address: master.admin_address,
        jetton_content: master.jetton_content,
        jetton_wallet_code_hash: master.jetton_wallet_code_hash,
      });
    }
  });

  it("on every jetton wallet", async () => {
    const { jetton_wallets } = await ask("jetton/wallets");
    expect(jetton_wallets.length).toBeGreaterThan(4);
    for (const { address, owner, jetton, balance } of jetton_wallets) {
      const master = client.open(JettonMaster.create(Address.parse(jetton)));
      const wallet = await master.getWalletAddress(Address.parse(owner));
      expect(rawOf(wallet)).toBe(address);
      expect(String(await client.open(JettonWallet.create(wallet)).getBalance())).toBe(balance);
    }
  });

  it("on every NFT collection", async () => {
    const { nft_collections } = await ask("nft/collections");
    expect(nft_collections.length).toBeGreaterThan(0);
    for (const { address, next_item_index, collection_content, owner_address } of nft_collections) {
      const data = await stackOf(address, "get_collection_data");
      expect([
        String(data.readBigNumber()),
        contentOf(data.readCell()),
        rawOf(data.readAddressOpt()),
      ]).toEqual([next_item_index, collection_content, owner_address]);
    }
  });

  it("on every NFT item", async () => {
    const { nft_items } = await ask("nft/items");
    expect(nft_items.length).toBeGreaterThan(4);
    for (const item of nft_items) {
      const data = await stackOf(item.address, "get_nft_data");
      const [init, index] = [data.readBoolean(), data.readBigNumber()];
      const [collection, owner, individual] = [data.readAddressOpt(), data.readAddressOpt(), data.readCell()];
      expect([init, String(index), rawOf(collection), rawOf(owner)]).toEqual([
        item.init,
        item.index,
        item.collection_address,
        item.owner_address,
      ]);
      // The domain of a DNS item is not in its content cell.
      const { domain: _, ...content } = item.content as Record<string, string>;
      if (!collection) {
        expect(contentOf(individual)).toEqual(content);
        continue;
      }
      const place = { type: "int", value: index } as const;
      const known = await stackOf(item.collection_address!, "get_nft_address_by_index", [place]);
      expect(rawOf(known.readAddress())).toBe(item.address);
      const whole = await stackOf(item.collection_address!, "get_nft_content", [
        place,
        { type: "cell", cell: individual },
      ]);
      expect(contentOf(whole.readCell())).toEqual(content);
    }
  });
});

type TokenData = { contract_type: string } & Record<string, unknown>;

describe("The index agrees with getTokenData", () => {
  const tokenData = async (address: string) =>
    (await service.rpc("getTokenData", { address })) as { result: TokenData };
  /** Content as getTokenData has it. */
  const shown = (content: unknown) => {
    const { uri, ...attributes } = content as Record<string, string>;
    return Object.keys(attributes).length === 0
      ? { type: "offchain", data: uri }
      : { type: "onchain", data: content };
  };

  it("on the kind and the content of every token", async () => {
    const { jetton_masters } = await ask("jetton/masters");
    const { jetton_wallets } = await ask("jetton/wallets");
    const { nft_collections } = await ask("nft/collections");
    const { nft_items } = await ask("nft/items");
    for (const { address, total_supply, jetton_content } of jetton_masters)
      expect((await tokenData(address)).result).toMatchObject({
        contract_type: "jetton_master",
        total_supply,
        jetton_content: shown(jetton_content),
      });
    for (const { address, balance } of jetton_wallets)
      expect((await tokenData(address)).result).toMatchObject({ contract_type: "jetton_wallet", balance });
    for (const { address, next_item_index, collection_content } of nft_collections)
      expect((await tokenData(address)).result).toMatchObject({
        contract_type: "nft_collection",
        next_item_index,
        collection_content: shown(collection_content),
      });
    for (const { address, index } of nft_items)
      expect((await tokenData(address)).result).toMatchObject({ contract_type: "nft_item", index });
  });
});
