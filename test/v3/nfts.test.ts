import { describe, expect, it } from "vitest";
import { collectionOf } from "../../server/devnet/story/nft-trade.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { Address } from "../../shared/values/address.js";
import { describeStory } from "../helpers/describe-story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const rawOf = (text: string) => Address.read(text)!.address.toRawUpper();
const collection = collectionOf(participants).address.toRawUpper();
const owner = participants.eve.address.toRawUpper();

describeStory((story) => {
  const items = async (query: string) => (await story.ask("nft/items", query)).nft_items;
  const collections = async (query: string) => (await story.ask("nft/collections", query)).nft_collections;

  describe("v3.nft.collections", () => {
    it("lists the collections of the chain as their contracts describe themselves", async () => {
      const { accounts } = await story.ask("accountStates", `address=${collection}`);
      const { code_hash, data_hash, last_transaction_lt } = accounts[0]!;
      const data = await story.app.v2<{ next_item_index: string }>(`getTokenData?address=${collection}`);
      expect(await collections("")).toEqual([
        {
          address: collection,
          owner_address: owner,
          last_transaction_lt,
          next_item_index: data.next_item_index,
          collection_content: { uri: "https://nft.example/devnet-trees/collection.json" },
          data_hash,
          code_hash,
        },
      ]);
    });

    it("filters by address and by owner", async () => {
      expect(await collections(`collection_address=${collection}`)).toHaveLength(1);
      expect(await collections(`owner_address=${owner}`)).toHaveLength(1);
      expect(await collections(`owner_address=${owner}&collection_address=${owner}`)).toEqual([]);
      expect(await collections(`owner_address=${collection}`)).toEqual([]);
      expect(await collections("offset=1")).toEqual([]);
    });

    it("adds the address book and the metadata, which is not fetched", async () => {
      const { address_book, metadata } = await story.ask("nft/collections", "");
      expect(Object.keys(address_book).sort()).toEqual([collection, owner].sort());
      expect(metadata).toEqual({
        [collection]: { is_indexed: false, token_info: [{ type: "nft_collections" }] },
      });
    });
  });

  describe("v3.nft.items", () => {
    it("lists the items of the chain, newest transaction first, as their contracts describe themselves", async () => {
      const all = await items("limit=1000");
      expect(all.length).toBeGreaterThan(4);
      for (const { address, init, index, owner_address, collection_address } of all) {
        const data = await story.app.v2<Record<string, string>>(`getTokenData?address=${address}`);
        expect({ init, index, owner_address, collection_address }).toEqual({
          init: data["init"],
          index: data["index"],
          owner_address: rawOf(data["owner_address"]!),
          collection_address: rawOf(data["collection_address"]!),
        });
      }
      const lts = all.map(({ last_transaction_lt }) => BigInt(last_transaction_lt));
      expect(lts).toEqual([...lts].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      expect(await items("limit=2&offset=1")).toEqual(all.slice(1, 3));
      const rising = await items("limit=1000&sort=asc");
      expect(rising.map(({ last_transaction_lt }) => BigInt(last_transaction_lt))).toEqual(lts.reverse());
      expect(await items("limit=1000&sort=asc&sort_by_last_transaction_lt=true")).toEqual(all);
    });

    it("shows the collection and the content that it makes of the item", async () => {
      const [item] = await items(`collection_address=${collection}&index=0`);
      const { nft_collections } = await story.ask("nft/collections", "");
      expect(item).toMatchObject({
        index: "0",
        content: { uri: "https://nft.example/devnet-trees/0.json" },
        collection: nft_collections[0],
        on_sale: false,
        real_owner: item!.owner_address,
      });
    });

    it("filters by address, owner, collection and index", async () => {
      const all = await items("limit=1000");
      const { address, owner_address } = all[0]!;
      expect(await items(`address=${address}`)).toEqual([all[0]]);
      const owned = all.filter((each) => each.owner_address === owner_address);
      expect(await items(`owner_address=${owner_address}&limit=1000`)).toEqual(owned);
      expect(await items(`owner_address=${owner_address}&include_on_sale=true&limit=1000`)).toEqual(owned);
      expect(await items(`collection_address=${collection}&limit=1000`)).toEqual(all);
      const numbered = await items(`collection_address=${collection}&index=1,02,${"9".repeat(90)}`);
      expect(numbered.map(({ index }) => index).sort()).toEqual(["1", "2"]);
    });

    it.each([
      ["index=1", "index parameter is not allowed without the collection_address"],
      [`collection_address=${collection}&index=x`, "index should contain digits only"],
      [
        `collection_address=${collection},${owner}`,
        "exact one owner_address required for multiple collection_address",
      ],
    ])("refuses %s", async (query, error) => {
      const { status, json } = await story.app.ask(`/api/v3/nft/items?${query}`);
      expect([status, json]).toEqual([422, { error }]);
    });
  });
});
