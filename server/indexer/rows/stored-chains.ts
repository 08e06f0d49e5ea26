import type { Queries } from "../../store/database.js";
import { readChainStarts } from "../../store/queries/upkeep/index-ranges.js";

/** Gap-free runs of stored masterchain blocks. */
export class StoredChains {
  readonly #starts: readonly number[];

  private constructor(starts: readonly number[]) {
    this.#starts = starts;
  }

  /** Includes the run continued by a batch that is not stored yet, given its beginning. */
  static async read(queries: Queries, unstored?: number): Promise<StoredChains> {
    const starts = new Set(await readChainStarts(queries));
    if (unstored !== undefined) starts.add(unstored);
    return new StoredChains([...starts].sort((a, b) => a - b));
  }

  /** The first block of the run that contains a stored block. */
  startOf(seqno: number): number {
    return this.#starts.findLast((start) => start <= seqno) ?? seqno;
  }

  /** Whether all blocks up to a stored one are stored. */
  isWholeUpTo(seqno: number): boolean {
    return this.startOf(seqno) === 1;
  }
}
