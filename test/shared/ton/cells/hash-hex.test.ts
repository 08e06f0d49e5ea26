import { expect, test } from "vitest";
import { hashHex } from "../../../../shared/ton/cells/hash-hex.js";

test("writes every byte with two digits", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(hashHex(bytes)).toBe(Buffer.from(bytes).toString("hex"));
  expect(hashHex(new Uint8Array(0))).toBe("");
});
