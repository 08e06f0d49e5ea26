/**
 * Each round of validators (65,536 seconds) has two key blocks: one announces the next set, the other one begins its
 * round.
 */
const keyBlocksPerDay = 2 * (86_400 / 65_536);
/** To check the signatures of some hundred validators takes 10 ms; the rest is one request for 16 key blocks. */
const msPerKeyBlock = 25;

/** Estimated duration, in words, of proving a chain like mainnet from a block of this age. */
export function proofDuration(ageSec: number): string {
  const keyBlocks = Math.ceil((ageSec / 86_400) * keyBlocksPerDay);
  const seconds = Math.ceil((keyBlocks * msPerKeyBlock) / 1000);
  const duration = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `proving some ${keyBlocks} key blocks takes about ${duration}`;
}
