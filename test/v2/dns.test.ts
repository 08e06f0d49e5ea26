import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import { anySlice, bytesKey, cellRef, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { categoryKey } from "../../shared/ton/contracts/dns-record.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const root = testAddress("1");
const item = testAddress("2");
const single = testAddress("3");
const liar = testAddress("4");
const nothing = testAddress("5");
const odd = testAddress("6");
const failing = testAddress("7");
const mixed = testAddress("8");
const noDictionary = testAddress("a");
const wallets = testAddress("b");
const half = testAddress("c");

const addressOf = (raw: string) => Address.read(raw)!.address;
const owner = new Address(0, new Uint8Array(32).fill(0xcd));
const adnl = new Uint8Array(32).fill(0x11);
const bag = new Uint8Array(32).fill(0x22);

const text = (value: string) => beginCell().storeUint(0x1eda, 16).storeUint(2, 8).storeUint(value.length, 8);
const records: readonly (readonly [string, Builder])[] = [
  ["wallet", beginCell().storeUint(0x9fd3, 16).storeAddress(owner).storeUint(0, 8)],
  ["site", beginCell().storeUint(0xad01, 16).storeBytes(adnl).storeUint(0, 8)],
  ["storage", beginCell().storeUint(0x7473, 16).storeBytes(bag)],
  ["dns_next_resolver", beginCell().storeUint(0xba93, 16).storeAddress(owner)],
  [
    "note",
    text("hello ")
      .storeBytes(Buffer.from("hello "))
      .storeRef(beginCell().storeUint(5, 8).storeBytes(Buffer.from("world")).endCell()),
  ],
  ["strange", beginCell().storeUint(0x1234, 16)],
  ["cut", beginCell().storeUint(0x9fd3, 16).storeUint(4, 3)],
];
const recordSet = Dictionary.empty(bytesKey(32), cellRef).update(
  records.map(([name, record]) => [categoryKey(name), record.endCell()] as const),
).root!;
const nextResolver = beginCell().storeUint(0xba93, 16).storeAddress(addressOf(item)).endCell();

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  // All have the name as a slice, the category and the method's number on the stack. The root resolves all of a name
  // except its last zero byte, and returns the next resolver.
  await place(service, { address: root, code: codeOf("3030D749A6F8ED44"), data: nextResolver });
  // The item resolves the empty name, one zero byte, to its records.
  await place(service, { address: item, code: codeOf("30303078ED44"), data: recordSet });
  await place(service, { address: single, code: codeOf("30303078ED44"), data: records[0]![1].endCell() });
  // Claims five bytes of any name, however short, and names a next resolver.
  await place(service, { address: liar, code: codeOf("3030308028ED44"), data: nextResolver });
  await place(service, { address: nothing, code: codeOf("303030706D") });
  await place(service, { address: odd, code: codeOf("30303073ED44"), data: nextResolver });
  await place(service, { address: failing, code: codeOf("F2C258") });
  // A dictionary where one of two values is no record.
  const leaves = Dictionary.empty(bytesKey(32), anySlice).update([
    [categoryKey("wallet"), beginCell().storeRef(records[0]![1].endCell()).endCell().parse()],
    [categoryKey("site"), beginCell().storeBit(true).storeRef(records[1]![1].endCell()).endCell().parse()],
  ]);
  await place(service, { address: mixed, code: codeOf("30303078ED44"), data: leaves.root! });
  await place(service, { address: noDictionary, code: codeOf("30303078ED44"), data: nextResolver });
  // Like the root, but with a wallet instead of a next resolver.
  const wallet = records[0]![1].endCell();
  await place(service, { address: wallets, code: codeOf("3030D749A6F8ED44"), data: wallet });
  // Resolves two bytes of any name.
  await place(service, { address: half, code: codeOf("3030308010ED44"), data: nextResolver });
});
afterAll(() => service.close());

type Entry = { name: string; category: string; entry: object };
const resolve = async (params: object) =>
  (await service.run<{ entries: Entry[] }>("dnsResolve", params)).entries;
