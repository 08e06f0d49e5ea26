import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractCode } from "../../server/devnet/contracts/codes.js";
import { treeLinks } from "../../server/devnet/story/contracts/trees.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { collectionOf } from "../../server/devnet/story/scenes/nft-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { tokenMethods } from "../../shared/methods/v2/tokens.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

let service: DevnetService;
const seed = "tonwire";
const cast = participantsOf(seed, await devnetWallets(seed));
const { acorn, devDollar } = jettonsOf(cast);
const collection = collectionOf(cast);
const walletCode = bocText(contractCode("jetton wallet"));

beforeAll(async () => {
  service = await sharedService("story");
});
afterAll(() => service.close());

const tokenData = (address: Address, more: object = {}) =>
  service.run("getTokenData", { address: address.toFriendly(), ...more });
const friendly = ({ address }: { address: Address }) => address.toFriendly();

describe("getTokenData", () => {
  describe("a token", () => {
    it("may be a jetton, with content on the chain or off it", async () => {
      expect(await tokenData(acorn.address)).toEqual({
        "@type": "ext.tokens.jettonMasterData",
        address: friendly(acorn),
        contract_type: "jetton_master",
        total_supply: "995250000000000",
        mintable: true,
        admin_address: friendly(cast.cleo),
        jetton_content: {
          type: "onchain",
          data: {
            name: "Acorn",
            description: "Grows on the devnet. Worth nothing anywhere.",
            symbol: "ACORN",
            decimals: "9",
          },
        },
        jetton_wallet_code: walletCode,
      });
      expect(await tokenData(devDollar.address)).toMatchObject({
        contract_type: "jetton_master",
        total_supply: "4900000000000",
        jetton_content: {
          type: "onchain",
          data: {
            uri: "https://tokens.example/dev-dollar.json",
            name: "Dev dollar",
            symbol: "DEVUSD",
            decimals: "6",
          },
        },
      });
    });

    it("may be a jetton wallet", async () => {
      const wallet = acorn.walletOf(cast.cleo.address);
      expect(await tokenData(wallet)).toEqual({
        "@type": "ext.tokens.jettonWalletData",
        address: wallet.toFriendly(),
        contract_type: "jetton_wallet",
        balance: "920000000000000",
        owner: friendly(cast.cleo),
        jetton: friendly(acorn),
        jetton_wallet_code: walletCode,
      });
    });

    it("may be an NFT collection or one of its items", async () => {
      expect(await tokenData(collection.address)).toEqual({
        "@type": "ext.tokens.nftCollectionData",
        address: friendly(collection),
        contract_type: "nft_collection",
        next_item_index: "13",
        owner_address: friendly(cast.eve),
        collection_content: {
          type: "offchain",
          data: "https://nft.example/devnet-trees/collection.json",
        },
      });
      expect(await tokenData(collection.item(6n))).toMatchObject({
        contract_type: "nft_item",
        init: true,
        index: "6",
        collection_address: friendly(collection),
        content: { type: "offchain", data: `${treeLinks.items}${treeLinks.endOf(6n)}` },
      });
    });

    it("is shown with the address as the request wrote it, flags included", async () => {
      const item = collection.item(0n);
      const forms = [
        [item.toRaw(), item.toRawUpper()],
        [item.toFriendly({ bounceable: false }), item.toFriendly({ bounceable: false })],
        [item.toFriendly({ urlSafe: false }), item.toFriendly()],
        [item.toFriendly({ testOnly: true }), item.toFriendly({ testOnly: true })],
      ] as const;
      for (const [address, shown] of forms) {
        const ends = await service.inAllForms("getTokenData", { address });
        for (const [form, ended] of ends)
          expect([form, ended]).toEqual([form, { result: expect.objectContaining({ address: shown }) }]);
      }
    });

    it("is read at an earlier block where seqno is given", async () => {
      await expect(tokenData(acorn.address, { seqno: 1 })).rejects.toThrow("is not Jetton or NFT");
      expect(await tokenData(acorn.address, { seqno: 25 })).toMatchObject({ contract_type: "jetton_master" });
    });

    it("may be an item without a collection", async () => {
      const address = testAddress("8");
      const content = beginCell().storeUint(1, 8).storeBytes(Buffer.from("https://one.example")).endCell();
      const data = beginCell().storeUint(5, 64).storeAddress(undefined).storeAddress(undefined);
      await place(service, {
        address,
        code: contractCode("nft item"),
        data: data.storeRef(content).endCell(),
      });
      expect(await service.run("getTokenData", { address })).toEqual({
        "@type": "ext.tokens.nftItemData",
        address,
        contract_type: "nft_item",
        init: true,
        index: "5",
        content: { type: "offchain", data: "https://one.example" },
      });
    });

    it.each([
      // DROP, 0, 1, null, an empty link, an empty cell
      ["a jetton", "3070716D71C8CB07C9C8C9", { contract_type: "jetton_master", total_supply: "0" }],
      // DROP, 3, an empty link, null
      ["a collection", "307371C8CB07C96D", { contract_type: "nft_collection", next_item_index: "3" }],
      // DROP, 1, 5, null, null, an empty link
      ["an item", "3071756D6D71C8CB07C9", { contract_type: "nft_item", index: "5" }],
    ])("may be %s that returns null for the addresses that it does not have", async (_, code, expected) => {
      const address = testAddress("b");
      await place(service, { address, code: codeOf(code) });
      const found = await service.run("getTokenData", { address });
      expect(found).toMatchObject(expected);
      for (const absent of ["admin_address", "owner_address", "collection_address"])
        expect(found).not.toHaveProperty(absent);
    });

    it.each(tokenMethods.getTokenData.examples)(
      "is answered like the documented example: %j",
      async ({ params, result }) => {
        expect(await service.run("getTokenData", params)).toEqual(result);
      },
    );
  });

  describe("an account that is no token", () => {
    async function refused(address: string) {
      const ends = await service.inAllForms("getTokenData", { address });
      const [[, first]] = ends as [[string, { error: string; code: number }]];
      for (const [form, ended] of ends) expect([form, ended]).toEqual([form, first]);
      return first;
    }

    it("may be a wallet, or may not exist", async () => {
      for (const address of [friendly(cast.ann), testAddress("5")])
        expect(await refused(address)).toEqual({
          error: `Smart contract ${address} is not Jetton or NFT`,
          code: 409,
        });
    });

    it("may be a contract whose get-methods end with exit code 1", async () => {
      // DROP, 0, 1, addr_none, an empty link, an empty cell
      const jetton = "30707170C8CB01C9D071C8CB07C9C8C9";
      const address = testAddress("8");
      await place(service, { address, code: codeOf(jetton) });
      expect(await tokenData(Address.read(address)!.address)).toMatchObject({
        contract_type: "jetton_master",
      });
      await place(service, { address, code: codeOf(`${jetton}DB31`) });
      expect((await refused(address)).code).toBe(409);
    });

    it("may be a jetton wallet that its jetton does not know", async () => {
      const address = testAddress("6");
      const data = beginCell()
        .storeCoins(10n ** 15n)
        .storeAddress(cast.ann.address)
        .storeAddress(acorn.address);
      data.storeRef(contractCode("jetton wallet"));
      await place(service, { address, code: contractCode("jetton wallet"), data: data.endCell() });
      expect((await refused(address)).code).toBe(409);
    });

    it("may be an item that its collection does not know", async () => {
      const address = testAddress("7");
      const content = beginCell().storeBytes(Buffer.from("0.json")).endCell();
      const data = beginCell()
        .storeUint(0, 64)
        .storeAddress(collection.address)
        .storeAddress(cast.ann.address);
      await place(service, {
        address,
        code: contractCode("nft item"),
        data: data.storeRef(content).endCell(),
      });
      expect((await refused(address)).code).toBe(409);
    });
  });

  it("refuses bad parameters before it reads the account", async () => {
    for (const [params, error] of [
      [{}, "failed to parse get request: Failed to parse ton_addr: ''"],
      [{ address: "x" }, "failed to parse get request: Failed to parse ton_addr: 'x'"],
      [{ address: testAddress("1"), seqno: "0" }, "failed to validate request: seqno should be positive"],
    ] as const) {
      const { status, json } = await service.get(`/api/v2/getTokenData?${new URLSearchParams(params)}`);
      expect([status, json]).toMatchObject([422, { error }]);
    }
  });
});
