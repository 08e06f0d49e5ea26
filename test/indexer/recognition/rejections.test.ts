import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { addressForms } from "../../helpers/chain/address-forms.js";
import { openGenesisAccounts, type PlacedAccount } from "../../helpers/chain/genesis-accounts.js";
import { type Reply, statedData, statingCode } from "../../helpers/contracts/stating-contract.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { isLong } from "../../helpers/effort.js";
import { someAddress, startDetectionOf } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { anyKind, type FreshDatabase } from "../../helpers/store/databases.js";
import { dumpTables } from "../../helpers/store/tables.js";

/** Type of a value. `content` is a cell with token content. */
type Entry = "int" | "int64" | "address" | "maybeAddress" | "cell" | "maybeCell" | "content";
/** The values that a get-method returns, in their order. */
type Stack = readonly (readonly [name: string, Entry, StackValue])[];
type Variant = readonly [what: string, Reply];
/** Results of an owner's methods for the contract at this address. */
type Replies = (address: Address) => readonly Reply[];

const int = (value: bigint | number): StackValue => ({ type: "int", value: BigInt(value) });
const cell = (of: Builder = beginCell()): StackValue => ({ type: "cell", cell: of.endCell() });
const slice = (of: Builder = beginCell()): StackValue => ({ type: "slice", cell: of.endCell() });
const nothing: StackValue = { type: "null" };
const nan: StackValue = { type: "nan" };
const tuple: StackValue = { type: "tuple", items: [] };
const builder: StackValue = { type: "builder", cell: Cell.empty };

const anybody = someAddress(0xaa);
const forms = addressForms(anybody);
const at = (address: Address) => slice(beginCell().storeAddress(address));
const inForm = (form: keyof typeof forms) => slice(forms[form]!.store(beginCell()));
const content = cell(beginCell().storeUint(0x0161, 16));

const noInt: [string, StackValue][] = [
  ["null", nothing],
  ["a cell", cell()],
  ["a slice", slice()],
  ["a tuple", tuple],
  ["not a number", nan],
];
const noCell: [string, StackValue][] = [
  ["an integer", int(0)],
  ["a slice", slice()],
  ["a builder", builder],
];
const noMaybeAddress: [string, StackValue][] = [
  ["an integer", int(0)],
  ["a cell", cell(beginCell().storeAddress(anybody))],
  ["an empty slice", slice()],
  ["addr_none and a bit", slice(beginCell().storeUint(0, 3))],
  ["addr_extern", inForm("addr_extern")],
  ["addr_var", inForm("addr_var")],
  ["cut", slice(beginCell().storeUint(0b100, 3).storeUint(0, 8).storeUint(0, 255))],
];

const wrong: Record<Entry, readonly [string, StackValue][]> = {
  int: noInt,
  int64: [...noInt, ["2^63", int(2n ** 63n)], ["-2^63 - 1", int(-(2n ** 63n) - 1n)]],
  address: [...noMaybeAddress, ["null", nothing], ["addr_none", inForm("addr_none")]],
  maybeAddress: noMaybeAddress,
  cell: [...noCell, ["null", nothing]],
  maybeCell: noCell,
  content: [
    ...noCell,
    ["null", nothing],
    ["empty", cell()],
    ["of no known form", cell(beginCell().storeUint(0x02, 8))],
  ],
};

const ofAddress: [string, StackValue][] = [
  ["addr_std with anycast", inForm("addr_std with anycast")],
  ["an address and more", slice(beginCell().storeAddress(anybody).storeUint(5, 9))],
];

const right: Record<Entry, readonly [string, StackValue][]> = {
  int: [
    ["-2^256", int(-(2n ** 256n))],
    ["2^256 - 1", int(2n ** 256n - 1n)],
  ],
  int64: [
    ["-2^63", int(-(2n ** 63n))],
    ["2^63 - 1", int(2n ** 63n - 1n)],
  ],
  address: ofAddress,
  maybeAddress: [...ofAddress, ["addr_none", inForm("addr_none")], ["null", nothing]],
  cell: [["empty", cell()]],
  maybeCell: [["null", nothing]],
  content: [],
};

const valuesOf = (stack: Stack) => stack.map(([, , value]) => value);

