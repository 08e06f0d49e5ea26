import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Api, ServiceError } from "../../../server/errors.js";
import { ParamReader, type RawParams } from "../../../server/rpc/params/params.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { secretKey } from "../../../shared/schema/devnet-params.js";
import { Fault, type FaultStage, input, rule } from "../../../shared/schema/input.js";
import { accountAddress } from "../../../shared/schema/v2/params.js";

const flat = Object.fromEntries(flatten(registry));
const EQ = "EQDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwC89";

/** A parameter that takes "ok" only, and refuses everything else in this stage. */
const strict = (stage: FaultStage, more: { index?: number; status?: number } = {}) =>
  input<string, string>({ type: "string" }, (given) =>
    given === "ok" ? "ok" : new Fault(stage, (name) => `bad ${name}`, more),
  );

const object = (given: object): RawParams => ({ object: given as Record<string, unknown> });
const query = (...pairs: [string, string][]): RawParams => ({ query: pairs });

function refusalOf(shape: z.ZodRawShape, api: Api, raw: RawParams) {
  try {
    new ParamReader(z.object(shape), api).read(raw);
  } catch (error) {
    const { code, message, data } = error as ServiceError;
    return { code, message, data, status: (error as ServiceError).statusIn(api) };
  }
  return undefined;
}
const messageOf = (...refusal: Parameters<typeof refusalOf>) => refusalOf(...refusal)?.message;

describe("a parameter of v2 is refused", () => {
  it.each([
    ["parse", "failed to parse get request: bad a", "failed to parse post request: bad a"],
    ["range", "failed to validate request: bad a", "failed to validate request: bad a"],
    ["bare", "bad a", "bad a"],
  ] as const)("in the stage %s by GET and POST", (stage, byGet, byPost) => {
    const shape = { a: strict(stage) };
    expect(messageOf(shape, "v2", query(["a", "x"]))).toBe(byGet);
    expect(messageOf(shape, "v2", object({ a: "x" }))).toBe(byPost);
  });

  it("with its name and status", () => {
    expect(refusalOf({ a: strict("bare", { status: 400 }) }, "v2", object({ a: "x" }))).toEqual({
      code: "invalid-params",
      message: "bad a",
      data: { param: "a", refused: [{ param: "a", wanted: "a text", given: "x", reason: "bad a" }] },
      status: 400,
    });
    expect(refusalOf({ a: strict("bare") }, "v2", object({ a: "x" }))?.status).toBe(422);
  });

  it("if it is missing: by GET like an empty one", () => {
    const shape = { a: strict("parse") };
    expect(messageOf(shape, "v2", query())).toBe("failed to parse get request: bad a");
    expect(messageOf(shape, "v2", object({}))).toBe("failed to parse post request: a is required");
    expect(messageOf(shape, "v2", object({ a: null }))).toBe("failed to parse post request: a is required");
  });

  it("before another one whose value is out of range", () => {
    const shape = { a: strict("range"), b: strict("parse"), c: strict("bare") };
    const given = object({ a: "x", b: "x", c: "x" });
    expect(messageOf(shape, "v2", given)).toBe("failed to parse post request: bad b");
    expect(messageOf({ a: shape.a, c: strict("range") }, "v2", given)).toBe(
      "failed to validate request: bad a",
    );
  });
});

describe("a parameter of v3 is refused", () => {
  const shape = {
    limit: strict("parse"),
    sort: strict("parse").optional(),
    start: strict("parse").optional(),
  };
  const failed = "failed to decode: schema: error converting value for";

  it("by the name as it was sent, the first of those that cannot be converted", () => {
    expect(messageOf(shape, "v3", query(["LIMIT", "x"]))).toBe(`${failed} "LIMIT"`);
    expect(messageOf(shape, "v3", query(["sort[]", "x"], ["limit", "x"]))).toBe(
      `${failed} "sort" (and 1 other error)`,
    );
    expect(messageOf(shape, "v3", object({ start: "x", Sort: "x", limit: "x" }))).toBe(
      `${failed} "start" (and 2 other errors)`,
    );
    expect(refusalOf(shape, "v3", query(["limit", "x"]))).toMatchObject({
      code: "invalid-params",
      data: { param: "limit" },
      status: 422,
    });
  });

  it("with the place in its list", () => {
    expect(messageOf({ hash: strict("parse", { index: 2 }) }, "v3", query(["hash", "x"]))).toBe(
      `${failed} index 2 of "hash"`,
    );
    expect(messageOf({ hash: strict("parse", { index: 0 }) }, "v3", query(["hash", "x"]))).toBe(
      `${failed} index 0 of "hash"`,
    );
  });

  it("after those that cannot be converted if it is out of range, with its own text and status", () => {
    const both = { a: strict("range", { status: 400 }), b: strict("parse") };
    expect(messageOf(both, "v3", object({ a: "x", b: "x" }))).toBe(`${failed} "b"`);
    expect(refusalOf(both, "v3", object({ a: "x", b: "ok" }))).toMatchObject({
      message: "bad a",
      status: 400,
    });
  });

  it("if it is missing", () => {
    expect(messageOf({ a: strict("parse") }, "v3", object({}))).toBe("a is required");
  });

  it("if its brackets do not match, by GET", () => {
    for (const name of ["a[", "a]", "[a", "a[[]"])
      expect(messageOf({ a: strict("parse") }, "v3", query([name, "ok"]))).toBe("unmatched brackets");
    for (const name of ["a", "a[]", "b[x]"])
      expect(messageOf({ a: strict("parse").optional() }, "v3", query([name, "ok"]))).toBeUndefined();
    expect(messageOf({ a: strict("parse").optional() }, "v2", query(["a[", "ok"]))).toBeUndefined();
  });
});

