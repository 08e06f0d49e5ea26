import type { TraceEnd } from "../../devnet/chain/trace-watch.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

/** Where the index of this process and its streams are. */
export interface IndexReach {
  /**
   * Resolves when the index has this block and the streams have told it, at the latest after `maxMs` or when the chain is
   * reverted. Returns whether they have. Without an index there is nothing to wait for.
   */
  reaches(block: BlockIdExt, maxMs: number): Promise<boolean>;
  /** Masterchain blocks that they lack. */
  readonly behind: number;
}

/** Share of a call's deadline by which its answer stops waiting. */
const share = 0.8;

/** Begins to measure the time of a call, whose deadline is longer if its definition says so. */
export type Begin = (definition?: { readonly timeoutMs?: number }) => Settling;

type Limits = {
  /** Longest time that an answer waits for what follows from its write. */
  maxMs: number;
  /** Deadline of the calls whose definition has no longer one. */
  callTimeoutMs: number;
};

export function settlement(index: IndexReach, { maxMs, callTimeoutMs }: Limits): Begin {
  return ({ timeoutMs = 0 } = {}) => new Settling(index, maxMs, Math.max(callTimeoutMs, timeoutMs));
}

/** How long the answer of one call waits after its write, which has happened whatever is missing then. */
export class Settling {
  readonly #index: IndexReach;
  readonly #maxMs: number;
  readonly #endsAt: number;

  /** Begins with the call, which ends after `timeoutMs`. */
  constructor(index: IndexReach, maxMs: number, timeoutMs: number) {
    this.#index = index;
    this.#maxMs = maxMs;
    this.#endsAt = performance.now() + share * timeoutMs;
  }

  /** Time for the trace and the index together, ms. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#maxMs, this.#endsAt - performance.now()));
  }

  /** Masterchain blocks that the index lacks. */
  get behind(): number {
    return this.#index.behind;
  }

  /** Whether the index has the block. */
  at(block: BlockIdExt, maxMs: number = this.leftMs): Promise<boolean> {
    return this.#index.reaches(block, maxMs);
  }

  /** Whether blocks have the whole trace, and the index has these blocks. */
  async after({ isComplete, block, leftMs }: TraceEnd): Promise<boolean> {
    return isComplete && (block === undefined || (await this.at(block, leftMs)));
  }
}
