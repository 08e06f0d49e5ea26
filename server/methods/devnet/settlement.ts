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

/** Longest time that an answer waits for what follows from its write, ms. */
export const defaultSettleMs = 5000;
/** Share of a call's deadline by which its answer stops waiting. */
const share = 0.8;

/** Begins to measure the time of a call, whose deadline is longer if its definition says so. */
export type Begin = (definition?: { readonly timeoutMs?: number }) => Settling;

type Limits = {
  /** When calls end. */
  callTimeoutMs: number;
  /** Longest time that their answers wait. */
  settleMs: number;
};

export function settlement(index: IndexReach, { callTimeoutMs, settleMs }: Limits): Begin {
  return ({ timeoutMs = 0 } = {}) => new Settling(index, Math.max(callTimeoutMs, timeoutMs), settleMs);
}

/** How long the answer of one call waits after its write, which has happened whatever is missing then. */
export class Settling {
  readonly #index: IndexReach;
  readonly #endsAt: number;
  readonly #maxMs: number;

  /** Begins with the call, which ends after `timeoutMs`. */
  constructor(index: IndexReach, timeoutMs: number, maxMs: number) {
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