/** All in the long run, and in `npm test` one of them in turn, so that each occurs at some place of a stack. */
const oneOf = <T>(all: readonly T[], place: number): readonly T[] =>
  isLong ? all : all.filter((_, at) => at === place % all.length);

/** Answers of which one value is not as it must be, and other ways to fail. */
function wrongVariants(stack: Stack): Variant[] {
  const values = valuesOf(stack);
  const withWrongValue = stack.flatMap(([name, entry], place) =>
    oneOf(wrong[entry], place).map(
      ([what, value]): Variant => [`${name} is ${what}`, values.with(place, value)],
    ),
  );
  return [
    ...withWrongValue,
    ["the last value is missing", values.slice(0, -1)],
    ["there are no values", []],
    ["it throws", { throws: 77 }],
    ["it throws 2", { throws: 2 }],
  ];
}

/** Answers that are as good as the plain one. Values in `linked` are fixed by another contract. */
function rightVariants(stack: Stack, linked: readonly string[] = []): Variant[] {
  const values = valuesOf(stack);
  const free = stack.flatMap(([name, entry], place) =>
    linked.includes(name)
      ? []
      : oneOf(right[entry], place).map(
          ([what, value]): Variant => [`${name} is ${what}`, values.with(place, value)],
        ),
  );
  return [
    ...free,
    ["it is as usual", values],
    ["there is one more value", [...values, nothing]],
    ["it exits with 1", { alternative: values }],
  ];
}

/** A kind by its table, and the result of its contracts' method. */
type Kind = {
  what: string;
  table: string;
  method: string;
  /** For a contract at this address. */
  stack(at: Address): Stack;
  linked?: readonly string[];
  /** Further answers that are wrong. */
  alsoWrong?(stack: Stack): Variant[];
};

const listOf = (form: (builder: Builder) => Builder): StackValue =>
  // hml_long$10 n:(## 4) s:(n * Bit), of one entry with key 0
  cell(form(beginCell().storeUint(0x2800, 14)));
const signers = listOf(forms["addr_std"]!.store);
const wrongLists: [what: string, StackValue][] = [
  ["the list is no dictionary", cell()],
  ...["addr_none", "addr_extern", "addr_var"].map((form): [string, StackValue] => [
    `the list has ${form}`,
    listOf(forms[form]!.store),
  ]),
];

const [fixedPrice, auction] = [0x46495850, 0x415543];

const saleStack: Stack = [
  ["is_complete", "int", int(0)],
  ["created_at", "int64", int(1_700_000_001)],
  ["marketplace", "address", at(someAddress(0xb1))],
  ["nft", "address", at(someAddress(0xb2))],
  ["owner", "maybeAddress", at(someAddress(0xb3))],
  ["full_price", "int", int(1000)],
  ["fee address", "address", at(someAddress(0xb4))],
  ["fee", "int", int(50)],
  ["royalty address", "address", at(someAddress(0xb5))],
  ["royalty", "int", int(70)],
];

const auctionStack: Stack = [
  ["end", "int", int(0)],
  ["end_time", "int64", int(1_800_000_000)],
  ["marketplace", "address", at(someAddress(0xb1))],
  ["nft", "address", at(someAddress(0xb2))],
  ["owner", "maybeAddress", at(someAddress(0xb3))],
  ["last_bid", "int", int(900)],
  ["last_member", "maybeAddress", at(someAddress(0xb6))],
  ["min_step", "int64", int(5)],
  ["fee address", "address", at(someAddress(0xb4))],
  ["fee factor", "int64", int(1)],
  ["fee base", "int64", int(20)],
  ["royalty address", "address", at(someAddress(0xb5))],
  ["royalty factor", "int64", int(3)],
  ["royalty base", "int64", int(40)],
  ["max_bid", "int", int(5000)],
  ["min_bid", "int", int(100)],
  ["created_at", "int64", int(1_700_000_002)],
  ["last_bid_at", "int64", int(1_700_000_003)],
  ["is_canceled", "int", int(0)],
];

