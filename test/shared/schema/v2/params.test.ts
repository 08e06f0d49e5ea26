import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../../server/errors.js";
import { ParamReader, type RawParams } from "../../../../server/rpc/params/params.js";
import { list, rule } from "../../../../shared/schema/input.js";
import { decimals, matching } from "../../../../shared/schema/patterns.js";
import {
  accountAddress,
  bytes,
  count,
  hashes,
  int32,
  int64,
  optionalAccountId,
  optionalFlag,
  optionalHash,
  shard,
  text,
} from "../../../../shared/schema/v2/params.js";
import { Address } from "../../../../shared/values/address.js";
import { hexToBytes } from "../../../../shared/values/bytes.js";

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const address = Address.read(raw)!.address;
const idHex = raw.slice(2);
const [G, P, V] = [
  "failed to parse get request: ",
  "failed to parse post request: ",
  "failed to validate request: ",
];

/** The parsed parameters, or the text of their refusal. */
function read(schema: z.ZodObject, given: RawParams): unknown {
  try {
    return new ParamReader(schema, "v2").read(given).values;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.code, error.statusIn("v2")]).toEqual(["invalid-params", 422]);
    return error.textIn("v2");
  }
}
const inQuery = (schema: z.ZodObject, query: string) =>
  read(schema, { query: [...new URLSearchParams(query)] });
const inBody = (schema: z.ZodObject, object: Record<string, unknown>) => read(schema, { object });

describe("integers of v2", () => {
  const schema = z.object({ seqno: int32({ atLeast: 1 }).optional(), lt: int64({ atLeast: 0 }).optional() });

  it.each([
    ["seqno=12", { seqno: 12 }],
    ["seqno=2147483647", { seqno: 2147483647 }],
    ["lt=9223372036854775807", { lt: 9223372036854775807n }],
    ["lt=0", { lt: 0n }],
    ["lt=0012", { lt: 12n }],
    ["", {}],
    ["seqno=invalid", `${G}failed to parse seqno`],
    ["seqno=", `${G}failed to parse seqno`],
    ["seqno=1.0", `${G}failed to parse seqno`],
    ["seqno=1e3", `${G}failed to parse seqno`],
    ["seqno=0x10", `${G}failed to parse seqno`],
    ["seqno=%2012", `${G}failed to parse seqno`],
    ["seqno=2147483648", `${G}failed to parse seqno`],
    ["lt=9223372036854775808", `${G}failed to parse lt`],
    [`lt=${"9".repeat(5000)}`, `${G}failed to parse lt`],
    ["seqno=0", `${V}seqno should be positive`],
    ["seqno=-1", `${V}seqno should be positive`],
    ["lt=-1", `${V}lt should be non-negative`],
  ])("read the query %s", (query, wanted) => {
    expect(inQuery(schema, query)).toEqual(wanted);
  });

  it.each([
    [{ seqno: 12 }, { seqno: 12 }],
    [{ seqno: "12" }, { seqno: 12 }],
    [
      { seqno: 12.0, lt: 2 ** 53 - 1 },
      { seqno: 12, lt: 2n ** 53n - 1n },
    ],
    [{ seqno: null, lt: null }, {}],
    [{ seqno: "x" }, `${P}failed to parse seqno`],
    [{ seqno: 1.5 }, `${P}failed to parse seqno`],
    [{ seqno: 2 ** 31 }, `${P}failed to parse seqno`],
    [{ lt: 2 ** 60 }, `${P}failed to parse lt`],
    [{ lt: Number.POSITIVE_INFINITY }, `${P}failed to parse lt`],
    [{ seqno: true }, `${P}failed to parse seqno`],
    [{ seqno: [1] }, `${P}failed to parse seqno`],
    [{ seqno: { a: 1 } }, `${P}failed to parse seqno`],
    [{ seqno: -1 }, `${V}seqno should be positive`],
  ])("read the body %j", (body, wanted) => {
    expect(inBody(schema, body)).toEqual(wanted);
  });

  it("are read from long JSON integers with every digit", () => {
    const long = { lt: 2n ** 63n - 1n };
    expect(inBody(schema, long)).toEqual(long);
    expect(inBody(schema, { lt: 2n ** 63n })).toBe(`${P}failed to parse lt`);
    expect(inBody(schema, { seqno: 2n ** 53n + 1n })).toBe(`${P}failed to parse seqno`);
  });

  it("refuse a count out of its bounds with a separate error text", () => {
    const limited = z.object({ limit: count({ atLeast: 1, atMost: 1000 }).prefault(10) });
    expect(inQuery(limited, "")).toEqual({ limit: 10 });
    expect(inQuery(limited, "limit=1000")).toEqual({ limit: 1000 });
    expect(inQuery(limited, "limit=0")).toBe(`${V}limit should be positive`);
    expect(inQuery(limited, "limit=1001")).toBe(`${V}limit should be less or equal 1000`);
    expect(inQuery(limited, "limit=9223372036854775808")).toBe(`${G}failed to parse limit`);
  });

  it("takes shards as signed decimals only", () => {
    const schema = z.object({ shard });
    expect(inQuery(schema, "shard=-9223372036854775808")).toEqual({ shard: -(2n ** 63n) });
    expect(inBody(schema, { shard: -(2n ** 63n) })).toEqual({ shard: -(2n ** 63n) });
    // As many digits as in hex, but without the trailing zeros.
    expect(inQuery(schema, `shard=${2n ** 52n}`)).toEqual({ shard: 2n ** 52n });
    expect(inBody(schema, { shard: `${2n ** 51n}` })).toEqual({ shard: 2n ** 51n });
    for (const given of ["8000000000000000", "9223372036854775808", "-9223372036854775809"]) {
      expect(inQuery(schema, `shard=${given}`)).toBe(`${G}failed to parse shard`);
    }
  });
});

