import { describe, expect, it } from "vitest";
import { collectionOf } from "../../server/devnet/story/nft-trade.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { describeStory } from "../helpers/describe-story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const collection = collectionOf(participants).address.toRawUpper();
const owner = participants.eve.address.toRawUpper();

describeStory((story) => {
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
});