const account = (address: Address) => ({ "@type": "accountAddress", account_address: address.toFriendly() });
const walletEntry = {
  "@type": "dns.entry",
  name: "",
  category: bytesToBase64(categoryKey("wallet")),
  entry: { "@type": "dns.entryDataSmcAddress", smc_address: account(owner) },
};

describe("dnsResolve", () => {
  describe("a name", () => {
    it("resolves to all its records, of every kind", async () => {
      const entries = await resolve({ address: item });
      const byCategory = new Map(entries.map(({ category, entry }) => [category, entry]));
      const entry = (name: string) => byCategory.get(bytesToBase64(categoryKey(name)));
      expect(entries).toHaveLength(records.length);
      expect(entries).toContainEqual({ ...walletEntry, name: "." });
      expect(entry("site")).toEqual({
        "@type": "dns.entryDataAdnlAddress",
        adnl_address: {
          "@type": "adnlAddress",

          adnl_address: adnlText(),
        },
      });
      expect(entry("storage")).toEqual({ "@type": "dns.entryDataStorageAddress", bag_id: bytesToHex(bag) });
      expect(entry("dns_next_resolver")).toEqual({
        "@type": "dns.entryDataNextResolver",
        resolver: account(owner),
      });
      expect(entry("note")).toEqual({ "@type": "dns.entryDataText", text: "hello world" });
      for (const name of ["strange", "cut"])
        expect(entry(name)).toEqual({
          "@type": "dns.entryDataUnknown",
          bytes: bocText(records.find(([each]) => each === name)![1].endCell()),
        });
    });

    it("resolves to one record of one category, given by name or by key", async () => {
      const key = categoryKey("wallet");
      for (const category of ["wallet", bytesToHex(key), bytesToBase64(key)])
        expect(await resolve({ address: single, category })).toEqual([{ ...walletEntry, name: "." }]);
    });

    it("is followed from resolver to resolver as far as ttl allows", async () => {
      const next = {
        "@type": "dns.entry",
        name: "foundation.",
        category: "GfAkQe5Yj9sm7iSyVo3QNcPJIG4Rq5eb5i5VVYodF/8=",
        entry: { "@type": "dns.entryDataNextResolver", resolver: account(addressOf(item)) },
      };
      for (const name of ["foundation", "foundation."]) {
        expect(await resolve({ address: root, name })).toEqual([next]);
        expect(await resolve({ address: root, name, ttl: 0 })).toEqual([next]);
        expect(await resolve({ address: root, name, ttl: 1 })).toContainEqual(walletEntry);
        expect(await resolve({ address: root, name, ttl: 2 ** 31 - 1 })).toContainEqual(walletEntry);
      }
      expect(await resolve({ address: root, name: "a.foundation" })).toEqual([
        { ...next, name: "a.foundation." },
      ]);
    });

    it("that is not registered resolves to nothing", async () => {
      expect(await resolve({ address: nothing, name: "nobody" })).toEqual([]);
    });

    it("is answered alike in all wire forms", async () => {
      const ends = await service.inAllForms("dnsResolve", {
        address: item,
        name: "",
        ttl: "0",
        category: "",
      });
      const [[, first]] = ends as [[string, object]];
      for (const [form, ended] of ends) expect([form, ended]).toEqual([form, first]);
    });
  });

  describe("a resolver that breaks the rules", () => {
    it.each([
      [liar, "abcdefgh", "INTERNAL: domain is not a suffix of the query"],
      [half, "aa", "next resolver error: domain split not at a component boundary "],
      [wallets, "a", "INTERNAL: dns entry is not 'next resolver'"],
      [odd, "abcdefgh", "Prefix size is not divisible by 8"],
      [failing, "a", "get method failed"],
      [testAddress("9"), "a", "get method failed"],
      [liar, "a", "Got a vm exception: integer out of range"],
      [single, "", "Got a vm exception: invalid dictionary fork node"],
      [noDictionary, "", "Got a vm exception: error while parsing a dictionary node label"],
    ])("%s fails the call for the name %s", async (address, name, error) => {
      const { status, json } = await service.post("/api/v2/dnsResolve", { address, name, ttl: 5 });
      expect([status, json]).toMatchObject([500, { error, code: 500 }]);
    });

    it.each([
      ["nothing", "303030", "stack underflow"],
      ["a cell alone", "303030ED44", "stack underflow"],
      ["two numbers", "3030307878", "not a cell"],
      ["a slice", "30303078C8C9D0", "not a cell"],
      ["two cells", "303030ED44ED44", "not an integer"],
      ["a negative number", "3030307FED44", "integer out of range"],
      ["no number", "30303083FFED44", "integer out of range"],
    ])("fails the call by %s", async (_, code, error) => {
      const address = testAddress("d");
      await place(service, { address, code: codeOf(code), data: nextResolver });
      const { status, json } = await service.post("/api/v2/dnsResolve", { address, name: "a" });
      expect([status, json]).toMatchObject([500, { error: `Got a vm exception: ${error}`, code: 500 }]);
    });

    it("is answered where tonlib does not look: no record beside others, no next resolver without ttl", async () => {
      expect(await resolve({ address: mixed })).toEqual([{ ...walletEntry, name: "." }]);
      expect(await resolve({ address: wallets, name: "a" })).toMatchObject([{ name: "a." }]);
    });
  });

  describe("a name that no resolver can be asked for", () => {
    const encoded = "DNS encoded name is too long";
    const whole = "Name is too long";
    it.each([
      ["a".repeat(126), encoded],
      [`${"a".repeat(126)}.`, encoded],
      ["a".repeat(127), encoded],
      ["ä".repeat(63), encoded],
      ["a".repeat(128), whole],
      ["a.".repeat(128), whole],
      ["€".repeat(256), whole],
    ])("%s is refused in tonlib's words", async (name, error) => {
      const { status, json } = await service.post("/api/v2/dnsResolve", { address: nothing, name });
      expect([status, json]).toMatchObject([500, { error, code: 500 }]);
    });
  });

  describe("bad parameters", () => {
    const tooLong = "failed to validate request: name is too long: at most 256 characters";
    it.each([
      [{ address: item, ttl: -1 }, "failed to validate request: ttl should be non-negative"],
      [{ address: item, name: "a".repeat(257) }, tooLong],
      [{ address: item, seqno: 0 }, "failed to validate request: seqno should be positive"],
      [{ address: item, name: 5 }, "failed to parse post request: failed to parse name"],
      [{ name: "a" }, "failed to parse post request: address is required"],
    ])("%j are refused", async (params, error) => {
      const { status, json } = await service.post("/api/v2/dnsResolve", params);
      expect([status, json]).toMatchObject([422, { error, code: 422 }]);
    });

    it("include a name of a megabyte, refused before anything is read", async () => {
      for (const name of [".".repeat(1_000_000), "a.".repeat(500_000)]) {
        const { status, json } = await service.post("/api/v2/dnsResolve", { address: item, name, seqno: 0 });
        expect([status, json]).toMatchObject([422, { error: tooLong }]);
      }
    });

    it("do not include names of 126 bytes with their final dot", async () => {
      for (const name of ["a".repeat(125), `${"ä".repeat(62)}a`, `${"a".repeat(125)}.`])
        expect(await resolve({ address: nothing, name })).toEqual([]);
    });
  });
});

/** The text of the ADNL address, computed independently: bits in groups of five. */
function adnlText(): string {
  const bytes = Buffer.concat([Buffer.from([0x2d]), adnl]);
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  const all = Buffer.concat([bytes, Buffer.from([crc >> 8, crc & 0xff])]);
  const bits = [...all].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = bits
    .match(/.{5}/g)!
    .map((group) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(group, 2)]);
  return digits.join("").slice(1);
}
