import { basicBlocks, helperKind } from "./basic-blocks.js";
import { type AnyBlockKind, Block, outermost } from "./block.js";
import type { Built } from "./block-kind.js";
import { compare, type TraceNode } from "./node.js";
import type { Presence } from "./pattern.js";

/** The tree of a trace's outermost blocks, and the presence data for skipping matchers. */
export class BlockTree {
  readonly root: Block;
  /** Kinds of composites are added as they are created. */
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

  /** All blocks of the tree except the root, breadth-first. Blocks created during the walk may be missed. */
  outermostBlocks(): Block[] {
    const blocks = [...this.root.followers];
    // The loop appends to the list.
    for (const block of blocks) for (const follower of block.followers) blocks.push(follower);
    return blocks;
  }

  /**
   * Replaces blocks by their composite; `taken` may repeat a block. Returns undefined and changes nothing if they are
   * not connected: every block but the earliest must follow an earlier one of them.
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

  /** Inserts a block without a message between a block and some of its followers. */
  insertHelper(previous: Block, followers: readonly Block[]): Block {
    const lts = followers.map(({ lt }) => lt);
    const lt = lts.reduce((least, each) => (each < least ? each : least));
    // The helper must not sort after the blocks that it precedes.
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
   * Replaces a block by one made of its parts and those of another block, which is removed from the tree. For
   * after-passes, so the blocks need not be connected. If the removed block was initiated by another message, its node
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

  /** Replaces a block among the followers of its previous block. */
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

/** For equal lt: messages, then logs, then composites. */
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

/** The first blocks outside of the composite on each path from a block, breadth-first. */
function followersOf(head: Block, composite: Block): Block[] {
  const found: Block[] = [];
  const open = [...head.followers];
  // The loop appends to the list.
  for (const block of open)
    if (block.container !== composite) found.push(block);
    else for (const follower of block.followers) open.push(follower);
  return found;
}
