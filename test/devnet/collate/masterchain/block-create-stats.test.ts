import { expect, it } from "vitest";
import { decay } from "../../../../server/devnet/collate/masterchain/block-create-stats.js";

const billion = 1_000_000_000_000n;

it("a count decays by e in 65,536 steps, rounded", () => {
  expect(decay(billion, 0)).toBe(billion);
  // 10^12 * exp(-1), exp(-2), exp(-0.5), exp(-1.5), exp(-10)
  expect(decay(billion, 65_536)).toBe(367_879_441_171n);
  expect(decay(billion, 2 * 65_536)).toBe(135_335_283_237n);
  expect(decay(billion, 32_768)).toBe(606_530_659_713n);
  expect(decay(billion, 98_304)).toBe(223_130_160_148n);
  expect(decay(billion, 655_360)).toBe(45_399_930n);
  expect(decay(1n, 45_000)).toBe(1n);
  expect(decay(1n, 46_000)).toBe(0n);
});

it("nothing is left after more than 64 times that", () => {
  const large = 2n ** 100n;
  expect(decay(large, 64 * 65_536)).toBeGreaterThan(0n);
  expect(decay(large, 65 * 65_536)).toBe(0n);
});
