import { basicBlocks, helperKind } from "./basic-blocks.js";
import { type AnyBlockKind, Block, outermost } from "./block.js";
import type { Built } from "./block-kind.js";
import { compare, type TraceNode } from "./node.js";
import type { Presence } from "./pattern.js";

/** The blocks of a trace that are part of no other block, as a tree, and what it is made of. */
export class BlockTree {
  readonly root: Block;
  /** Kinds of composites are added as they are made. */
  readonly present: Presence;
  readonly #kinds = new Set<AnyBlockKind>();

  constructor(roots: readonly TraceNode[]) {
    this.root = basicBlocks(roots);
    const opcodes = new Set<number | undefined>();
    for (const block of this.outermostBlocks()) {
      opcodes.add(block.opcode);
      this.#kinds.add(block.kind);
    }
    this.present = { opcodes, kinds: this.#kinds };
  }

  /** All blocks of the tree without the root, breadth-first. Blocks that are made meanwhile may be missed. */
  outermostBlocks(): Block[] {
    const blocks = [...this.root.followers];
    // The list grows while it is walked.
    for (const block of blocks) for (const follower of block.followers) blocks.push(follower);
    return blocks;
  }

  /**
   * Replaces blocks by a composite of them; `parts` is what the pattern took, and can name a block more than once.
   * Returns undefined, and changes nothing, if they do not hang together: all but the earliest must follow one of the
   * others that is earlier.
   */
  compose(built: Built, taken: readonly Block[]): Block | undefined {
    const parts = inOrder(built.from ?? taken);
    const [head] = parts;
    if (head?.previous === undefined || !areConnected(parts)) return undefined;
    const composite = new Block({
      kind: built.kind,
      data: built.data,
      nodes: distinctNodes(parts),
      parts,
      initiating: head.initiating,
      previous: head.previous,
      isFailed: built.isFailed ?? false,
      isBroken: built.isBroken ?? false,
    });
    for (const part of parts) part.container = composite;
    composite.followers = followersOf(head, composite);
    for (const follower of composite.followers) follower.previous = composite;
    this.#replaceFollowers(head.previous);
    this.#kinds.add(built.kind);
    return composite;
  }

  /** Puts a block without a message between a block and some of its followers. */
  insertHelper(previous: Block, followers: readonly Block[]): Block {
    const lts = followers.map(({ lt }) => lt);
    const lt = lts.reduce((least, each) => (each < least ? each : least));
    // Not after the blocks that it precedes.
    const helper = new Block({
      kind: helperKind,
      data: undefined,
      nodes: [],
      initiating: [],
      previous,
      lt: lt - 1n,
    });
    helper.followers = [...followers];
    previous.followers = [helper, ...previous.followers.filter((each) => !followers.includes(each))];
    for (const follower of followers) follower.previous = helper;
    return helper;
  }

  /**
   * Replaces a block by one that is made of its parts and those of another one, which leaves the tree. For after-passes:
   * it does not matter whether the blocks hang together. If another message initiated the one that leaves, its node
   * becomes a node of the merged block.
   */
  merge(kept: Block, vanishing: Block, built: Omit<Built, "from">): Block {
    const merged = new Block({
      kind: built.kind,
      data: built.data,
      nodes: [
        ...new Set([
          ...distinctNodes([kept, vanishing]),
          ...vanishing.initiating.filter((node) => !kept.initiating.includes(node)),
        ]),
      ],
      parts: [...kept.parts, ...vanishing.parts],
      initiating: kept.initiating,
      previous: kept.previous,
      isFailed: built.isFailed ?? false,
      isBroken: built.isBroken ?? false,
    });
    for (const part of merged.parts) part.container = merged;
    this.#replace(vanishing, vanishing.followers);
    merged.previous = kept.previous;
    merged.followers = kept.followers;
    for (const follower of merged.followers) follower.previous = merged;
    this.#replace(kept, [merged]);
    return merged;
  }

  /** Puts blocks where a block followed its previous one. */
  #replace(block: Block, by: readonly Block[]): void {
    const previous = block.previous!;
    previous.followers = previous.followers.flatMap((each) => (each === block ? by : [each]));
    for (const each of by) each.previous = previous;
  }

  #replaceFollowers(block: Block): void {
    const followers = [...new Set(block.followers.map(outermost))];
    block.followers = followers.sort((a, b) => compare(a.lt, b.lt));
  }
}

/** Messages before logs before composites of the same lt. */
const kindOrder = { received: 0, ghost: 0, log: 1 };

function inOrder(blocks: readonly Block[]): Block[] {
  return [...new Set(blocks)].sort((a, b) => compare(placeOf(a), placeOf(b)) || orderOf(a) - orderOf(b));
}

function placeOf({ nodes: [node, second], lt }: Block): bigint {
  return node === undefined || second ? lt : node.transaction.lt;
}

function orderOf({ nodes: [node, second] }: Block): number {
  if (node === undefined) return 0;
  return second ? 2 : kindOrder[node.kind];
}

function areConnected(parts: readonly Block[]): boolean {
  const accepted = new Set<Block>(parts.slice(0, 1));
  for (const part of parts.slice(1)) {
    if (part.previous === undefined || !accepted.has(part.previous)) return false;
    accepted.add(part);
  }
  return true;
}

function distinctNodes(parts: readonly Block[]): TraceNode[] {
  return [...new Set(parts.flatMap(({ nodes }) => nodes))];
}

/** The first blocks on each path behind a block that are not part of the composite, breadth-first. */
function followersOf(head: Block, composite: Block): Block[] {
  const found: Block[] = [];
  const open = [...head.followers];
  // The list grows while it is walked.
  for (const block of open)
    if (block.container !== composite) found.push(block);
    else for (const follower of block.followers) open.push(follower);
  return found;
}
