import { beforeAll, describe, expect, it } from "vitest";
import type { Address } from "../../shared/values/address.js";
import {
  type DomainData,
  type DomainMethods,
  dnsRecords,
  domainCollection,
  domainData,
  domainItem,
} from "../helpers/contracts/dns-code.js";
import { describeContracts } from "../helpers/index/describe-contracts.js";
import { someAddress } from "../helpers/index/detection.js";

const [tonCollection, telegramCollection] = [someAddress(0xe0), someAddress(0xe1)];
const dnsRoots = [
  { collection: tonCollection.toRawUpper(), zone: "ton" },
  { collection: telegramCollection.toRawUpper(), zone: "t.me" },
] as const;
const [ann, ben, cleo, resolver] = [
  someAddress(0xa1),
  someAddress(0xa2),
  someAddress(0xa3),
  someAddress(0xa4),
];
const raw = (address: Address) => address.toRawUpper();
const adnl = new Uint8Array(32).fill(0x11);
const bag = new Uint8Array(32).fill(0x22);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const wallet = (address: Address) => ({ wallet: dnsRecords.wallet(address) });
const itemAt = (index: number) => someAddress(index);
const noRecords = {
  dns_next_resolver: null,
  dns_wallet: null,
  dns_site_adnl: null,
  dns_storage_bag_id: null,
};

