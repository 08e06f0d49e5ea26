import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../../server/errors.js";
import { ParamReader, type RawParams } from "../../../../server/rpc/params/params.js";
import { list, rule } from "../../../../shared/schema/input.js";
import {
  actionWords,
  address,
  addresses,
  bool,
  hash,
  hashes,
  int32,
  lt,
  nullableAddress,
  opcode,
  page,
  shard,
  someOpcodes,
  sort,
  text,
  utime,
} from "../../../../shared/schema/v3/params.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { cpuMs } from "../../../helpers/cpu-time.js";

const conversion = (place: string, more = "") =>
  `failed to decode: schema: error converting value for ${place}${more}`;

function read(shape: z.ZodObject["shape"] | z.ZodObject, given: RawParams): unknown {
  const schema = shape instanceof z.ZodObject ? shape : z.object(shape);
  try {
    return new ParamReader(schema, "v3").read(given).values;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.code, error.statusIn("v3")]).toEqual(["invalid-params", 422]);
    return error.textIn("v3");
  }
}
const inQuery = (shape: z.ZodObject["shape"] | z.ZodObject, query: string) =>
  read(shape, { query: [...new URLSearchParams(query)] });

const X = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const case1 = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const case6 = "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c";
const account = (raw: string) => Address.read(raw)!.address;
const zero = `0:${"0".repeat(64)}`;

describe("addresses of v3", () => {
  it.each([
    [case1, X],
    ["UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI", X],
    ["kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH", X],
    ["0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC", X],
    [X, X],
    [` ${X} `, X],
    [case6, zero],
    ["Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF", `-1:${"3".repeat(64)}`],
    ["EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/8/", `0:${"0".repeat(63)}3`],
    ["EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_8_", `0:${"0".repeat(63)}3`],
  ])("reads %s", (given, raw) => {
    expect(read({ account: address }, { object: { account: given } })).toEqual({ account: account(raw) });
  });

  it.each([
    "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M",
    X.slice(2),
    `128:${X.slice(2)}`,
    "null",
    "",
    5,
  ])("refuses %j", (given) => {
    expect(read({ account: address }, { object: { account: given } })).toBe(conversion('"account"'));
  });

  it("reads null as no address only where a message may have none", () => {
    expect(inQuery({ source: nullableAddress }, "source=null")).toEqual({ source: null });
    expect(inQuery({ source: nullableAddress }, "source=addr_none")).toEqual({ source: null });
    expect(inQuery({ source: nullableAddress }, `source=${case1}`)).toEqual({ source: account(X) });
    expect(inQuery({ source: nullableAddress }, "source=nil")).toBe(conversion('"source"'));
  });
});

describe("hashes of v3", () => {
  const ones = "//////////////////////////////////////////8=";
  it.each([
    ["ab".repeat(32), "ab".repeat(32)],
    [`0x${"AB".repeat(32)}`, "ab".repeat(32)],
    [`0X${"AB".repeat(32)}`, "ab".repeat(32)],
    [ones, "ff".repeat(32)],
    ["__________________________________________8=", "ff".repeat(32)],
    ["__________________________________________8", "ff".repeat(32)],
    [`${ones}====`, "ff".repeat(32)],
    ["------------------------------------------8=", `${"fbefbe".repeat(10)}fbef`],
  ])("reads %s", (given, hex) => {
    const { hash: bytes } = read({ hash }, { object: { hash: given } }) as { hash: Uint8Array };
    expect(bytesToHex(bytes)).toBe(hex);
  });

  it.each(["a".repeat(63), "a".repeat(45), `${"A".repeat(42)}==`, "", "x", 5])("refuses %j", (given) => {
    expect(read({ hash }, { object: { hash: given } })).toBe(conversion('"hash"'));
  });

  it("sees a blank where a plain + stood in the query", () => {
    expect(inQuery({ hash: hashes }, `hash=${"+".repeat(42)}8=`)).toBe(conversion('index 0 of "hash"'));
  });
});

