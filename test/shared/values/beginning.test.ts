import { describe, expect, it } from "vitest";
import { beginningOf, shownValue } from "../../../shared/values/beginning.js";

/** Reads of a list's items and an object's members. */
function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  let reads = 0;
  const get = (target: Value, name: string | symbol) => {
    reads++;
    return Reflect.get(target, name);
  };
  return { value: new Proxy(value, { get }), reads: () => reads };
}

describe("shownValue", () => {
  it.each([
    ["a text", "abc", "abc"],
    ["a bigint", 2n ** 70n, String(2n ** 70n)],
    ["a number", 1.5, "1.5"],
    ["null", null, "null"],
    ["nothing", undefined, ""],
    ["a list", [1, "a", null, [2n]], '[1,"a",null,["2"]]'],
    ["an object", { a: { b: [true] } }, '{"a":{"b":[true]}}'],
    ["members of any name", JSON.parse('{"__proto__":1,"b":2}'), '{"__proto__":1,"b":2}'],
  ])("shows %s as a whole", (_, value, text) => {
    expect(shownValue(value, 40)).toBe(text);
  });

  const long: [name: string, value: unknown][] = [
    ["a text", "abc".repeat(1000)],
    ["a list", Array.from({ length: 1000 }, (_, i) => i)],
    ["a list of texts", Array.from({ length: 1000 }, (_, i) => `"${i}"`.repeat(1 + (i % 50)))],
    ["nested lists", JSON.parse(`${"[".repeat(500)}1${"]".repeat(500)}`)],
    ["many members", Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, { i }]))],
    ["a long name", { ["n".repeat(1000)]: 1, b: 2 }],
    ["empty lists", Array.from({ length: 1000 }, () => [])],
  ];

  it.each(long)("shows the beginning of the JSON: %s", (_, value) => {
    const json = typeof value === "string" ? value : JSON.stringify(value);
    for (const most of [1, 2, 10, 64, 128, 400])
      expect(shownValue(value, most)).toBe(`${json.slice(0, most)}...`);
  });

  it("reads no more of a value than it shows", () => {
    const list = counted(new Array(100_000).fill(1));
    shownValue(list.value, 100);
    expect(list.reads()).toBeLessThan(300);
    const members = counted(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, i])));
    shownValue(members.value, 100);
    expect(members.reads()).toBeLessThan(100);
  });
});

describe("beginningOf", () => {
  it("cuts long texts, and marks its own end", () => {
    const value = {
      text: "x".repeat(300),
      list: Array.from({ length: 1000 }, () => "7".repeat(20)),
      last: 1,
    };
    const { text, list, ...rest } = beginningOf(value, 1000, 200) as typeof value & { "…": string };
    expect(text).toBe(`${"x".repeat(200)}… (300 characters)`);
    expect(list.at(-1)).toBe("…");
    expect(list.length).toBeLessThan(50);
    expect(rest).toEqual({ "…": "…" });
  });

  it("copies a short value", () => {
    const value = { a: [1, 2n, "b"], c: { d: null, e: true } };
    expect(beginningOf(value, 100)).toEqual({ a: [1, "2", "b"], c: { d: null, e: true } });
  });
});
