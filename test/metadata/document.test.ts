import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../../server/metadata/document.js";
import { DocumentThread } from "../../server/metadata/document-thread.js";

const read = (text: string) => readDocument(Buffer.from(text));
const readJson = (value: unknown) => read(JSON.stringify(value));

describe("A fetched document", () => {
  it("has its texts, and all other members unchanged", () => {
    const rest = {
      decimals: "9",
      social: ["https://a.example"],
      attributes: [{ trait_type: "Hat", value: 3 }],
    };
    expect(readJson({ name: "Acorn", symbol: "ACN", description: "d", image: "i", ...rest })).toEqual({
      name: "Acorn",
      symbol: "ACN",
      description: "d",
      image: "i",
      extra: rest,
    });
  });

  it("has numbers in place of texts as text, and leaves out other values", () => {
    expect(readJson({ name: 1984, symbol: true, description: { en: "d" }, image: null })).toEqual({
      name: "1984",
      extra: {},
    });
  });

  it("cannot pretend to be this service's links to images", () => {
    expect(readJson({ name: "n", _image_small: "https://evil.example" })).toEqual({ name: "n", extra: {} });
  });

  it("cannot change object prototypes", () => {
    const { extra } = read('{"name":"n","__proto__":{"is_admin":true},"constructor":{"a":1}}');
    expect(Object.getPrototypeOf(extra)).toBe(Object.prototype);
    expect(Object.keys(extra)).toEqual(["__proto__", "constructor"]);
  });

  it("has nothing that PostgreSQL cannot store", () => {
    expect(read(String.raw`{"name":"a\u0000b\ud800","k\u0000":["\udfff\u0000"]}`)).toEqual({
      name: "ab\ufffd",
      extra: { k: ["\ufffd"] },
    });
  });

  it("is stored up to 64 KiB, in its order", () => {
    const long = "x".repeat(40_000);
    expect(readJson({ a: long, b: long, c: 1, name: "n" })).toEqual({ name: "n", extra: { a: long, c: 1 } });
    expect(readJson({ name: "n", image: "x".repeat(70_000) })).toEqual({ name: "n", extra: {} });
  });

  it.each([
    ["<!doctype html>", "json"],
    ["", "json"],
    ['{"name":"n"', "json"],
    ['{"name":"n"} trailing', "json"],
    ["[]", "content"],
    ["null", "content"],
    ['"name"', "content"],
    ["{}", "content"],
    ['{"decimals":"9"}', "content"],
    [`{"name":"n","a":${"[".repeat(32)}${"]".repeat(32)}}`, "depth"],
    ["[".repeat(2 ** 20), "depth"],
    ['{"a":'.repeat(2 ** 17), "depth"],
  ])("is refused: %s", (text, failure) => {
    expect(() => read(text.slice(0, 2 ** 20))).toThrow(expect.objectContaining({ failure }));
  });

  it("is refused if it is no UTF-8", () => {
    expect(() => readDocument(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ failure: "json" }),
    );
  });

  it("may have brackets in texts, and nesting up to the limit", () => {
    const nested = `${"[".repeat(31)}${"]".repeat(31)}`;
    expect(read(`{"name":"${"[".repeat(100)}\\"","a":${nested}}`)).toEqual({
      name: `${"[".repeat(100)}"`,
      extra: { a: JSON.parse(nested) },
    });
  });
});

describe("The thread that reads documents", () => {
  const thread = new DocumentThread();
  afterAll(() => thread.close());

  it("answers each document with its own result", async () => {
    const results = await Promise.allSettled(
      ['{"name":"a"}', "<html>", '{"name":"b"}'].map((text) => thread.read(Buffer.from(text))),
    );
    expect(results).toEqual([
      { status: "fulfilled", value: { name: "a", extra: {} } },
      { status: "rejected", reason: expect.objectContaining({ failure: "json" }) },
      { status: "fulfilled", value: { name: "b", extra: {} } },
    ]);
  });
});