describe("which refusal of v2 comes first", () => {
  const schema = z
    .object({
      address: accountAddress,
      limit: count({ atLeast: 1, atMost: 1000 }).optional(),
      lt: int64().optional(),
      hash: optionalHash,
    })
    .check(
      rule(({ lt, hash }) =>
        (lt === undefined) !== (hash === undefined) ? "lt and hash should be used together" : undefined,
      ),
    );

  it("is the unparsable parameter, then the range, then the combination", () => {
    expect(inQuery(schema, `address=${raw}&limit=0&lt=x`)).toBe(`${G}failed to parse lt`);
    expect(inQuery(schema, `lt=x&address=y&limit=0`)).toBe(`${G}Failed to parse ton_addr: 'y'`);
    expect(inQuery(schema, `address=${raw}&limit=0&lt=5`)).toBe(`${V}limit should be positive`);
    expect(inQuery(schema, `address=${raw}&lt=5`)).toBe(`${V}lt and hash should be used together`);
    expect(inQuery(schema, `address=${raw}&lt=5&hash=`)).toBe(`${V}lt and hash should be used together`);
    expect(inQuery(schema, `address=${raw}&lt=5&hash=${idHex}`)).toEqual({
      address,
      lt: 5n,
      hash: hexToBytes(idHex),
    });
  });

  it("counts a missing parameter as unparsable, empty in a query", () => {
    const both = z.object({ workchain: int32(), from: int32({ atLeast: 0 }) });
    expect(inQuery(both, "from=-1")).toBe(`${G}failed to parse workchain`);
    expect(inBody(both, { from: -1 })).toBe(`${P}workchain is required`);
    expect(inBody(both, {})).toBe(`${P}workchain is required`);
  });

  it("refuses a missing parameter with the error text of the method where it has one", () => {
    const own = z.object({ workchain: int32({ missing: (name) => `${name} required` }) });
    expect(inQuery(own, "")).toBe(`${G}workchain required`);
  });
});

