import type { Block } from "./block.js";
import type { Refusal } from "./refusal.js";

/** Nesting of patterns that contain themselves, in one match. */
const maxNesting = 200;

/** Steps between two looks at the clock. */
const stepsPerLook = 256;

/**
 * Bounds the time of one trace: the number of times that a pattern meets a block, over all matchers. `isOver`: whether the
 * trace is to be left for later.
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

/** Ends the classification of a trace, where other errors only cancel a match. */
export class TooManySteps extends Error {
  override readonly name: string = "TooManySteps";
}

/** Ends it for now. */
export class LeftForLater extends TooManySteps {}

/** One try of a matcher on an anchor: what its pattern has taken so far. */
export class Attempt {
  readonly anchor: Block;
  readonly isExcessOfAnchorTaken: boolean;
  readonly #budget: StepBudget;
  /** Whether anybody wants to know why blocks do not fit. */
  readonly isExplained: boolean;
  /** The condition that did not hold furthest from the anchor. */
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
   * Notes a condition that does not hold, for explanations. Whoever goes on without the block restores what was noted
   * before: only what ended the match counts. `ahead` is 1 if the condition is about a block that could be taken next.
   */
  note(refusal: Refusal, ahead: 0 | 1 = 0): void {
    const depth = this.#blocks.length + ahead;
    if (this.noted === undefined || depth >= this.noted.depth) this.noted = { ...refusal, depth };
  }

  /** All blocks that were taken, in the order of the pattern; a block can be there more than once. */
  get taken(): readonly Block[] {
    return this.#blocks;
  }

  /** The blocks of a label. */
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
