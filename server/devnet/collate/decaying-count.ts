/** Fraction bits of the fixed-point exponential. Counters are in units of 2^-32. */
const precision = 128n;
const one = 1n << precision;

/** `value * exp(-steps / 2^16)`, rounded to the nearest integer. */
export function decay(value: bigint, steps: number): bigint {
  // exp(-n - f) = exp(-1)^n * exp(-f)
  const whole = Math.floor(steps / 65_536);
  if (whole > 64) return 0n;
  let factor = exponential(BigInt(steps % 65_536) << (precision - 16n));
  const perWhole = exponential(one);
  for (let i = 0; i < whole; i++) factor = (factor * perWhole) >> precision;
  return (value * factor + (one >> 1n)) >> precision;
}

/** exp(-x) for x in 0..1, by its Taylor series. */
function exponential(x: bigint): bigint {
  let sum = one;
  let term = one;
  for (let n = 1n; term !== 0n; n++) {
    term = (-term * x) / (n << precision);
    sum += term;
  }
  return sum;
}
