import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { TraceEnd } from "../../devnet/chain/trace-watch.js";

/** Progress of this process's index and streams. */
export interface IndexReach {
  /**
   * Resolves when the index has this block and the streams have sent it, but at the latest after `maxMs` or when the
   * chain is reverted. Returns whether they have. Without an index it resolves immediately.
   */
  reaches(block: BlockIdExt, maxMs: number): Promise<boolean>;
  /** Number of masterchain blocks missing in the index. */
  readonly behind: number;
}

/** Share of a call's deadline after which its answer stops waiting. */
const share = 0.8;

/** Starts measuring a call's time; its definition may have a longer deadline. */
export type Begin = (definition?: { readonly timeoutMs?: number }) => Settling;

type Limits = {
  /** Maximum time that an answer waits for the consequences of its write. */
  maxMs: number;
  /** Deadline of calls whose definition has no longer one. */
  callTimeoutMs: number;
};

/** For the deps of methods that write to the devnet: how long their answers wait until the index has the change. */
export function settlement(index: IndexReach, { maxMs, callTimeoutMs }: Limits): Begin {
  return ({ timeoutMs = 0 } = {}) => new Settling(index, maxMs, Math.max(callTimeoutMs, timeoutMs));
}

/** How long a call's answer waits after its write. The write is done even if the wait is cut short. */
export class Settling {
  readonly #index: IndexReach;
  readonly #maxMs: number;
  readonly #endsAt: number;

  /** Starts with the call, which ends after `timeoutMs`. */
  constructor(index: IndexReach, maxMs: number, timeoutMs: number) {
    this.#index = index;
    this.#maxMs = maxMs;
    this.#endsAt = performance.now() + share * timeoutMs;
  }

  /** Remaining time for the trace and the index together, ms. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#maxMs, this.#endsAt - performance.now()));
  }

  /** Number of masterchain blocks missing in the index. */
  get behind(): number {
    return this.#index.behind;
  }

  /** Whether the index has the block. */
  at(block: BlockIdExt, maxMs: number = this.leftMs): Promise<boolean> {
    return this.#index.reaches(block, maxMs);
  }

  /** Whether the whole trace is in blocks, and the index has these blocks. */
  async after({ isComplete, block, leftMs }: TraceEnd): Promise<boolean> {
    return isComplete && (block === undefined || (await this.at(block, leftMs)));
  }
}
