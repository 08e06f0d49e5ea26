/**
 * Each round of validators (65,536 seconds) has two key blocks: one announces the next set, the other one begins its
 * round.
 */
const keyBlocksPerDay = 2 * (86_400 / 65_536);
/** Mostly for checking the signatures of some hundred validators; one request covers 16 key blocks. */
const msPerKeyBlock = 60;

/** Estimated duration, in words, of proving a chain like mainnet from a block of this age. */
export function proofDuration(ageSec: number): string {
  const keyBlocks = Math.ceil((ageSec / 86_400) * keyBlocksPerDay);
  const minutes = Math.ceil((keyBlocks * msPerKeyBlock) / 60_000);
  return `proving some ${keyBlocks} key blocks takes about ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
}
