import { expect, test } from "vitest";
import { toBase64 } from "../../../../shared/ton/cells/base64.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";

test.each([0, 1, 2, 3, 40_000])(
  "%d bytes, also of a larger buffer, have the same text as elsewhere",
  (length) => {
    const bytes = Uint8Array.from({ length: length + 5 }, (_, i) => i * 7).subarray(5);
    expect(toBase64(bytes)).toBe(bytesToBase64(bytes));
  },
);