describeContracts(
  (index) => {
    const put = (at: number, data: DomainData, replaced?: DomainMethods) =>
      index.place(itemAt(at), { code: domainItem(at, tonCollection, replaced), data: domainData(data) });
    const change = (at: number, data: DomainData) => index.place(itemAt(at), { data: domainData(data) });
    const records = async (query: string) => (await index.ask("dns/records", query)).records;
    const namesOf = async (query: string) => (await records(query)).map(({ domain }) => domain);

    beforeAll(async () => {
      await index.place(tonCollection, { code: domainCollection });
      await index.place(telegramCollection, { code: domainCollection });
    });

    describe("v3.dns.records", () => {
      beforeAll(async () => {
        await put(1, {
          name: "annabel",
          owner: ann,
          records: {
            ...wallet(ann),
            dns_next_resolver: dnsRecords.nextResolver(resolver),
            site: dnsRecords.adnl(adnl),
            storage: dnsRecords.storage(bag),
            note: dnsRecords.storage(bag),
          },
        });
        await put(2, { name: "zoe", owner: ann, records: wallet(ann) });
        await put(3, { name: "ann", owner: ann, records: wallet(ann) });
        await put(4, { name: "a", owner: ben, records: wallet(ann) });
        await put(5, { name: "empty", owner: ben });
        await index.place(itemAt(6), {
          code: domainItem(6, telegramCollection),
          data: domainData({ name: "me\0t\0durov\0", owner: cleo, records: wallet(cleo) }),
        });
        await index.catchUp();
      });

      it("shows the records of a domain, of every kind", async () => {
        expect(await records("domain=annabel.ton")).toEqual([
          {
            nft_item_address: raw(itemAt(1)),
            nft_item_owner: raw(ann),
            domain: "annabel.ton",
            dns_next_resolver: raw(resolver),
            dns_wallet: raw(ann),
            dns_site_adnl: base64(adnl),
            dns_storage_bag_id: base64(bag),
          },
        ]);
      });

      it("lists domains without records, those of Telegram, and none by a part of their name", async () => {
        expect(await records("domain=empty.ton")).toEqual([
          { nft_item_address: raw(itemAt(5)), nft_item_owner: raw(ben), domain: "empty.ton", ...noRecords },
        ]);
        expect(await namesOf("domain=durov.t.me")).toEqual(["durov.t.me"]);
        for (const query of ["domain=durov", "domain=Empty.ton", "domain=empty"])
          expect([query, await namesOf(query)]).toEqual([query, []]);
      });

      it("adds the address book of item, owner and wallet, where an owner goes by the shortest own name", async () => {
        const { address_book } = await index.ask("dns/records", "domain=a.ton");
        const domains = Object.entries(address_book).map(([address, { domain }]) => [address, domain]);
        expect(Object.fromEntries(domains)).toEqual({
          [raw(itemAt(4))]: null,
          [raw(ben)]: null,
          [raw(ann)]: "ann.ton",
        });
      });

      it.each([
        ["", "either wallet address or domain is required"],
        ["wallet=&domain=", "either wallet address or domain is required"],
        [`wallet=${raw(ann)}&domain=a.ton`, "provide either wallet address or domain, not both"],
        ["wallet=x", 'failed to decode: schema: error converting value for "wallet"'],
      ])("refuses %s", async (query, error) => {
        const { status, json } = await index.app.ask(`/api/v3/dns/records?${query}`);
        expect([status, json]).toEqual([422, { error }]);
      });
    });

    describe("the name of an account", () => {
      it("is in the address books of all answers, until the domain or its record changes hands", async () => {
        const book = async (address: Address) =>
          (await index.ask("addressBook", `address=${raw(address)}`))[raw(address)]!.domain;
        expect([await book(ann), await book(ben), await book(cleo)]).toEqual(["ann.ton", null, "durov.t.me"]);
        const { address_book } = await index.ask("nft/items", `owner_address=${raw(ann)}`);
        expect(address_book[raw(ann)]!.domain).toBe("ann.ton");
        await change(3, { name: "ann", owner: ben, records: wallet(ann) });
        await index.catchUp();
        expect([await book(ann), await book(ben)]).toEqual(["zoe.ton", null]);
        await change(3, { name: "ann", owner: ben, records: wallet(ben) });
        await index.catchUp();
        expect([await book(ann), await book(ben)]).toEqual(["zoe.ton", "ann.ton"]);
        await change(3, { name: "ann", owner: ann, records: wallet(ann) });
      });

      it("is in the content of the item and in its metadata", async () => {
        await index.catchUp();
        const { nft_items, metadata } = await index.ask("nft/items", `address=${raw(itemAt(6))}`);
        expect(nft_items[0]!.content).toEqual({ uri: "a", domain: "durov.t.me" });
        expect(metadata[raw(itemAt(6))]).toMatchObject({
          is_indexed: true,
          token_info: [{ valid: true, type: "nft_items", extra: { uri: "a", domain: "durov.t.me" } }],
        });
      });
    });

    describe("v3.dns.activeAuctions", () => {
      const [past, future] = [1_700_000_000n, 4_000_000_000n];
      const auctionOf = (name: string, endTime: bigint, bidder = ann): DomainData => ({
        name,
        auction: { bidder, bid: 77n, endTime },
        lastFillUp: 1_690_000_000n,
      });
      const ask = (query: string) => index.ask("dns/activeAuctions", `bidder=${raw(ann)}&${query}`);

      beforeAll(async () => {
        await put(0x13, auctionOf("third", past + 1n));
        await put(0x12, auctionOf("second", past));
        await put(0x11, auctionOf("first", past));
        await put(0x14, auctionOf("fourth", future));
        await put(0x15, auctionOf("other", future, ben));
        await put(0x16, { name: "quiet", owner: ann });
        await index.catchUp();
      });

      it("lists the auctions that a bidder leads, the one that ends first comes first", async () => {
        const { auctions: found, next_cursor } = await ask("");
        expect(next_cursor).toBe(null);
        expect(found.map(({ domain, finished }) => [domain, finished])).toEqual([
          ["first.ton", true],
          ["second.ton", true],
          ["third.ton", true],
          ["fourth.ton", false],
        ]);
        expect(found[3]).toEqual({
          nft_item_address: raw(itemAt(0x14)),
          domain: "fourth.ton",
          max_bid_address: raw(ann),
          max_bid_amount: "77",
          auction_end_time: String(future),
          last_fill_up_time: "1690000000",
          finished: false,
        });
      });

      it("has a cursor of the end and the item of the last auction", async () => {
        const { next_cursor } = await ask("limit=1");
        const text = `${String(past).padStart(20, "0")}:${raw(itemAt(0x11))}`;
        expect(next_cursor).toBe(Buffer.from(text).toString("base64url"));
      });

      it("adds the items if asked, the book of item and bidder, and the metadata of item and collection", async () => {
        const { auctions: found, address_book, metadata } = await ask("limit=1&include_nft_items=true");
        const { nft_items } = await index.ask("nft/items", `address=${raw(itemAt(0x11))}`);
        expect(found[0]!.nft_item).toEqual(nft_items[0]);
        expect(nft_items[0]).toMatchObject({ owner_address: null, content: { domain: "first.ton" } });
        expect(Object.keys(address_book)).toEqual([raw(itemAt(0x11)), raw(ann)].sort());
        expect(Object.keys(metadata)).toEqual([raw(itemAt(0x11)), raw(tonCollection)].sort());
      });

      it("finishes an auction by the time of the newest block, and forgets it when it is settled", async () => {
        const [newest] = await index.ask("masterchainInfo", "").then(({ last }) => [BigInt(last.gen_utime)]);
        const endTime = newest! + 4n;
        const state = async () =>
          (await ask("")).auctions.filter(({ domain }) => domain === "bid.ton").map((each) => each.finished);
        // Placing it takes a block, and a block a second.
        await put(0x17, auctionOf("bid", endTime));
        await index.catchUp();
        expect(await state()).toEqual([false]);
        await index.devnet.controls.mine(2);
        await index.catchUp();
        expect(await state()).toEqual([false]);
        await index.devnet.controls.mine(1);
        await index.catchUp();
        expect(await state()).toEqual([true]);
        await change(0x17, {
          ...auctionOf("bid", endTime, ben),
          auction: { bidder: ben, bid: 99n, endTime },
        });
        await index.catchUp();
        expect(await state()).toEqual([]);
        await change(0x17, { name: "bid", owner: ben, lastFillUp: endTime });
        await index.catchUp();
        const settled = await index.ask("dns/activeAuctions", `bidder=${raw(ben)}`);
        expect(settled.auctions.map(({ domain }) => domain)).toEqual(["other.ton"]);
        expect((await records("domain=bid.ton"))[0]).toMatchObject({ nft_item_owner: raw(ben) });
      });

      const time = String(past).padStart(20, "0");
      const cursors: [string, string][] = [
        ["is no base64", "***"],
        ["has 19 digits", Buffer.from(`${time.slice(1)}:${raw(ann)}`).toString("base64url")],
        ["is padded", Buffer.from(`${time}:-1${raw(ann).slice(1)}`).toString("base64")],
        ["has an address in lower case", Buffer.from(`${time}:${ann.toRaw()}`).toString("base64url")],
        ["has no address", Buffer.from(`${time}:x`).toString("base64url")],
        ["has a time beyond 63 bits", Buffer.from(`${"9".repeat(20)}:${raw(ann)}`).toString("base64url")],
        ["is endless", "A".repeat(100_000)],
      ];
      it.each(cursors)("refuses a cursor that %s", async (_, after) => {
        const call = {
          jsonrpc: "2.0",
          id: 1,
          method: "v3.dns.activeAuctions",
          params: { bidder: raw(ann), after },
        };
        const { json } = await index.app.post("/jsonRPC", call);
        expect(json).toMatchObject({ error: { message: "invalid after cursor", data: { code: 422 } } });
      });

      const cursor = Buffer.from(`${time}:${raw(ann)}`).toString("base64url");
      it.each([
        ["", "bidder address is required"],
        ["bidder=null", "bidder address is required"],
        ["bidder=x", 'failed to decode: schema: error converting value for "bidder"'],
        [`bidder=${raw(ann)}&state=open`, "state must be one of: all, won, bidding"],
        [`bidder=${raw(ann)}&after=abc`, "invalid after cursor"],
        [`bidder=${raw(ann)}&after=${cursor}&offset=1`, "use either after or offset, not both"],
      ])("refuses %s", async (query, error) => {
        const { status, json } = await index.app.ask(`/api/v3/dns/activeAuctions?${query}`);
        expect([status, json]).toEqual([422, { error }]);
      });
    });
  },
  { settings: { dnsRoots } },
);
