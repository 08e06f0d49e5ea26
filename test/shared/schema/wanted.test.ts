import { describe, expect, it } from "vitest";
import { wantedText } from "../../../shared/schema/wanted.js";

describe("what a parameter takes, in words,", () => {
  it.each([
    [{ type: "string", enum: ["asc", "desc"] }, "one of asc, desc"],
    [{ type: "string", description: "Shard in hex. It may be short." }, "a shard in hex"],
    [{ type: "object", description: "An account." }, "an account"],
    [{ type: "integer", minimum: 1, maximum: 9 }, "an integer from 1 to 9"],
    [{ type: "integer", minimum: 0 }, "an integer of at least 0"],
    [{ type: "number", maximum: 1 }, "a number of at most 1"],
    [{ type: "boolean" }, "a boolean"],
    [{ type: "string", contentEncoding: "base64", pattern: "^x$" }, "bytes in base64"],
    [{ type: "string", pattern: "^(?:a|b)$", maxLength: 5 }, "a text that matches a|b"],
    [{ type: "string", pattern: "[^,]" }, "a text that matches [^,]"],
    [{ type: "string", pattern: "x".repeat(61), maxLength: 5 }, "a text of at most 5 characters"],
    [{ type: "string" }, "a text"],
    [
      {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", pattern: "^[0-9]$" },
        ],
      },
      "an integer of at least 0",
    ],
    [{ anyOf: [{ type: "boolean" }, { type: "boolean" }, { type: "null" }] }, "a boolean or null"],
    [{ anyOf: [{ type: "string", pattern: "^[0-9]$" }] }, "a text that matches ^[0-9]$"],
    [{ type: "array" }, "a list"],
    [{ type: "array", maxItems: 3, items: { type: "boolean" } }, "a list of at most 3 items, each a boolean"],
    [{}, "a value"],
  ])("of %j is %s", (schema, text) => {
    expect(wantedText(schema)).toBe(text);
  });

  it("is bounded", () => {
    const words = Array.from({ length: 30 }, (_, index) => `w${index}`);
    expect(wantedText({ enum: words })).toMatch(/^one of w0, .*, w19$/);
    expect(wantedText({ description: "x".repeat(1000) })).toHaveLength(200);
  });
});
