import { describe, expect, it } from "vitest";
import { claim } from "../../../../server/web/explorer/parts/claim.js";
import { differences, nameOfValue, readClaim } from "../../../../server/web/explorer/verify/claims.js";

const hex = "0123456789abcdef".repeat(4);
const base64 = Buffer.from(hex, "hex").toString("base64");

/** The attribute of markup as a browser reads it. */
const attributeOf = (text: string) =>
  /data-claim="([^"]*)"/
    .exec(text)![1]!
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("claims of shown values", () => {
  it("are read as they were written, whatever the service gives", () => {
    const values = { balance: `5","balance":"6`, state: "<script>'&|=" };
    const { text } = claim(["account", "0:00", 7, base64], values, "5");
    expect(readClaim(attributeOf(text))).toEqual({ subject: ["account", "0:00", 7, base64], values });
  });

  it.each([
    ["5", "5", true],
    ["5", "6", false],
    ["5", "05", false],
    [5, "5", true],
    [false, "false", true],
    [base64, hex, true],
    [base64.replaceAll("+", "-").replaceAll("/", "_"), hex, true],
    [hex.toUpperCase(), hex, true],
    [base64, "f".repeat(64), false],
    [null, "", true],
    [null, "0", false],
  ])("compare %o with %o: equal is %o", (claimed, proven, isEqual) => {
    const found = differences({ subject: ["config", 1], values: { value: claimed } }, { value: proven });
    expect(found.length === 0).toBe(isEqual);
  });

  it("differ from a proof without the value", () => {
    const found = differences({ subject: ["config", 1], values: { "parameter 5": hex } }, {});
    expect(found).toEqual([{ name: "parameter 5", claimed: hex, proven: "nothing" }]);
  });

  it.each([
    ["out0_value", "amount of outgoing message 1"],
    ["out2_fwd_fee", "fwd_fee of outgoing message 3"],
    ["in_value", "amount received"],
    ["parameter 34", "parameter 34"],
    ["__proto__", "  proto  "],
  ])("name %s as %s", (name, text) => {
    expect(nameOfValue(name)).toBe(text);
  });
});