describe("the data of a refusal", () => {
  const { seqno, shard } = flat["getBlockHeader"]!.params.shape;
  const { limit, sort, account } = flat["v3.transactions"]!.params.shape;
  const v2 = { address: accountAddress, seqno, shard };
  const v3 = { limit, sort, account };
  const refusedOf = (...refusal: Parameters<typeof refusalOf>) => refusalOf(...refusal)?.data["refused"];
  const wanted = {
    address: "an address in the friendly form (48 characters, base64 or base64url) or `<workchain>:<64 hex>`",
    limit: "an integer from 1 to 1000",
    account: "an address in the friendly form (base64 or base64url) or `<workchain>:<64 hex>`",
  };

  it("have what each parameter takes and what was given, also what is missing", () => {
    expect(refusedOf(v2, "v2", object({ address: "a", seqno: [1] }))).toEqual([
      { param: "address", wanted: wanted.address, given: "a" },
      { param: "seqno", wanted: "an integer from 1 to 2147483647", given: [1] },
      { param: "shard", wanted: "an integer" },
    ]);
    expect(refusedOf(v3, "v3", query(["LIMIT", "x"], ["sort", "up"], ["account", EQ]))).toEqual([
      { param: "limit", wanted: wanted.limit, given: "x" },
      { param: "sort", wanted: "one of asc, desc", given: "up" },
    ]);
  });

  it("have the place of an item in its list, and reasons other than the form", () => {
    expect(refusedOf(v3, "v3", object({ limit: 1001, account: [EQ, 5] }))).toEqual([
      { param: "limit", wanted: wanted.limit, given: 1001, reason: "limit is not allowed: 1001 > 1000" },
      { param: "account", index: 1, wanted: wanted.account, given: 5 },
    ]);
  });

  it("have the beginnings of long values, and of many parameters the first five", () => {
    const long = "x".repeat(100_000);
    const shape = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, accountAddress]));
    const given = Object.fromEntries(Object.keys(shape).map((name) => [name, { [long]: [long, long] }]));
    const refused = refusedOf(shape, "v2", object(given)) as { param: string }[];
    expect(refused.map(({ param }) => param)).toEqual(["a", "b", "c", "d", "e"]);
    expect(JSON.stringify(refused).length).toBeLessThan(5000);
  });

  it("have no secrets", () => {
    const reader = new ParamReader(z.object({ seed: secretKey }), "v2", { secrets: ["seed"] });
    for (const seed of ["0123", "0".repeat(1000), 5])
      try {
        reader.read(object({ seed }));
        expect.unreachable();
      } catch (error) {
        const { data, message } = error as ServiceError;
        expect(data["refused"]).toMatchObject([{ param: "seed", given: "…" }]);
        expect(JSON.stringify([data, message])).not.toMatch(/0123|00000/);
      }
  });

  it("name no parameter where several do not fit together", () => {
    const both = z.object({ a: strict("parse") }).check(rule(() => "a needs b"));
    expect(() => new ParamReader(both, "v2").read(object({ a: "ok" }))).toThrow(
      expect.objectContaining({ message: "failed to validate request: a needs b", data: {} }),
    );
  });
});