describe("other forms of v2", () => {
  it("reads booleans in many spellings, and none from an empty text", () => {
    const schema = z.object({ archival: optionalFlag });
    for (const yes of ["y", "yes", "Yes", "t", "true", "ON", "on", "1"])
      expect(inQuery(schema, `archival=${yes}`)).toEqual({ archival: true });
    for (const no of ["n", "No", "f", "FALSE", "off", "0"])
      expect(inQuery(schema, `archival=${no}`)).toEqual({ archival: false });
    expect(inQuery(schema, "archival=")).toEqual({ archival: undefined });
    expect(inQuery(schema, "archival=maybe")).toBe(`${G}failed to parse archival`);
    for (const [given, value] of [
      [true, true],
      [0, false],
      ["on", true],
    ])
      expect(inBody(schema, { archival: given })).toEqual({ archival: value });
    expect(inBody(schema, { archival: 2 })).toBe(`${P}failed to parse archival`);
  });

  it("takes lists by repetition, by brackets, by comma and as arrays", () => {
    const schema = z.object({ libraries: hashes.optional() });
    const [a, b] = ["ab".repeat(32), "cd".repeat(32)];
    const wanted = { libraries: [hexToBytes(a), hexToBytes(b)] };
    expect(inQuery(schema, `libraries=${a}&libraries=${b}`)).toEqual(wanted);
    expect(inQuery(schema, `libraries[]=${a}&libraries=${b}`)).toEqual(wanted);
    expect(inQuery(schema, `libraries=${a},${b}`)).toEqual(wanted);
    expect(inBody(schema, { libraries: [a, b] })).toEqual(wanted);
    expect(inBody(schema, { libraries: `${a},,${b}` })).toEqual(wanted);
    expect(inBody(schema, { libraries: [] })).toEqual({ libraries: [] });
    expect(inQuery(schema, "")).toEqual({});
    expect(inBody(schema, { libraries: [a, 5] })).toBe(`${P}invalid hash: '5'`);
    expect(inBody(schema, { libraries: { a } })).toBe(`${P}invalid hash: '{"a":"${a}"}'`);
  });

  it("finds the account of a cursor in a hash or in an address", () => {
    const schema = z.object({ after_hash: optionalAccountId });
    const wanted = { after_hash: hexToBytes(idHex) };
    for (const given of [idHex, friendly, raw]) expect(inBody(schema, { after_hash: given })).toEqual(wanted);
    expect(inBody(schema, { after_hash: "" })).toEqual({ after_hash: undefined });
    expect(inBody(schema, { after_hash: "x" })).toBe(`${P}failed to parse after_hash`);
  });

  it("forgives bytes their alphabet, padding and line breaks", () => {
    const schema = z.object({ boc: bytes });
    for (const boc of ["+/8=", "-_8=", "+/8", "+/\r\n8="])
      expect(inBody(schema, { boc })).toEqual({ boc: Uint8Array.of(0xfb, 0xff) });
    expect(inBody(schema, { boc: "" })).toEqual({ boc: new Uint8Array() });
    for (const boc of ["a", "a*==", 5, ["AA=="]])
      expect(inBody(schema, { boc })).toBe(`${P}failed to parse boc`);
  });

  it("shortens quoted input", () => {
    const schema = z.object({ address: accountAddress });
    expect(inBody(schema, { address: "x".repeat(100_000) })).toBe(
      `${P}Failed to parse ton_addr: '${"x".repeat(128)}...'`,
    );
  });

  it("sees only its own names, not other properties of an object", () => {
    const schema = z.object({ name: text });
    expect(inBody(schema, JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"name":"a"}'))).toEqual({
      name: "a",
    });
    expect(inBody(schema, JSON.parse('{"__proto__":{"name":"x"}}'))).toBe(`${P}name is required`);
  });

  it("stays usable as a plain schema, with words that need no name", () => {
    const { error } = z.object({ seqno: int32({ atLeast: 1 }) }).safeParse({ seqno: 0 });
    expect(error?.issues).toMatchObject([{ path: ["seqno"], message: "the value should be positive" }]);
  });

  it("describes the accepted input", () => {
    const schema = z.object({
      limit: count({ atLeast: 1, atMost: 1000 }).prefault(10).describe("How many."),
      lt: int64().optional(),
      ids: list({ type: "string" }, String),
    });
    expect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        limit: {
          "x-name": "v2.Int64From1To1000",
          description: "How many.",
          default: 10,
          anyOf: [
            { type: "integer", format: "int64", minimum: 1, maximum: 1000 },
            { type: "string", pattern: "^(?:0{0,16}(?:1000|[1-9]\\d{0,2}))$", maxLength: 128 },
          ],
        },
        lt: {
          "x-name": "v2.Int64",
          anyOf: [{ type: "integer", format: "int64" }, matching(decimals(-(2n ** 63n), 2n ** 63n - 1n))],
        },
        ids: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] },
      },
      required: ["ids"],
    });
  });
});
