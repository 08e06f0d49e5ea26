import { expect, it } from "vitest";
import { shortPercent } from "../../../../server/web/explorer/parts/percent.js";

it.each([
  [1n, 3n, "33.33 %"],
  [1n, 1n, "100 %"],
  // Not all of it.
  [10n ** 40n - 1n, 10n ** 40n, "99.99 %"],
  [1n, 10_000n, "0.01 %"],
  [1n, 10_001n, "< 0.01 %"],
  [0n, 7n, "0 %"],
  // A contract may claim a supply below its wallets' balances.
  [5n, 2n, "250 %"],
  [1n, 0n, undefined],
  [1n, -1n, undefined],
  [-1n, 1n, undefined],
])("%i of %i is %s", (part, of, text) => {
  expect(shortPercent(part, of)).toBe(text);
});
