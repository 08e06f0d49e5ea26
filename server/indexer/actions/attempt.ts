import type { Block } from "./block.js";
import type { Refusal } from "./refusal.js";

/** Maximum nesting of recursive patterns in one match. */
const maxNesting = 200;

/** Steps between two checks of the clock. */
const stepsPerLook = 256;

/**
 * Bounds the work on one trace: the number of comparisons of a pattern with a block, over all matchers. `isOver`:
 * whether to defer the trace.
 */
export class StepBudget {
  readonly #isOver: (() => boolean) | undefined;
  #left: number;
  #untilLook = 0;

  constructor(steps: number, isOver?: () => boolean) {
    this.#left = steps;
    this.#isOver = isOver;
  }

  spend(): void {
    if (--this.#left < 0) throw new TooManySteps("the trace takes too many steps to classify");
    if (!this.#isOver || --this.#untilLook >= 0) return;
    this.#untilLook = stepsPerLook;
    if (this.#isOver()) throw new LeftForLater("the trace is classified later");
  }
}

/** Ends the classification of a trace; other errors only cancel a match. */
export class TooManySteps extends Error {
  override readonly name: string = "TooManySteps";
}

/** Defers the classification. */
export class LeftForLater extends TooManySteps {}

/** One attempt to match an anchor, with the blocks taken so far. */
export class Attempt {
  readonly anchor: Block;
  readonly isExcessOfAnchorTaken: boolean;
  readonly #budget: StepBudget;
  /** Whether refusals are recorded. */
  readonly isExplained: boolean;
  /** The failed condition at the greatest depth from the anchor. */
  noted: NotedRefusal | undefined;
  readonly #blocks: Block[] = [];
  readonly #labels: (string | undefined)[] = [];
  #nesting = 0;

  constructor(anchor: Block, options: AttemptOptions) {
    this.anchor = anchor;
    this.isExcessOfAnchorTaken = options.isExcessOfAnchorTaken;
    this.#budget = options.budget;
    this.isExplained = options.isExplained;
  }

  countStep(): void {
    this.#budget.spend();
  }

  add(block: Block, label: string | undefined): void {
    this.#blocks.push(block);
    this.#labels.push(label);
  }

  mark(): number {
    return this.#blocks.length;
  }

  undo(mark: number): void {
    this.#blocks.length = mark;
    this.#labels.length = mark;
  }

  takenSince(mark: number): readonly Block[] {
    return this.#blocks.slice(mark);
  }

  nested<T>(take: () => T): T {
    if (this.#nesting >= maxNesting) throw new RangeError("a repeated pattern nests too deeply");
    this.#nesting++;
    try {
      return take();
    } finally {
      this.#nesting--;
    }
  }

  /**
   * Records a failed condition for explanations. Callers that continue without the block restore the previous record,
   * because only the condition that ended the match counts. `ahead` is 1 if the condition is about the next candidate
   * block.
   */
  note(refusal: Refusal, ahead: 0 | 1 = 0): void {
    const depth = this.#blocks.length + ahead;
    if (this.noted === undefined || depth >= this.noted.depth) this.noted = { ...refusal, depth };
  }

  /** All blocks taken, in the order of the pattern; a block may repeat. */
  get taken(): readonly Block[] {
    return this.#blocks;
  }

  /** The blocks with a label. */
  labelled(label: string): Block[] {
    const found = new Set<Block>();
    for (let i = 0; i < this.#blocks.length; i++) if (this.#labels[i] === label) found.add(this.#blocks[i]!);
    return [...found];
  }
}

type NotedRefusal = Refusal & { readonly depth: number };

type AttemptOptions = {
  readonly budget: StepBudget;
  readonly isExcessOfAnchorTaken: boolean;
  readonly isExplained: boolean;
};
