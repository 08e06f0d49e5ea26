import { beforeAll, describe, expect, it } from "vitest";
import { zeroStateTime } from "../../server/devnet/genesis/genesis.js";
import { treeLinks } from "../../server/devnet/story/contracts/trees.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { collectionOf } from "../../server/devnet/story/scenes/nft-trade.js";
import { storyContracts } from "../../server/devnet/story/story-contracts.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { Address } from "../../shared/values/address.js";
import {
  auctionCode,
  auctionV4Code,
  itemCode,
  saleCode,
  saleV4Code,
  telemintCode,
  telemintItem,
} from "../helpers/contracts/sale-code.js";
import { describeContracts } from "../helpers/index/describe-contracts.js";
import { someAddress } from "../helpers/index/detection.js";
import { describeStoryReads, ofBothLengths } from "../helpers/stories/describe-story.js";
import { requestsOf, transactionMembers } from "./token-requests.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const rawOf = (text: string) => Address.read(text)!.address.toRawUpper();
const collection = collectionOf(participants).address.toRawUpper();
const owner = participants.eve.address.toRawUpper();
const storyCollections = storyContracts(participants, zeroStateTime)
  .filter(({ kind }) => kind === "nft_collection")
  .map(({ address }) => address.toRawUpper());

describeStoryReads((story) => {
  const items = async (query: string) => (await story.ask("nft/items", query)).nft_items;
  const collections = async (query: string) => (await story.ask("nft/collections", query)).nft_collections;

  describe("v3.nft.collections", () => {
    it("lists the collections of the chain as their contracts describe themselves", async () => {
      const { accounts } = await story.ask("accountStates", `address=${collection}`);
      const { code_hash, data_hash, last_transaction_lt } = accounts[0]!;
      const data = await story.app.v2<{ next_item_index: string }>(`getTokenData?address=${collection}`);
      const all = await collections("");
      expect(all.map(({ address }) => address).sort()).toEqual([...storyCollections].sort());
      expect(all.find(({ address }) => address === collection)).toEqual({
        address: collection,
        owner_address: owner,
        last_transaction_lt,
        next_item_index: data.next_item_index,
        collection_content: { uri: "https://nft.example/devnet-trees/collection.json" },
        data_hash,
        code_hash,
      });
    });

    it("adds the address book and the metadata, which is not fetched", async () => {
      const { address_book, metadata } = await story.ask(
        "nft/collections",
        `collection_address=${collection}`,
      );
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
          // None during a name's first auction.
          owner_address: data["owner_address"] ? rawOf(data["owner_address"]) : null,
          collection_address: rawOf(data["collection_address"]!),
        });
      }
      const lts = all.map(({ last_transaction_lt }) => BigInt(last_transaction_lt));
      expect(lts).toEqual([...lts].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
    });

    it("adds the metadata that the link of an item contains", async () => {
      const query = `collection_address=${collection}&index=0`;
      const { nft_items, metadata } = await story.ask("nft/items", query);
      expect(metadata[nft_items[0]!.address]!.token_info).toEqual([
        expect.objectContaining({
          valid: true,
          name: "Tree 0",
          description: "Eve planted this oak.",
          image: expect.stringMatching(/^data:image\/png;base64,/),
        }),
      ]);
    });

    it("shows the collection and the content that it makes of the item", async () => {
      const [item] = await items(`collection_address=${collection}&index=0`);
      const nft_collections = await collections(`collection_address=${collection}`);
      expect(item).toMatchObject({
        index: "0",
        content: { uri: `${treeLinks.items}${treeLinks.endOf(0n)}` },
        collection: nft_collections[0],
        on_sale: false,
        real_owner: item!.owner_address,
      });
    });

    it("come with the same address book and metadata however long the page may be", async () => {
      const owners = new Set((await items("limit=1000")).flatMap((each) => each.owner_address ?? []));
      for (const each of owners) {
        const [short, long] = await ofBothLengths(story, "nft/items", `owner_address=${each}`);
        expect(Object.keys(short.metadata)).not.toEqual([]);
        expect(short).toEqual(long);
      }
    });

    it("takes an index of any length, also with zeros before it", async () => {
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

  describe("v3.nft.transfers", () => {
    const transfers = async (query: string) => (await story.ask("nft/transfers", query)).nft_transfers;

    it("lists transfer requests to items, newest first", async () => {
      const known = new Map((await items("limit=1000")).map((item) => [item.address, item]));
      const requests = requestsOf(story.all, "nft_transfer").filter(({ transaction }) =>
        known.has(transaction.account),
      );
      expect(requests.length).toBeGreaterThan(3);
      const all = await transfers("limit=1000");
      expect(
        all.map(({ custom_payload, forward_payload, decoded_forward_payload, ...rest }) => rest),
      ).toEqual(
        requests.map(({ transaction, sender, body }) => ({
          ...transactionMembers(transaction),
          query_id: body["query_id"],
          nft_address: transaction.account,
          nft_collection: collection,
          old_owner: sender,
          new_owner: body["new_owner"],
          response_destination: body["response_destination"],
          decoded_custom_payload: null,
          forward_amount: body["forward_amount"],
        })),
      );
    });

    it("adds the address book and the metadata of the items and collections in it", async () => {
      const { nft_transfers, address_book, metadata } = await story.ask("nft/transfers", "limit=1");
      const { nft_address, nft_collection, old_owner, new_owner, response_destination } = nft_transfers[0]!;
      const shown = [nft_address, nft_collection, old_owner, new_owner, response_destination];
      expect(Object.keys(address_book).sort()).toEqual([...new Set(shown)].filter((text) => text).sort());
      expect(Object.keys(metadata).sort()).toEqual([nft_address, nft_collection].sort());
    });

    it.each([
      ["direction=inwards", "direction should be one of: in, out"],
      ["item_address=x", 'failed to decode: schema: error converting value for index 0 of "item_address"'],
      ["end_lt=-1", 'failed to decode: schema: error converting value for "end_lt"'],
    ])("refuses %s", async (query, error) => {
      const { status, json } = await story.app.ask(`/api/v3/nft/transfers?${query}`);
      expect([status, json]).toEqual([422, { error }]);
    });
  });
});

describeContracts((index) => {
  describe("v3.nft.sales", () => {
    const [item, unknownItem, seller, bidder] = [
      someAddress(1),
      someAddress(2),
      someAddress(3),
      someAddress(4),
    ];
    const [marketplace, feeAddress, royaltyAddress] = [someAddress(5), someAddress(6), someAddress(7)];
    const parties = { item, owner: seller, marketplace, feeAddress, royaltyAddress };
    const [sale, saleV4, auction, auctionV4] = [
      someAddress(0x11),
      someAddress(0x12),
      someAddress(0x13),
      someAddress(0x14),
    ];
    const [withBid, withoutBid, withoutAuction] = [someAddress(0x21), someAddress(0x22), someAddress(0x23)];
    const telegram = { beneficiary: seller, royalty: royaltyAddress };

    beforeAll(async () => {
      await index.place(item, { code: itemCode(sale) });
      await index.place(sale, { code: saleCode(parties) });
      await index.place(saleV4, { code: saleV4Code({ ...parties, item: unknownItem, owner: undefined }) });
      await index.place(auction, { code: auctionCode(parties) });
      await index.place(auctionV4, { code: auctionV4Code(parties, bidder) });
      const bought = telemintCode(telemintItem({ ...telegram, name: "nugget", bidder }));
      await index.place(withBid, { code: `${bought}${itemCode(seller)}` });
      await index.place(withoutBid, { code: telemintCode(telemintItem({ ...telegram, name: "pebble" })) });
      const unsold = telemintItem({ name: "stone", royalty: royaltyAddress });
      await index.place(withoutAuction, { code: telemintCode(unsold) });
      await index.catchUp();
    });

    const raw = (address: Address) => address.toRawUpper();
    const queryOf = (...addresses: Address[]) => addresses.map((each) => `address=${raw(each)}`).join("&");
    const ask = (...addresses: Address[]) => index.ask("nft/sales", queryOf(...addresses));
    const stateOf = async (address: Address) => {
      const { accounts } = await index.ask("accountStates", queryOf(address));
      const { code_hash, data_hash } = accounts[0]!;
      return { code_hash, data_hash, last_transaction_lt: "0" };
    };

    it("describes a sale with the item that it sells, which is on sale by it", async () => {
      const { nft_items } = await index.ask("nft/items", queryOf(item));
      expect(nft_items).toMatchObject([{ on_sale: true, sale_contract_address: raw(sale) }]);
      expect((await ask(sale)).nft_sales).toEqual([
        {
          type: "getgems_sale",
          address: raw(sale),
          nft_address: raw(item),
          nft_owner_address: raw(seller),
          marketplace_address: raw(marketplace),
          created_at: 1_700_000_001,
          ...(await stateOf(sale)),
          details: {
            is_complete: false,
            full_price: "1000",
            marketplace_fee_address: raw(feeAddress),
            marketplace_fee: "50",
            royalty_address: raw(royaltyAddress),
            royalty_amount: "70",
          },
          nft_item: nft_items[0],
        },
      ]);
    });

    it("describes a sale of version 4, and leaves out its owner and its item if there are none", async () => {
      const { nft_sales } = await ask(saleV4);
      expect(nft_sales).toMatchObject([{ type: "getgems_sale", nft_address: raw(unknownItem) }]);
      expect(Object.keys(nft_sales[0]!)).not.toContain("nft_owner_address");
      expect(Object.keys(nft_sales[0]!)).not.toContain("nft_item");
    });

    it("describes auctions of all versions, and leaves out the bidder if there is none", async () => {
      const { nft_sales } = await ask(auction, auctionV4);
      const { nft_items } = await index.ask("nft/items", queryOf(item));
      const details = {
        end_flag: false,
        end_time: 1_800_000_000,
        last_bid: "0",
        min_step: 5,
        mp_fee_address: raw(feeAddress),
        mp_fee_factor: 1,
        mp_fee_base: 20,
        royalty_fee_address: raw(royaltyAddress),
        royalty_fee_factor: 3,
        royalty_fee_base: 40,
        max_bid: "5000",
        min_bid: "100",
        last_bid_at: 1_700_000_003,
        is_canceled: false,
      };
      const common = {
        type: "getgems_auction",
        nft_address: raw(item),
        nft_owner_address: raw(seller),
        marketplace_address: raw(marketplace),
        created_at: 1_700_000_002,
        nft_item: nft_items[0],
      };
      const bid = { last_bid: "900", last_member: raw(bidder) };
      expect(nft_sales).toEqual([
        { ...common, ...(await stateOf(auction)), address: raw(auction), details },
        {
          ...common,
          ...(await stateOf(auctionV4)),
          address: raw(auctionV4),
          details: { ...details, ...bid },
        },
      ]);
    });

    it("describes an auction of Telegram with its item", async () => {
      const { nft_items } = await index.ask("nft/items", queryOf(withBid));
      expect((await ask(withBid)).nft_sales).toEqual([
        {
          type: "telemint",
          address: raw(withBid),
          nft_address: raw(withBid),
          ...(await stateOf(withBid)),
          details: {
            token_name: "nugget",
            bidder_address: raw(bidder),
            bid: "40",
            bid_ts: "1700000005",
            min_bid: "42",
            end_time: 1_800_000_000,
            beneficiary_address: raw(seller),
            initial_min_bid: "30",
            max_bid: "900",
            min_bid_step: "5",
            min_extend_time: "3600",
            duration: "7200",
            royalty_numerator: 5,
            royalty_denominator: 100,
            royalty_destination: raw(royaltyAddress),
          },
          nft_item: nft_items[0],
        },
      ]);
    });

    it("names an item of Telegram by its token if it is not recognised as an item", async () => {
      const { nft_sales } = await ask(withoutBid);
      expect(nft_sales).toMatchObject([{ type: "telemint", details: { bid: "0", min_bid: "30" } }]);
      expect(Object.keys(nft_sales[0]!.details)).not.toContain("bidder_address");
      expect(nft_sales[0]!.nft_item).toEqual({ address: raw(withoutBid), init: true, index: "pebble" });
    });

    it("adds the address book and the metadata of every address that it shows", async () => {
      const { address_book, metadata } = await ask(sale, auctionV4, withBid);
      const shown = [item, seller, bidder, marketplace, feeAddress, royaltyAddress, sale, auctionV4, withBid];
      expect(Object.keys(address_book)).toEqual(shown.map(raw).sort());
      expect(Object.keys(metadata)).toEqual([raw(item), raw(withBid)]);
    });

    it.each([
      ["", "at least 1 address required"],
      ["address=", "at least 1 address required"],
      ["address=x", 'failed to decode: schema: error converting value for index 0 of "address"'],
      [`address=${`${raw(item)},`.repeat(1001)}`, "maximum 1000 addresses allowed"],
    ])("refuses %.20s", async (query, error) => {
      const { status, json } = await index.app.ask(`/api/v3/nft/sales?${query}`);
      expect([status, json]).toEqual([422, { error }]);
    });
  });
});
