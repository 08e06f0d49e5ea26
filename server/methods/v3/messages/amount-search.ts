/** The least amount that is tried, in nanotons, and the exactness of the result. */
const leastTried = 10_000_000n;
const exactness = 1_000_000n;
/** Ten of them reach a million times the amount that failed. */
const maxGrowths = 10;
const growth = 4n;
const maxHalvings = 5;

/**
 * About the least amount above `failed` with which the run succeeds: found by growing, then by halving the distance. `undefined`
 * if none of the amounts that were tried succeeds.
 */
export async function searchAmount(
  failed: bigint,
  succeeds: (amount: bigint) => Promise<boolean>,
): Promise<bigint | undefined> {
  let low = failed;
  let high: bigint | undefined;
  for (let growths = 0; high === undefined; growths++) {
    if (growths === maxGrowths) return undefined;
    const next = rounded(low * growth > leastTried ? low * growth : leastTried);
    if (await succeeds(next)) high = next;
    else low = next;
  }
  for (let halvings = 0; halvings < maxHalvings; halvings++) {
    const middle = rounded((low + high) / 2n);
    if (high - low <= exactness || middle <= low || middle >= high) break;
    if (await succeeds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Up to two digits, as people write amounts. */
function rounded(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit - 1n) / unit) * unit;
}
