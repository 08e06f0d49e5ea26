import type { Block } from "./block.js";

/** Receives what matchers did with the blocks of a trace. Without one nothing is recorded. */
export interface Recorder {
  /** The blocks around an anchor became a composite. */
  built(matcher: string, anchor: Block, composite: Block): void;
  /** An anchor was of the right kind, but a condition did not hold. */
  refused(matcher: string, anchor: Block, reason: string): void;
}

/** What a matcher did with a block. */
export type Verdict =
  | { readonly matcher: string; readonly anchor: Block; readonly composite: Block }
  | { readonly matcher: string; readonly anchor: Block; readonly refusedBecause: string };

/** Keeps everything, in order: for explanations of a single trace. */
export class Explanation implements Recorder {
  readonly #verdicts: Verdict[] = [];

  built(matcher: string, anchor: Block, composite: Block): void {
    this.#verdicts.push({ matcher, anchor, composite });
  }

  refused(matcher: string, anchor: Block, reason: string): void {
    this.#verdicts.push({ matcher, anchor, refusedBecause: reason });
  }

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /**
   * What matchers did with a block: the composites that it became a part of, and why those that tried it as their anchor
   * refused it.
   */
  of(block: Block): readonly Verdict[] {
    return this.#verdicts.filter((verdict) =>
      "composite" in verdict ? verdict.composite.parts.includes(block) : verdict.anchor === block,
    );
  }
}
