import type { Block } from "./block.js";

/** Why a matcher did not match: the condition that did not hold. */
export type Refusal = {
  readonly reason: string;
  /** The block that it is about. */
  readonly at: Block;
  /** The blocks of which one should have fitted. */
  readonly candidates: readonly Block[];
};
