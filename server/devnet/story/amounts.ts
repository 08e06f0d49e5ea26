/** One TON in nanotons. */
export const ton = 1_000_000_000n;
