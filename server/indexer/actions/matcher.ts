import { Attempt, type StepBudget, TooManySteps } from "./attempt.js";
import type { Block } from "./block.js";
import type { Built } from "./block-kind.js";
import type { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";
import type { Pattern } from "./pattern.js";
import type { Recorder } from "./recorder.js";
import type { Refusal } from "./refusal.js";

/** Recognises one kind of event: a pattern around an anchor, and the composite that its blocks become. */
export type Matcher = {
  readonly name: string;
  /** Around the anchor, which every block of the trace is tried as. */
  readonly pattern: Pattern;
  /** The excesses and bounces that the anchor sent belong to it, as to the blocks around it. Default: false. */
  readonly takesExcessOfAnchor?: boolean;
  /**
   * Reads what the event was. `cancel(reason)` leaves the blocks what they were, and so does a throw: a body that cannot
   * be read needs no care.
   */
  readonly build: (match: Match, contracts: ContractLookups, tree: BlockTree) => Built | Cancelled;
};

/** Why blocks that fit a pattern are not what they seem. */
export type Cancelled = { readonly cancelled: string };

export function cancel(reason: string): Cancelled {
  return { cancelled: reason };
}

/** The blocks that a pattern took. */
export class Match {
  readonly anchor: Block;
  readonly #attempt: Attempt;

  constructor(attempt: Attempt) {
    this.anchor = attempt.anchor;
    this.#attempt = attempt;
  }

  /** All of them, in the order of the pattern. */
  get taken(): readonly Block[] {
    return this.#attempt.taken;
  }

  /** The first block of a label. */
  find(label: string): Block | undefined {
    return this.#attempt.labelled(label)[0];
  }

  /** Like `find`; without such a block it throws, which cancels the match. */
  get(label: string): Block {
    const found = this.find(label);
    if (found === undefined) throw new TypeError(`no block is #${label}`);
    return found;
  }

  /** The blocks of a label, in the order of the pattern. */
  all(label: string): Block[] {
    return this.#attempt.labelled(label);
  }
}

export type PassOptions = {
  readonly tree: BlockTree;
  readonly contracts: ContractLookups;
  readonly budget: StepBudget;
  readonly recorder: Recorder | undefined;
};

/**
 * Tries a matcher on all blocks, breadth-first. The walk is live: behind an anchor that became part of a composite it goes
 * on with the blocks that used to follow the anchor. The composite itself is not tried.
 */
export function runPass(matcher: Matcher, options: PassOptions): void {
  const { root, present } = options.tree;
  const { recorder } = options;
  if (!matcher.pattern.couldFit(present)) return;
  const open = [...root.followers];
  const made = new Set<Block>();
  // The list grows while it is walked.
  for (const block of open) {
    if (block.container === undefined && !made.has(block)) {
      if (matcher.pattern.fitsHead(block)) {
        const composite = tryAnchor(matcher, block, options);
        if (composite) made.add(composite);
      } else if (recorder) {
        const refusal = matcher.pattern.anchorRefusal?.(block);
        if (refusal) recorder.refused(matcher.name, block, refusal);
      }
    }
    for (const follower of block.followers) open.push(follower);
  }
}

function tryAnchor(matcher: Matcher, anchor: Block, options: PassOptions): Block | undefined {
  const { tree, contracts, recorder } = options;
  const attempt = new Attempt(anchor, {
    budget: options.budget,
    isExcessOfAnchorTaken: matcher.takesExcessOfAnchor ?? false,
    isExplained: recorder !== undefined,
  });
  try {
    if (!matcher.pattern.take(anchor, attempt)) {
      recorder?.refused(matcher.name, anchor, attempt.noted ?? refusalAt(anchor, "the block does not fit"));
      return undefined;
    }
    const built = matcher.build(new Match(attempt), contracts, tree);
    if ("cancelled" in built) {
      recorder?.refused(matcher.name, anchor, refusalAt(anchor, built.cancelled));
      return undefined;
    }
    const composite = tree.compose(built, attempt.taken);
    if (composite) recorder?.built(matcher.name, anchor, composite);
    else recorder?.refused(matcher.name, anchor, refusalAt(anchor, "the blocks do not hang together"));
    return composite;
  } catch (error) {
    if (error instanceof TooManySteps) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    recorder?.refused(matcher.name, anchor, refusalAt(anchor, reason));
    return undefined;
  }
}

function refusalAt(at: Block, reason: string): Refusal {
  return { reason, at, candidates: [] };
}
