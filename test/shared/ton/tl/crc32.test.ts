import { crc32 as zlibCrc32 } from "node:zlib";
import { expect, test } from "vitest";
import { crc32 } from "../../../../shared/ton/tl/crc32.js";

test.each(["", "a", "123456789", "liteServer.getTime = liteServer.CurrentTime"])("sums %j", (text) => {
  expect(crc32(text)).toBe(zlibCrc32(text));
});

// The check value of CRC-32/ISO-HDLC.
test("has the known check value", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
});