const auctionV4Stack: Stack = [
  ["activated", "int", int(-1)],
  ...auctionStack,
  ["step_time", "int64", int(60)],
  ["last_query_id", "int", int(7)],
  ["jetton_wallet", "maybeAddress", inForm("addr_none")],
  ["jetton_master", "maybeAddress", inForm("addr_none")],
  ["is_broken", "int", int(0)],
  ["public_key", "int", int(0)],
];

const master = someAddress(0xd1);
const collection = someAddress(0xd2);
/** Confirms a wallet at the owner's own address. */
const masterCode = "get fun get_wallet_address(of: slice): slice { return of; }";
const multisig = someAddress(0xd3);
/** Confirms the order of a number at the address with the number as id. */
const multisigCode = `
  get fun get_order_address(seqno: int): slice {
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(seqno, 256).endCell().beginParse();
  }`;
/** Confirms items in the same way. */
const collectionCode = `
  get fun get_nft_address_by_index(index: int): slice {
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(index, 256).endCell().beginParse();
  }
  get fun get_nft_content(index: int, individual: cell): cell { return individual; }`;
const idOf = ({ hash }: Address) => BigInt(`0x${bytesToHex(hash)}`);

const walletStack = (address: Address, of = master): Stack => [
  ["balance", "int", int(5)],
  ["owner", "address", at(address)],
  ["jetton", "address", at(of)],
  ["wallet code", "cell", cell()],
];

const itemStack = (address: Address, of = collection): Stack => [
  ["init", "int", int(-1)],
  ["index", "int", int(idOf(address))],
  ["collection", "maybeAddress", at(of)],
  ["owner", "maybeAddress", at(anybody)],
  ["individual content", "content", content],
];

const kinds: Kind[] = [
  {
    what: "jetton master",
    table: "jetton_masters",
    method: "get_jetton_data()",
    stack: () => [
      ["total_supply", "int", int(5)],
      ["mintable", "int", int(-1)],
      ["admin", "maybeAddress", at(anybody)],
      ["content", "content", content],
      ["wallet code", "cell", cell()],
    ],
  },
  {
    what: "jetton wallet",
    table: "jetton_wallets",
    method: "get_wallet_data()",
    stack: (address) => walletStack(address),
    linked: ["owner", "jetton"],
  },
  {
    what: "NFT collection",
    table: "nft_collections",
    method: "get_collection_data()",
    stack: () => [
      ["next_item_index", "int", int(3)],
      ["content", "content", content],
      ["owner", "maybeAddress", at(anybody)],
    ],
  },
  {
    what: "NFT item of a collection",
    table: "nft_items",
    method: "get_nft_data()",
    stack: (address) => itemStack(address),
    linked: ["index", "collection"],
  },
  ...[inForm("addr_none"), nothing].map(
    (none): Kind => ({
      what: `NFT item with ${none.type === "null" ? "null" : "addr_none"} for a collection`,
      table: "nft_items",
      method: "get_nft_data()",
      stack: (address) => itemStack(address).with(2, ["collection", "maybeAddress", none] as const),
      linked: ["collection"],
    }),
  ),
  {
    what: "sale",
    table: "nft_sales",
    method: "get_sale_data()",
    stack: () => [["magic", "int", int(fixedPrice)], ...saleStack],
    linked: ["magic"],
    alsoWrong: (stack) => [
      ["magic is of an auction", valuesOf(stack).with(0, int(auction))],
      ["magic is 0", valuesOf(stack).with(0, int(0))],
    ],
  },
  {
    what: "sale of version 4",
    table: "nft_sales",
    method: "get_fix_price_data_v4()",
    stack: () => [
      ...saleStack,
      ["sold_at", "int64", int(0)],
      ["sold_query_id", "int", int(0)],
      ["prices", "maybeCell", nothing],
    ],
    alsoWrong: (stack) => [["prices is no dictionary", valuesOf(stack).with(-1, cell())]],
  },
  {
    what: "auction",
    table: "nft_auctions",
    method: "get_sale_data()",
    stack: () => [["magic", "int", int(auction)], ...auctionStack],
    linked: ["magic"],
    alsoWrong: (stack) => [
      ["magic is of a sale", valuesOf(stack).with(0, int(fixedPrice))],
      ["magic is 0", valuesOf(stack).with(0, int(0))],
    ],
  },
  {
    what: "auction of version 4",
    table: "nft_auctions",
    method: "get_auction_data_v4()",
    stack: () => auctionV4Stack,
  },
  {
    what: "multisig wallet",
    table: "multisigs",
    method: "get_multisig_data()",
    stack: () => [
      ["next_order_seqno", "int", int(-1)],
      ["threshold", "int64", int(2)],
      ["signers", "maybeCell", signers],
      ["proposers", "maybeCell", nothing],
    ],
    alsoWrong: (stack) =>
      [2, 3].flatMap((place) =>
        wrongLists.map(([what, value]): Variant => [`${place}: ${what}`, valuesOf(stack).with(place, value)]),
      ),
  },
  {
    what: "multisig order",
    table: "multisig_orders",
    method: "get_order_data()",
    stack: (address) => [
      ["multisig", "address", at(multisig)],
      ["seqno", "int", int(idOf(address))],
      ["threshold", "int64", int(2)],
      ["sent", "int", int(0)],
      ["signers", "cell", signers],
      ["mask", "int", int(1)],
      ["approvals", "int64", int(1)],
      ["expiration", "int64", int(1_800_000_000)],
      ["order", "cell", cell()],
    ],
    linked: ["multisig", "seqno", "signers"],
    alsoWrong: (stack) => [
      ...wrongLists.map(([what, value]): Variant => [what, valuesOf(stack).with(4, value)]),
      ["another order has its number", valuesOf(stack).with(1, int(7))],
      ["the wallet is not there", valuesOf(stack).with(0, at(someAddress(0x99)))],
      ["the wallet is none", valuesOf(stack).with(0, at(master))],
    ],
  },
];

