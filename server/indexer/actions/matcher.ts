import { Attempt, type StepBudget, TooManySteps } from "./attempt.js";
import type { Block } from "./block.js";
import type { Built } from "./block-kind.js";
import type { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";
import type { Pattern } from "./pattern.js";
import type { Recorder } from "./recorder.js";
import type { Refusal } from "./refusal.js";

/** Recognises one kind of event by a pattern around an anchor, and builds its composite block. */
export type Matcher = {
  readonly name: string;
  /** The pattern around the anchor; every block of the trace is tried as the anchor. */
  readonly pattern: Pattern;
  /**
   * Whether excesses and bounces sent by the anchor belong to the event, as they do for the other blocks. Default:
   * false.
   */
  readonly takesExcessOfAnchor?: boolean;
  /**
   * Reads the event. `cancel(reason)` leaves the blocks unchanged, and so does a throw, so unreadable bodies need no
   * special handling.
   */
  readonly build: (match: Match, contracts: ContractLookups, tree: BlockTree) => Built | Cancelled;
};

/** The reason why blocks that fit a pattern are not the event. */
export type Cancelled = { readonly cancelled: string };

export function cancel(reason: string): Cancelled {
  return { cancelled: reason };
}

/** The blocks taken by a pattern. */
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

  /** The first block with a label. */
  find(label: string): Block | undefined {
    return this.#attempt.labelled(label)[0];
  }

  /** Like `find`, but throws without such a block, which cancels the match. */
  get(label: string): Block {
    const found = this.find(label);
    if (found === undefined) throw new TypeError(`no block is #${label}`);
    return found;
  }

  /** The blocks with a label, in the order of the pattern. */
  all(label: string): Block[] {
    return this.#attempt.labelled(label);
  }
}

type PassOptions = {
  readonly tree: BlockTree;
  readonly contracts: ContractLookups;
  readonly budget: StepBudget;
  readonly recorder: Recorder | undefined;
};

/**
 * Tries a matcher on all blocks, breadth-first. The walk is live: after an anchor has become part of a composite, it
 * continues with the anchor's former followers. The composite itself is not tried.
 */
export function runPass(matcher: Matcher, options: PassOptions): void {
  const { root, present } = options.tree;
  const { recorder } = options;
  if (!matcher.pattern.couldFit(present)) return;
  const open = [...root.followers];
  const made = new Set<Block>();
  // The loop appends to the list.
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
