import type { Block } from "./block.js";
import type { BlockTree } from "./block-tree.js";
import type { Refusal } from "./refusal.js";

/** Receives the results of matchers on a trace's blocks. Optional; nothing is recorded without one. */
export interface Recorder {
  /** Called with the tree before any matcher runs. */
  began(tree: BlockTree): void;
  /** Called when the blocks around an anchor became a composite. */
  built(matcher: string, anchor: Block, composite: Block): void;
  /** Called when an anchor of the right kind failed a condition. */
  refused(matcher: string, anchor: Block, refusal: Refusal): void;
}

/** Result of a matcher on a block. */
type Verdict =
  | { readonly matcher: string; readonly anchor: Block; readonly composite: Block }
  | { readonly matcher: string; readonly anchor: Block; readonly refusal: Refusal };

/** Records everything in order, to explain a single trace. */
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

  /** The current outermost blocks. */
  get outermostBlocks(): readonly Block[] {
    return this.#tree?.outermostBlocks() ?? [];
  }
}
