import type { Block } from "./block.js";

/** The failed condition of a matcher. */
export type Refusal = {
  readonly reason: string;
  /** The block that failed it. */
  readonly at: Block;
  /** The blocks of which one had to fit. */
  readonly candidates: readonly Block[];
};
