import SQL from "sql-template-tag";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import type { Database } from "../../../server/store/database.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { listDnsRecords } from "../../../server/store/queries/tokens/dns.js";
import { readNftItems } from "../../../server/store/queries/tokens/nfts.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import { setConfigParam } from "../../helpers/chain/edit-config.js";
import {
  type DomainData,
  type DomainMethods,
  dnsRecords,
  domainCollection,
  domainData,
  domainItem,
} from "../../helpers/contracts/dns-code.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { describeContracts } from "../../helpers/index/describe-contracts.js";
import { detectedDevnetOfFile, idOf, place, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { anyKind } from "../../helpers/store/databases.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const [collection, otherCollection] = [someAddress(0xe0), someAddress(0xe1)];
const emptyDevnet = detectedDevnetOfFile("empty");
const [ann, ben, resolver] = [someAddress(0xa1), someAddress(0xa2), someAddress(0xa4)];
const raw = (address: Address) => address.toRawUpper();
const bag = new Uint8Array(32).fill(0x22);
const full: DomainData = {
  name: "ann",
  owner: ann,
  records: {
    wallet: dnsRecords.wallet(ann),
    dns_next_resolver: dnsRecords.nextResolver(resolver),
    site: dnsRecords.adnl(bag),
    storage: dnsRecords.storage(bag),
  },
  auction: { bidder: ben, bid: 5n, endTime: 1_800_000_000n },
  lastFillUp: 1_700_000_000n,
};

const addrNone = "beginCell().storeUint(0, 2).toSlice()";
const extern = "beginCell().storeUint(1, 2).storeUint(8, 9).storeUint(7, 8).toSlice()";

/** Methods of an item of the collection that make it no domain, though it has a name. */
const rejected: [what: string, DomainMethods][] = [
  [
    "its name is not resolved by 8 bits",
    { dnsresolve: "(name: slice, category: int): (int, cell?) { return (0, null); }" },
  ],
  [
    "dnsresolve leaves three values",
    { dnsresolve: "(name: slice, category: int): (int, int, cell?) { return (1, 8, null); }" },
  ],
  ["dnsresolve leaves one value", { dnsresolve: "(name: slice, category: int): int { return 8; }" }],
  ["the records are a number", { dnsresolve: "(name: slice, category: int): (int, int) { return (8, 5); }" }],
  [
    "the records are a slice",
    { dnsresolve: `(name: slice, category: int): (int, slice) { return (8, ${addrNone}); }` },
  ],
  ["dnsresolve throws", { dnsresolve: "(name: slice, category: int): (int, cell?) { throw 5; }" }],
  [
    "dnsresolve never ends",
    {
      dnsresolve:
        "(name: slice, category: int): (int, int) { var i = 0; while (i >= 0) { i += 1; } return (8, i); }",
    },
  ],
];

/** Methods or bytes that give an item no name. */
const nameless: [what: string, DomainMethods, string | Uint8Array][] = [
  ["get_domain throws", { get_domain: "(): slice { throw 5; }" }, "ann"],
  ["get_domain returns a cell", { get_domain: "(): cell { return createEmptyCell(); }" }, "ann"],
  [
    "get_domain never ends",
    { get_domain: `(): slice { var i = 0; while (i >= 0) { i += 1; } return ${addrNone}; }` },
    "ann",
  ],
  [
    "its name has half a byte",
    { get_domain: "(): slice { return beginCell().storeUint(6, 4).toSlice(); }" },
    "ann",
  ],
  ["its name is no text in UTF-8", {}, new Uint8Array([0xff])],
  ["its name has two labels", {}, "ann\0ben"],
];

/** Invalid auctions and times, and the remaining columns of the row. */
const strangeTimes: [what: string, DomainMethods, object][] = [
  [
    "the auction has no bidder",
    { get_auction_info: `(): (slice, int, int) { return (${addrNone}, 5, 6); }` },
    { max_bid_address: undefined, max_bid_amount: undefined, auction_end_time: undefined },
  ],
  [
    "the bidder is an external address",
    { get_auction_info: `(): (slice, int, int) { return (${extern}, 5, 6); }` },
    { max_bid_address: undefined },
  ],
  [
    "the auction ends before all time",
    { get_auction_info: "(): (slice, int, int) { return (part(0), 5, -1); }" },
    { max_bid_address: undefined, auction_end_time: undefined },
  ],
  [
    "the auction ends after 2^40",
    { get_auction_info: "(): (slice, int, int) { return (part(0), 5, (1 << 40) + 1); }" },
    { max_bid_amount: undefined },
  ],
  [
    "the auction ends at 2^40",
    { get_auction_info: "(): (slice, int, int) { return (part(0), 5, 1 << 40); }" },
    { auction_end_time: 1n << 40n, max_bid_amount: 5n },
  ],
  [
    "get_auction_info throws",
    { get_auction_info: "(): (slice, int, int) { throw 5; }" },
    { max_bid_address: undefined, last_fill_up_time: 1_700_000_000n },
  ],
  [
    "get_last_fill_up_time throws",
    { get_last_fill_up_time: "(): int { throw 5; }" },
    { last_fill_up_time: undefined, max_bid_amount: 5n },
  ],
  [
    "it was paid for after 2^40",
    { get_last_fill_up_time: "(): int { return 1 << 41; }" },
    { last_fill_up_time: undefined },
  ],
];

const cut = beginCell().storeUint(0x7473, 16).storeUint(1, 8).endCell();
const anycast = beginCell()
  .storeUint(0x9fd3, 16)
  .storeUint(0b101, 3)
  .storeUint(8, 5)
  .storeUint(0xab, 8)
  .storeInt(0, 8)
  .storeBytes(new Uint8Array(32))
  .endCell();
const noWallet = beginCell().storeUint(0x9fd3, 16).storeUint(0, 2).endCell();

/** Records of which some are invalid, and the remaining ones. */
const broken: [what: string, Readonly<Record<string, Cell>>, object][] = [
  ["the wallet is a bag, the bag is cut", { wallet: dnsRecords.storage(bag), storage: cut }, {}],
  [
    "the wallet is addr_none, the resolver an empty cell",
    { wallet: noWallet, dns_next_resolver: Cell.empty },
    {},
  ],
  [
    "the site is a bag, the resolver a wallet",
    { site: dnsRecords.storage(bag), dns_next_resolver: dnsRecords.wallet(ann) },
    {},
  ],
  ["one of them is malformed", { wallet: dnsRecords.wallet(ann), site: cut }, { dns_wallet: raw(ann) }],
  ["the wallet is an anycast address", { wallet: anycast }, { dns_wallet: `0:AB${"0".repeat(62)}` }],
];

const empty = { dns_wallet: null, dns_next_resolver: null, dns_site_adnl: null, dns_storage_bag_id: null };

describeContracts(
  (index) => {
    let next = 1;
    /** Places an item at a new address, with a unique name unless one is given. */
    async function put(data: Partial<DomainData>, methods: DomainMethods = {}, of = collection) {
      const at = next++;
      const named = { ...full, name: `item${at}`, ...data };
      await index.place(someAddress(at), { code: domainItem(at, of, methods), data: domainData(named) });
      return { item: someAddress(at), domain: `item${at}.ton` };
    }
    const placed = new Map<string, { item: Address; domain: string }>();
    const note = async (what: string, putting: ReturnType<typeof put>) => placed.set(what, await putting);

    beforeAll(async () => {
      await index.place(collection, { code: domainCollection });
      await index.place(otherCollection, { code: domainCollection });
      for (const [what, methods] of rejected) await note(what, put({}, methods));
      for (const [what, methods, name] of nameless) await note(what, put({ name }, methods));
      for (const [what, methods] of strangeTimes) await note(what, put({}, methods));
      for (const [what, records] of broken) await note(what, put({ records }));
      await note(
        "no dictionary",
        put(
          {},
          {
            dnsresolve: "(name: slice, category: int): (int, cell?) { return (8, createEmptyCell()); }",
          },
        ),
      );
      await note("foreign", put({}, {}, otherCollection));
      const stranger = someAddress(0x7f);
      await index.place(stranger, {
        code: domainItem(1, collection),
        data: domainData({ ...full, name: "thief" }),
      });
      placed.set("stranger", { item: stranger, domain: "thief.ton" });
      await index.catchUp();
    });

    const itemOf = async (what: string) => {
      const { nft_items } = await index.ask("nft/items", `address=${raw(placed.get(what)!.item)}`);
      return nft_items[0];
    };
    const recordOf = async (what: string) => {
      const { records } = await index.ask("dns/records", `domain=${placed.get(what)!.domain}`);
      return records[0];
    };
    const rowOf = async (what: string) => {
      const { domain } = placed.get(what)!;
      const named = SQL`dns_entries d where d.domain = ${domain}`;
      return (await selectRows(index.database.sql(), tables.dnsEntries, "d", named))[0];
    };

    describe("an item of a collection of domains", () => {
      it.each(rejected.map(([what]) => what))(
        "has its name in its content, but is no domain if %s",
        async (what) => {
          expect(await recordOf(what)).toBe(undefined);
          expect((await itemOf(what))!.content).toEqual({ uri: "a", domain: placed.get(what)!.domain });
        },
      );

      it.each(nameless.map(([what]) => what))("is an ordinary item if %s", async (what) => {
        expect(await recordOf(what)).toBe(undefined);
        expect((await itemOf(what))!.content).toEqual({ uri: "a" });
      });

      it.each(broken.map(([what, , left]) => [what, left] as const))(
        "leaves out broken records: %s",
        async (what, left) => {
          expect(await recordOf(what)).toMatchObject({ ...empty, ...left });
        },
      );

      it("is a domain without records if they are no dictionary", async () => {
        expect(await recordOf("no dictionary")).toMatchObject(empty);
      });

      it("must be confirmed by the collection", async () => {
        expect([await itemOf("stranger"), await recordOf("stranger")]).toEqual([undefined, undefined]);
      });
    });

    it("An item of another collection is no domain, regardless of its answers", async () => {
      expect(await recordOf("foreign")).toBe(undefined);
      expect((await itemOf("foreign"))!.content).toEqual({ uri: "a" });
    });

    it.each(strangeTimes.map(([what, , left]) => [what, left] as const))(
      "A domain keeps its row if %s",
      async (what, left) => {
        expect(await recordOf(what)).toMatchObject({ dns_wallet: raw(ann) });
        expect(await rowOf(what)).toMatchObject(left);
      },
    );
  },
  { settings: { dnsRoots: [{ collection: raw(collection), zone: "ton" }] }, kinds: [anyKind] },
);

/** The DNS root, which names the collection in its data for `ton`. */
const dnsRoot = `get fun dnsresolve(name: slice, category: int): (int, cell?) {
  if (name.preloadUint(40) != 0x00746f6e00) { return (0, null); }
  return (32, contract.getData());
}`;
const rootAddress = new Address(-1, new Uint8Array(32).fill(0x77));

async function put(devnet: Devnet, at: number, of: Address, data: DomainData): Promise<void> {
  await place(devnet, someAddress(at), await compile(domainItem(at, of)), domainData(data));
}

const change = ({ controls }: Devnet, at: number, data: DomainData) =>
  controls.setData(idOf(someAddress(at)), serializeBoc(domainData(data)));

describeDatabase("Domains", (fresh) => {
  const namesIn = async (database: Database) => {
    const by = { wallet: addressToBytes(ann) };
    const records = await listDnsRecords(database.sql(), by, { limit: 100, offset: 0 });
    return records.map(({ domain }) => domain);
  };

  test("are the items of the collection that the DNS root of the configuration names for ton, and none while there is no root", async () => {
    const devnet = await emptyDevnet();
    const { detection, events, api } = devnet;
    const database = await fresh();
    const catchUp = () => indexAll(database, api, { events, detection });
    await put(devnet, 1, collection, { ...full, name: "early" });
    // The root is deployed later than the key block that names it.
    await setConfigParam(devnet, 4, beginCell().storeBytes(rootAddress.hash).endCell());
    await change(devnet, 1, { ...full, name: "earlier" });
    await place(devnet, collection, await compile(domainCollection));
    await change(devnet, 1, { ...full, name: "early" });
    await catchUp();
    expect(await namesIn(database)).toEqual([]);
    await place(devnet, rootAddress, await compile(dnsRoot), dnsRecords.nextResolver(collection));
    await change(devnet, 1, { ...full, name: "first" });
    await put(devnet, 2, collection, { ...full, name: "ann" });
    await put(devnet, 3, otherCollection, { ...full, name: "other" });
    await catchUp();
    expect(await namesIn(database)).toEqual(["ann.ton", "first.ton"]);
    // The root is read once per key block.
    await devnet.controls.setData(idOf(rootAddress), serializeBoc(dnsRecords.nextResolver(otherCollection)));
    await change(devnet, 2, { ...full, name: "anna" });
    await catchUp();
    expect(await namesIn(database)).toEqual(["anna.ton", "first.ton"]);
    await setConfigParam(devnet, 1234, Cell.empty);
    await change(devnet, 2, { ...full, name: "annika" });
    await catchUp();
    expect(await namesIn(database)).toEqual(["anna.ton", "first.ton"]);
    const [item] = await readNftItems(database.sql(), [addressToBytes(someAddress(2))]);
    expect(item!.content).toEqual({ uri: "a" });
  });
});
