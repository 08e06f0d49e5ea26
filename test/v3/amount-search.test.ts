import { describe, expect, it } from "vitest";
import { searchAmount } from "../../server/methods/v3/messages/amount-search.js";

const ton = 1_000_000_000n;

/** The result, and the amounts that were tried, if `least` suffices. */
async function searched(failed: bigint, least: bigint) {
  const tried: bigint[] = [];
  const found = await searchAmount(failed, async (amount) => {
    tried.push(amount);
    return amount >= least;
  });
  return { found, tried };
}

describe("the search for an amount", () => {
  it.each([
    [1n, 5_000_000n],
    [ton / 100n, ton / 30n],
    [ton, 3n * ton],
    [ton, 100_000n * ton],
  ])("finds one near the least, which was tried: %d fails, %d suffices", async (failed, least) => {
    const { found, tried } = await searched(failed, least);
    expect(tried).toContain(found);
    expect(tried.length).toBeLessThanOrEqual(15);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found! * 10n).toBeLessThanOrEqual(least * 12n + 10_000_000n);
    // Two digits, as people write amounts.
    expect(String(found)).toMatch(/^\d{1,2}0*$/);
  });

  it("ends without one if none suffices", async () => {
    const { found, tried } = await searched(ton, 10n ** 30n);
    expect([found, tried.length]).toEqual([undefined, 10]);
  });
});
