import type { Block } from "./block.js";
import type { BlockTree } from "./block-tree.js";
import type { Refusal } from "./refusal.js";

/** Receives what matchers did with the blocks of a trace. Without one nothing is recorded. */
export interface Recorder {
  /** The tree before any matcher has run. */
  began(tree: BlockTree): void;
  /** The blocks around an anchor became a composite. */
  built(matcher: string, anchor: Block, composite: Block): void;
  /** An anchor was of the right kind, but a condition did not hold. */
  refused(matcher: string, anchor: Block, refusal: Refusal): void;
}

/** What a matcher did with a block. */
export type Verdict =
  | { readonly matcher: string; readonly anchor: Block; readonly composite: Block }
  | { readonly matcher: string; readonly anchor: Block; readonly refusal: Refusal };

/** Keeps everything, in order: for explanations of a single trace. */
export class Explanation implements Recorder {
  readonly #verdicts: Verdict[] = [];
  #tree: BlockTree | undefined;
  #basicBlocks: readonly Block[] = [];

  began(tree: BlockTree): void {
    this.#tree = tree;
    this.#basicBlocks = tree.outermostBlocks();
  }

  built(matcher: string, anchor: Block, composite: Block): void {
    this.#verdicts.push({ matcher, anchor, composite });
  }

  refused(matcher: string, anchor: Block, refusal: Refusal): void {
    this.#verdicts.push({ matcher, anchor, refusal });
  }

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** The blocks of the messages, breadth-first. */
  get basicBlocks(): readonly Block[] {
    return this.#basicBlocks;
  }

  /** The blocks that are part of no other one, as they are now. */
  get outermostBlocks(): readonly Block[] {
    return this.#tree?.outermostBlocks() ?? [];
  }
}