/** Answers of a contract that must confirm the one at this address, where it does not. */
function refusals(address: Address): Variant[] {
  const another = new Address(0, address.hash.with(0, 0xff));
  return [
    ...wrongVariants([["the address", "address", at(address)]]),
    ["it is another address", [at(another)]],
    ["it is the address in another workchain", [at(new Address(-1, address.hash))]],
  ];
}

/** The replies that confirm it. */
const consents = (address: Address) =>
  rightVariants([["the address", "address", at(address)]], ["the address"]);

/** Each of these answers by its title, as a function of the address. */
function eachOf(variants: (address: Address) => readonly Variant[]) {
  return variants(anybody).map(
    ([title], i) => [title, (address: Address) => variants(address)[i]![1]] as const,
  );
}

const claims: [what: string, Reply, boolean | null][] = [
  ["-1", [int(-1)], true],
  ["0", [int(0)], false],
  ["5 and more", [int(5), nothing], true],
  ["0 with exit code 1", { alternative: [int(0)] }, false],
  ...noInt.map(([what, value]): [string, Reply, null] => [what, [value], null]),
  ["nothing", [], null],
  ["it throws", { throws: 77 }, null],
  ["it never ends", { neverEnds: true }, null],
];

/** Answers of an auction of version 4, by whether the older method of the same contract counts. */
const auctionsOfBoth: [what: string, Reply, isRead: boolean][] = [
  ["throws", { throws: 77 }, true],
  ["lacks a value", valuesOf(auctionV4Stack).slice(0, -1), true],
  ["has null for a number", valuesOf(auctionV4Stack).with(1, nothing), true],
  ["has null for an address", valuesOf(auctionV4Stack).with(4, nothing), true],
  ["is as it must be", valuesOf(auctionV4Stack), true],
  ["sells no item", valuesOf(auctionV4Stack).with(4, inForm("addr_none")), false],
  ["has an external bidder", valuesOf(auctionV4Stack).with(7, inForm("addr_extern")), false],
  ["ends after 64 bits", valuesOf(auctionV4Stack).with(2, int(2n ** 64n)), false],
];

/** Contracts of one zero state, in groups, by their answers. */
class Placed {
  readonly accounts: PlacedAccount[] = [];
  readonly groups = new Map<string, [what: string, address: Address][]>();
  #addresses = 0;