describe("parameters", () => {
  const text = z.string().optional();
  const texts = z.array(z.string()).optional();
  const read = (shape: z.ZodRawShape, api: Api, raw: RawParams) =>
    new ParamReader(z.object(shape), api).read(raw).values;

  it("are lists if they are repeated or have brackets, and single ones otherwise, of which the last counts", () => {
    const shape = { one: text, many: texts };
    expect(read(shape, "v2", query(["many", "a"], ["one", "x"], ["many[]", "b"], ["one", "y"]))).toEqual({
      one: "y",
      many: ["a", "b"],
    });
    expect(read(shape, "v2", query(["one[]", "x"], ["many", "a"]))).toEqual({ one: "x", many: ["a"] });
  });

  it("of v3 have names in any case, those of v2 as they are", () => {
    const shape = { seqNo: text };
    expect(read(shape, "v3", query(["SEQNO", "5"]))).toEqual({ seqNo: "5" });
    expect(read(shape, "v3", object({ seqno: "5" }))).toEqual({ seqNo: "5" });
    expect(read(shape, "v2", object({ SEQNO: "5", seqNo: "6" }))).toEqual({ seqNo: "6" });
  });

  it("of an object count before those of a query", () => {
    expect(
      read({ a: text, b: text }, "v2", {
        query: [
          ["a", "q"],
          ["b", "q"],
        ],
        object: { a: "o" },
      }),
    ).toEqual({
      a: "o",
      b: "q",
    });
  });

  it("that are null are absent, unless null is a value of theirs", () => {
    const shape = { a: text, b: z.string().nullable().optional() };
    expect(read(shape, "v2", object({ a: null, b: null }))).toEqual({ b: null });
  });

  it("of a query may win over others", () => {
    const reader = new ParamReader(z.object({ lt: text, seqno: text }), "v2", {
      winsInQuery: ["lt", "seqno"],
    });
    expect(reader.read(query(["seqno", "1"], ["lt", "2"])).values).toEqual({ lt: "2" });
    expect(reader.read(query(["seqno", "1"])).values).toEqual({ seqno: "1" });
    expect(reader.read(object({ seqno: "1", lt: "2" })).values).toEqual({ lt: "2", seqno: "1" });
  });

  it("as they were sent are shown without unknown ones, whether they can be read or not", () => {
    const reader = new ParamReader(z.object({ a: z.number(), list: texts }), "v3");
    expect(reader.sent(query(["A", "x"], ["list", "1"], ["other", "2"]))).toEqual({ a: "x", list: ["1"] });
    expect(reader.sent(query(["a[", "x"]))).toEqual({});
  });

  it("are few that are unknown: five, cut, without those of answers", () => {
    const reader = new ParamReader(z.object({ a: text }), "v2");
    const long = "x".repeat(70);
    expect(reader.unknown(object({ a: "1", "@type": "t", b: 1, [long]: 2 }))).toEqual(["b", "x".repeat(64)]);
    const many = Object.fromEntries(["p", "q", "r", "s", "t", "u"].map((name) => [name, "1"]));
    expect(reader.unknown(object(many))).toEqual(["p", "q", "r", "s", "t"]);
    expect(
      reader.unknown({
        query: [
          ["z[]", "1"],
          ["a[]", "1"],
        ],
        object: { y: 1 },
      }),
    ).toEqual(["z[]", "y"]);
  });

  it("that are unknown are refused if the caller wants that, whether the others were read before or not", () => {
    const reader = new ParamReader(z.object({ address: text }), "v2");
    for (let turn = 0; turn < 2; turn++) {
      expect(() => reader.read(object({ adress: "1" }), true)).toThrow(
        "unknown parameter adress: did you mean address?",
      );
      expect(reader.read(object({ adress: "1" })).values).toEqual({});
    }
    expect(reader.read(object({ address: "1" }), true).values).toEqual({ address: "1" });
    const again = { query: [["b", "1"]] as [string, string][], queryText: "b=1" };
    expect(reader.unknown(again)).toEqual(["b"]);
    const kept = reader.read(again);
    expect([reader.unknown(again), kept.unknown]).toEqual([["b"], ["b"]]);
  });

  it("are kept for 256 calls of a method, if they are short", () => {
    const reader = new ParamReader(z.object({ a: text }), "v2");
    const first = reader.read(object({ a: "0" }));
    for (let at = 1; at < 256; at++) reader.read(object({ a: `${at}` }));
    expect(reader.read(object({ a: "0" }))).toBe(first);
    reader.read(object({ a: "256" }));
    expect(reader.read(object({ a: "0" }))).not.toBe(first);
    const isKept = (raw: RawParams) => {
      const before = reader.read(raw);
      return reader.read(raw) === before;
    };
    const sized = (length: number) => object({ a: "x".repeat(length) });
    // "1 <length> string a" stands before the value.
    expect([isKept(sized(286)), isKept(sized(287))]).toEqual([true, false]);
    const asked = (length: number) => ({ queryText: "x".repeat(length), query: [] });
    expect([isKept(asked(299)), isKept(asked(300))]).toEqual([true, false]);
    expect(isKept({ query: [["a", "1"]] })).toBe(false);
    expect(isKept({ query: [], queryText: "", object: { a: "1" } })).toBe(false);
    expect(isKept(object({ a: null }))).toBe(false);
    expect(isKept(object({}))).toBe(true);
  });
});
