/** How much of the tests a run makes: `test/vitest.config.ts` sets it by the mode of the run. */
const mode = process.env["TONWIRE_TEST_MODE"];

/** Whether the run has the long proofs. */
export const isLong = mode === "long" || mode === "all";

/** Whether the run leaves to `npm test` what `npm test` has. */
export const isRest = mode === "long";

/** A count that `npm test` makes smaller, so that it sees a broken capability in a few seconds. */
export function sized(short: number, long: number): number {
  return isLong ? long : short;
}

/** Variants for `describe.each`: `npm test` has these, the long run the rest. */
export function variants<Variant>(short: readonly Variant[], rest: readonly Variant[]): readonly Variant[] {
  if (!isLong) return short;
  return isRest ? rest : [...short, ...rest];
}