describe("numbers of v3", () => {
  it.each([
    ["8000000000000000", -(2n ** 63n)],
    ["0x8000000000000000", -(2n ** 63n)],
    ["-9223372036854775808", -(2n ** 63n)],
    ["2000000000000000", 2n ** 61n],
    ["9223372036854775808", undefined],
    ["", undefined],
    ["xyz", undefined],
  ])("shard %j", (given, value) => {
    const wanted = value === undefined ? conversion('"shard"') : { shard: value };
    expect(inQuery({ shard }, `shard=${given}`)).toEqual(wanted);
  });

  it.each([
    ["0x94826557", 0x94826557],
    ["0XF14B54F3", 0xf14b54f3],
    ["-1", 0xffffffff],
    ["10", 0x10],
    ["123456789", 123456789],
    ["0", 0],
    ["4294967296", undefined],
    ["0x100000000", undefined],
    ["-2147483649", undefined],
    ["abcxyz", undefined],
    ["", undefined],
  ])("opcode %j", (given, value) => {
    const wanted = value === undefined ? conversion('"opcode"') : { opcode: value };
    expect(inQuery({ opcode }, `opcode=${given}`)).toEqual(wanted);
  });

  it.each([
    ["1.7e9", 1700000000],
    ["1700000000.9", 1700000000],
    ["4294967295", 4294967295],
    ["0", 0],
    ["5.", 5],
    [".5", 0],
    ["17E8", 1700000000],
    ["yesterday", undefined],
    ["-1", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["4294967296", undefined],
    ["1e999", undefined],
    ["", undefined],
  ])("start_utime %j", (given, value) => {
    const wanted = value === undefined ? conversion('"start_utime"') : { start_utime: value };
    expect(inQuery({ start_utime: utime }, `start_utime=${given}`)).toEqual(wanted);
  });

  it("refuses a long time at once: the pattern was quadratic, and 100,000 zeros took half a minute", () => {
    const zeros = "0".repeat(100_000);
    const long = [
      `${zeros}!`,
      `+${zeros}!`,
      `${zeros}.${zeros}!`,
      `.${zeros}!`,
      `1e${zeros}!`,
      `1.${zeros}e!`,
    ];
    for (const start_utime of long) {
      const used = cpuMs(1000, () => {
        expect(read({ start_utime: utime }, { object: { start_utime } })).toMatch(/"start_utime"|too long/);
      });
      expect(used, `${start_utime.slice(0, 3)}…`).toBeLessThan(1000);
    }
  });

  it.each([
    ["18446744073709551615", 2n ** 64n - 1n],
    ["", 0n],
    ["-1", undefined],
    ["1.5", undefined],
    ["0x10", undefined],
    ["18446744073709551616", undefined],
  ])("start_lt %j", (given, value) => {
    const wanted = value === undefined ? conversion('"start_lt"') : { start_lt: value };
    expect(inQuery({ start_lt: lt }, `start_lt=${given}`)).toEqual(wanted);
  });

  it.each([
    ["on", true],
    ["T", true],
    ["TRUE", true],
    ["F", false],
    ["", false],
    ["yes", undefined],
    ["TRue", undefined],
  ])("include_boc %j", (given, value) => {
    const wanted = value === undefined ? conversion('"include_boc"') : { include_boc: value };
    expect(inQuery({ include_boc: bool }, `include_boc=${given}`)).toEqual(wanted);
  });

  it("takes JSON values like their texts", () => {
    const object = { seqno: 5, lt: 7, include_boc: true, start_utime: 1.5, opcode: "-1", shard: -1 };
    expect(
      read({ seqno: int32, lt, include_boc: bool, start_utime: utime, opcode, shard }, { object }),
    ).toEqual({ seqno: 5, lt: 7n, include_boc: true, start_utime: 1, opcode: 0xffffffff, shard: -1n });
    const long = { lt: 2n ** 64n - 1n, shard: -(2n ** 63n) };
    expect(read({ lt, shard }, { object: long })).toEqual(long);
    expect(read({ lt }, { object: { lt: 2 ** 60 } })).toBe(conversion('"lt"'));
    expect(read({ seqno: int32 }, { object: { seqno: 1.5 } })).toBe(conversion('"seqno"'));
    expect(read({ seqno: int32 }, { object: { seqno: [1] } })).toBe(conversion('"seqno"'));
    expect(read({ seqno: int32 }, { object: { seqno: true } })).toBe(conversion('"seqno"'));
  });
});

describe("pages and order of v3", () => {
  const shape = { ...page({ initial: 10, max: 1000 }), sort };
  const wanted = (more: object) => ({ limit: 10, offset: 0, sort: "desc", ...more });

  it.each([
    ["", wanted({})],
    ["limit=1000&offset=100000", wanted({ limit: 1000, offset: 100000 })],
    ["limit=0", wanted({ limit: 1 })],
    ["limit=-3", wanted({ limit: 1 })],
    ["limit=", wanted({ limit: 1 })],
    ["offset=-1", wanted({})],
    ["sort=A", wanted({ sort: "asc" })],
    ["sort=ASC", wanted({ sort: "asc" })],
    ["sort=d", wanted({})],
    ["Limit=5", wanted({ limit: 5 })],
    ["limit=5&limit=7", wanted({ limit: 7 })],
    ["limit=5&LIMIT=7", wanted({ limit: 7 })],
    ["foo=bar", wanted({})],
    ["limit=1001", "limit is not allowed: 1001 > 1000"],
    ["sort=up", "wrong value for sort parameter"],
    ["limit=abc", conversion('"limit"')],
    ["limit=1.5", conversion('"limit"')],
    ["limit=3000000000", conversion('"limit"')],
  ])("%j", (query, result) => {
    expect(inQuery(shape, query)).toEqual(result);
  });
});

describe("lists, names and refusals of v3", () => {
  const shape = { account: addresses.optional(), limit: int32.optional(), lt: lt.optional() };
  const both = { account: [account(X), account(zero)] };

  it.each([
    [`account=${case1},${case6}`, both],
    [`account=${case1}&account=${case6}`, both],
    [`account[]=${case1}&account=${case6}`, both],
    [`ACCOUNT=${case1}&account=${case6}`, both],
    [`account=${case1},&account=&account=${case6}`, both],
    [`account=${case1}&account=bad`, conversion('index 1 of "account"')],
    [`account=${case1},bad`, conversion('index 0 of "account"')],
    [`account=&account=bad`, conversion('index 1 of "account"')],
    ["account[=x", "unmatched brackets"],
    ["other]=x", "unmatched brackets"],
    ["lt=x&limit=y", conversion('"lt"', " (and 1 other error)")],
    ["Limit=y&lt=x&account=z", conversion('"Limit"', " (and 2 other errors)")],
    ["Account=z&lt=x", conversion('index 0 of "Account"', " (and 1 other error)")],
  ])("%s", (query, wanted) => {
    expect(inQuery(shape, query)).toEqual(wanted);
  });

  it("takes lists over JSON-RPC as arrays or texts", () => {
    expect(read(shape, { object: { account: [case1, case6] } })).toEqual(both);
    expect(read(shape, { object: { account: `${case1},${case6}` } })).toEqual(both);
    expect(read(shape, { object: { account: [case1, 5] } })).toBe(conversion('index 1 of "account"'));
    expect(
      read({ a: actionWords, b: someOpcodes({}) }, { object: { a: "x,y", b: ["0x1,2", "-1"] } }),
    ).toEqual({
      a: ["x", "y"],
      b: [1, 2, 0xffffffff],
    });
  });

  it("refuses a list beyond its maximum before it reads an item", () => {
    let reads = 0;
    const readItem = (given: unknown) => {
      reads++;
      return String(given);
    };
    const few = { list: list({ type: "string" }, readItem, { atMost: { count: 3, text: "maximum 3" } }) };
    for (const given of [
      [1, 2, 3, 4],
      "a,b,c,d",
      ["a,b", "c,d"],
      new Array(100_000).fill("a,b"),
      [{}, {}, 3, []],
    ])
      expect(read(few, { object: { list: given } })).toBe("maximum 3");
    expect(reads).toBe(0);
    // Empty items do not count.
    expect(read(few, { object: { list: ["a,,b", "", ",c,"] } })).toEqual({ list: ["a", "b", "c"] });
  });

  it("converts every parameter before it looks at rules", () => {
    const ruled = z
      .object({ contract: text.optional(), ...page({ initial: 10, max: 100 }) })
      .check(rule(({ contract }) => (contract ? undefined : "contract is required")));
    expect(inQuery(ruled, "limit=x")).toBe(conversion('"limit"'));
    expect(inQuery(ruled, "limit=101")).toBe("limit is not allowed: 101 > 100");
    expect(inQuery(ruled, "")).toBe("contract is required");
    expect(inQuery(ruled, "contract=a")).toEqual({ contract: "a", limit: 10, offset: 0 });
  });
});