  address(): Address {
    const hash = new Uint8Array(32).fill(0x11);
    new DataView(hash.buffer).setUint16(0, ++this.#addresses);
    return new Address(0, hash);
  }

  /** An address in a group. */
  next(group: string, what: string): Address {
    const address = this.address();
    this.groups.set(group, [...(this.groups.get(group) ?? []), [what, address]]);
    return address;
  }

  async place(address: Address, code: string, ...replies: Reply[]): Promise<void> {
    this.accounts.push({ address, code: await compile(code), data: statedData(...replies) });
  }
}

/** Separate code for endless methods: such a contract is not recognised, because it burns all its gas. */
const endless = (...methods: string[]) => statingCode(...methods, "of_its_own()");
const never: Reply = { neverEnds: true };

async function placeKind(
  placed: Placed,
  { what, method, stack, linked, alsoWrong = () => [] }: Kind,
): Promise<void> {
  const code = statingCode(method);
  const placeAll = async (group: string, variants: (stack: Stack) => readonly Variant[]) => {
    for (const [title, reply] of eachOf((address) => variants(stack(address)))) {
      const address = placed.next(group, title);
      await placed.place(address, code, reply(address));
    }
  };
  await placeAll(`wrong ${what}`, (own) => [...wrongVariants(own), ...alsoWrong(own)]);
  await placeAll(`right ${what}`, (own) => rightVariants(own, linked));
  await placed.place(placed.next(`wrong ${what}`, "it never ends"), endless(method), never);
}

/** Wallets, each with its own master, which is asked for the wallet's address. */
async function placeWallets(placed: Placed): Promise<void> {
  const own = statingCode("get_wallet_data()");
  const asked = "get_wallet_address(of: slice)";
  const placeWallet = async (group: string, title: string, master?: [code: string, Replies]) => {
    const [of, wallet] = [placed.address(), placed.next(group, title)];
    if (master) await placed.place(of, master[0], ...master[1](wallet));
    await placed.place(wallet, own, valuesOf(walletStack(wallet, of)));
  };
  const code = statingCode(asked);
  for (const [title, reply] of eachOf(refusals))
    await placeWallet("refused wallet", title, [code, (wallet) => [reply(wallet)]]);
  for (const [title, reply] of eachOf(consents))
    await placeWallet("confirmed wallet", title, [code, (wallet) => [reply(wallet)]]);
  await placeWallet("refused wallet", "the master never ends", [endless(asked), () => [never]]);
  await placeWallet("refused wallet", "the master has no method", [statingCode("get_other()"), () => []]);
  await placeWallet("refused wallet", "there is no master");
}

/** Items, each with its own collection, which is asked for the item's address and content. */
async function placeItems(placed: Placed): Promise<void> {
  const own = statingCode("get_nft_data()");
  const asked = ["get_nft_address_by_index(index: int)", "get_nft_content(index: int, individual: cell)"];
  const placeItem = async (group: string, title: string, collection?: [code: string, Replies]) => {
    const [of, item] = [placed.address(), placed.next(group, title)];
    if (collection) await placed.place(of, collection[0], ...collection[1](item));
    await placed.place(item, own, valuesOf(itemStack(item, of)));
  };
  const code = statingCode(...asked);
  for (const [title, reply] of eachOf(refusals))
    await placeItem("refused item", title, [code, (item) => [reply(item), [content]]]);
  for (const [title, reply] of eachOf(consents))
    await placeItem("confirmed item", title, [code, (item) => [reply(item), [content]]]);
  const contents: Stack = [["the content", "content", content]];
  for (const [title, reply] of wrongVariants(contents))
    await placeItem("refused item", title, [code, (item) => [[at(item)], reply]]);
  for (const [title, reply] of rightVariants(contents))
    await placeItem("confirmed item", title, [code, (item) => [[at(item)], reply]]);
  const lacking = statingCode(asked[0]!);
  await placeItem("refused item", "the collection lacks content", [lacking, (item) => [[at(item)]]]);
  await placeItem("refused item", "the collection never ends", [endless(...asked), () => [never, [content]]]);
  await placeItem("refused item", "its content never ends", [
    endless(...asked, "another()"),
    (item) => [[at(item)], never],
  ]);
  await placeItem("refused item", "there is no collection");
}

async function placeClaims(placed: Placed): Promise<void> {
  for (const [title, reply] of claims) {
    const methods = ["get_wallet_data()", "is_claimed()"];
    const wallet = placed.next("claims", title);
    const code = "neverEnds" in reply ? endless(...methods) : statingCode(...methods);
    await placed.place(wallet, code, valuesOf(walletStack(wallet)), reply);
  }
}

async function placeAuctions(placed: Placed): Promise<void> {
  const code = statingCode("get_auction_data_v4()", "get_sale_data()");
  const older = [int(auction), ...valuesOf(auctionStack)];
  for (const [title, reply, isRead] of auctionsOfBoth)
    await placed.place(placed.next(isRead ? "read auction" : "no auction", title), code, reply, older);
}

const [, openDatabase] = anyKind;
const placed = new Placed();
let fresh: FreshDatabase;
beforeAll(async () => {
  placed.accounts.push({ address: master, code: await compile(masterCode), data: Cell.empty });
  placed.accounts.push({ address: collection, code: await compile(collectionCode), data: Cell.empty });
  placed.accounts.push({ address: multisig, code: await compile(multisigCode), data: Cell.empty });
  for (const kind of kinds) await placeKind(placed, kind);
  await placeWallets(placed);
  await placeItems(placed);
  await placeClaims(placed);
  await placeAuctions(placed);
  fresh = await openDatabase();
  const { chain, api } = await openGenesisAccounts(placed.accounts);
  const { detection, close } = await startDetectionOf(api);
  await indexAll(fresh.database, api, { detection });
  await close();
  await chain.close();
});
afterAll(() => fresh.close());

type Row = { address: string; mintless_is_claimed: boolean | null };
const rowsOf = async (table: string) => {
  const { [table]: rows } = await dumpTables(fresh.database, [table]);
  return new Map(rows!.map((text) => [(JSON.parse(text) as Row).address, JSON.parse(text) as Row]));
};
const bytea = ({ workchain, hash }: Address) =>
  `\\x${bytesToHex(new Uint8Array([workchain & 0xff, ...hash]))}`;
/** The answers of a group's contracts, by whether the table has a row for them. */
async function recognised(group: string, table: string): Promise<{ yes: string[]; no: string[] }> {
  const rows = await rowsOf(table);
  const titles = (isIn: boolean) =>
    placed.groups
      .get(group)!
      .filter(([, address]) => rows.has(bytea(address)) === isIn)
      .map(([what]) => what);
  return { yes: titles(true), no: titles(false) };
}
const titlesOf = (group: string) => placed.groups.get(group)!.map(([what]) => what);
const all = (group: string) => ({ yes: titlesOf(group), no: [] });
const none = (group: string) => ({ yes: [], no: titlesOf(group) });

describe.each(kinds)("a contract that answers as a $what", ({ what, table }) => {
  it("is none if a value is of another form or missing, or cannot be had", async () => {
    expect(await recognised(`wrong ${what}`, table)).toEqual(none(`wrong ${what}`));
  });

  it("is one with any valid values", async () => {
    expect(await recognised(`right ${what}`, table)).toEqual(all(`right ${what}`));
  });
});

describe.each([
  ["wallet", "jetton_wallets"],
  ["item", "nft_items"],
])("a contract that names an owner: a %s", (what, table) => {
  it("is none unless the owner confirms it", async () => {
    expect(await recognised(`refused ${what}`, table)).toEqual(none(`refused ${what}`));
    expect(await recognised(`confirmed ${what}`, table)).toEqual(all(`confirmed ${what}`));
  });
});

describe("a wallet", () => {
  it("has claimed its airdrop or not by its answer, and is a wallet in any case", async () => {
    const rows = await rowsOf("jetton_wallets");
    const found = placed.groups
      .get("claims")!
      .map(([what, address]) => [what, rows.get(bytea(address))?.mintless_is_claimed]);
    expect(found).toEqual(claims.map(([what, , claimed]) => [what, claimed]));
  });
});

describe("an auction of several versions", () => {
  it("is read by the older method unless it answers in the form of the newer one", async () => {
    expect(await recognised("read auction", "nft_auctions")).toEqual(all("read auction"));
    expect(await recognised("no auction", "nft_auctions")).toEqual(none("no auction"));
  });
});
