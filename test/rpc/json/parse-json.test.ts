import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../../server/errors.js";
import { maxJsonDepth, parseJson } from "../../../server/rpc/json/parse-json.js";

const nested = (depth: number, [open, close] = ["[", "]"]) => open!.repeat(depth) + close!.repeat(depth);
const outcome = (text: string) => {
  try {
    parseJson(text);
    return "parsed";
  } catch (error) {
    return (error as ServiceError).code;
  }
};

describe("reading JSON", () => {
  it("takes 1,024 levels and refuses more", () => {
    expect(maxJsonDepth).toBe(1024);
    expect([outcome(nested(1024)), outcome(nested(1025))]).toEqual(["parsed", "too-large"]);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect([outcome(objects(1024)), outcome(objects(1025))]).toEqual(["parsed", "too-large"]);
    const mixed = (depth: number) => `${'[{"a":'.repeat(depth)}1${"}]".repeat(depth)}`;
    expect([outcome(mixed(512)), outcome(`[${mixed(512)}]`)]).toEqual(["parsed", "too-large"]);
  });

  it("says how many levels it takes", () => {
    expect(() => parseJson(nested(2000))).toThrow("request is nested too deeply: at most 1024 levels");
    try {
      parseJson(nested(2000));
    } catch (error) {
      expect((error as ServiceError).data).toEqual({ max: 1024 });
    }
  });

  it("takes any number of brackets that are not nested", () => {
    expect(parseJson(`[${new Array(3000).fill("[]").join()}]`)).toHaveLength(3000);
    expect(parseJson(`[${new Array(3000).fill('{"a":[]}').join()}]`)).toHaveLength(3000);
  });

  it("counts no brackets in strings, whatever is escaped there", () => {
    const open = "[".repeat(2000);
    expect(parseJson(JSON.stringify([open]))).toEqual([open]);
    const quoted = `\\"${open}\\`;
    expect(parseJson(JSON.stringify({ [quoted]: quoted, open }))).toEqual({ [quoted]: quoted, open });
    // Behind a string that ends with a backslash, brackets count again.
    expect(outcome(`["\\\\",${nested(1024)}]`)).toBe("too-large");
  });

  it("refuses what is no JSON, with the cause", () => {
    expect([outcome("{"), outcome(""), outcome("]".repeat(3000))]).toEqual([
      "parse-error",
      "parse-error",
      "parse-error",
    ]);
    expect(() => parseJson("{")).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  });

  it("reads long integers digit by digit", () => {
    expect(parseJson('{"a":[9007199254740993,1]}')).toEqual({ a: [9007199254740993n, 1] });
  });
});
