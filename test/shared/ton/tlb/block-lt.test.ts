import { expect, test } from "vitest";
import { isUnsent, startLtAfter, startLtOf } from "../../../../shared/ton/tlb/block-lt.js";

test("a block starts at a multiple of a million, after all blocks before it", () => {
  expect(startLtAfter(0n)).toBe(1_000_000n);
  expect(startLtAfter(4_000_005n, 6_000_000n, 5_999_999n)).toBe(7_000_000n);
  expect(startLtOf(6_000_003n)).toBe(6_000_000n);
});

test.each([
  ["created with the block that receives it", 6_000_000n, 6_000_001n, true],
  ["sent by the first transaction of the block", 6_000_002n, 6_000_003n, false],
  ["created with an earlier block", 5_000_000n, 6_000_001n, false],
])("a message %s", (_name, createdLt, receivedLt, expected) => {
  expect(isUnsent(createdLt, receivedLt)).toBe(expected);
});
