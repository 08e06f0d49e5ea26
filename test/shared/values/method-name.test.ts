import { describe, expect, it } from "vitest";
import { readMethodName } from "../../../shared/values/method-name.js";

describe("the name of a get-method", () => {
  it.each([
    ["seqno", "seqno"],
    ["", ""],
    [85143, 85143],
    ["85143", 85143],
    ["-1", -1],
    ["0x14C97", 85143],
    ["0x123456789", "0x123456789"],
    [2147483647, 2147483647],
    [-2147483648, -2147483648],
  ])("%j is read as %j", (given, read) => {
    expect(readMethodName(given)).toBe(read);
  });

  it.each([2147483648, "2147483648", -2147483649, 1.5, Number.NaN, null, {}, true])("%j is none", (given) => {
    expect(readMethodName(given)).toBeUndefined();
  });
});
