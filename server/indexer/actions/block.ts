import type { Cell } from "../../cells/cell.js";
import type { ActionType, ColumnsOf } from "../../store/tables/action-details.js";
import type { TraceNode } from "./node.js";
import type { AddressText } from "./trace.js";

/** What the machinery uses of a kind, whatever the data of its blocks. */
export interface AnyBlockKind {
  /** Name of the block type: part of identifiers of actions, and what children remember of their ancestors. */
  readonly name: string;
  /** Type of its rows; undefined for blocks that have no row of their own. */
  readonly type: ActionType | undefined;
  /** Whether the blocks that it is made of have no rows. */
  readonly isLeaf: boolean;
  columns(block: Block): AnyColumns;
  /** Accounts of its rows besides the common ones. */
  accounts(block: Block): readonly (AddressText | undefined)[];
}

type AnyColumns = { [T in ActionType]: ColumnsOf<T> }[ActionType];

/**
 * A message with its transaction, or several blocks that a matcher recognised as one event. Blocks that are not part of
 * another one form a tree: what a block led to are its followers.
 */
export class Block {
  readonly kind: AnyBlockKind;
  /** Of the type that its kind declares; read it with `kind.of(block)`. */
  readonly data: unknown;
  /** The head's nodes first. */
  readonly nodes: readonly TraceNode[];
  /** The blocks it was made of; for a basic block, the deployment that it was. */
  readonly parts: readonly Block[];
  readonly isFailed: boolean;
  readonly isBroken: boolean;
  /** The node that sent the first message; none if nothing in the trace did. */
  readonly initiating: readonly TraceNode[];
  /** Only the root has none. */
  previous: Block | undefined;
  followers: Block[] = [];
  /** The block that this one became a part of. */
  container: Block | undefined;
  /** Smallest lt of the messages. */
  readonly lt: bigint;
  /** Unsigned; undefined for composites, and if the body is shorter than 32 bits. All matchers ask for it. */
  readonly opcode: number | undefined;

  constructor(parts: BlockParts) {
    this.kind = parts.kind;
    this.data = parts.data;
    this.nodes = parts.nodes;
    this.parts = parts.parts ?? [];
    this.isFailed = parts.isFailed ?? false;
    this.isBroken = parts.isBroken ?? false;
    this.initiating = parts.initiating;
    this.previous = parts.previous;
    this.lt = parts.lt ?? smallestLt(parts.nodes);
    this.opcode = parts.nodes.length === 1 ? parts.nodes[0]!.message?.opcode : undefined;
  }

  /** The first node. Every block but the root and helper blocks has one. */
  get node(): TraceNode {
    return this.nodes[0]!;
  }

  /** Sender of the first message; like the other facts of it, undefined for a helper block. */
  get source(): AddressText | undefined {
    return this.nodes[0]?.message?.source;
  }

  /** Receiver of the first message; undefined for logs. */
  get destination(): AddressText | undefined {
    return this.nodes[0]?.message?.destination;
  }

  get value(): bigint | undefined {
    return this.nodes[0]?.message?.value;
  }

  /** The body of the first message. Throws, which cancels a match, if there is no message. */
  get body(): Cell {
    const body = this.node.message?.body;
    if (body === undefined) throw new TypeError("the block has no message");
    return body;
  }

  /** The account of the first transaction. */
  get account(): AddressText {
    return this.node.transaction.account;
  }

  /** Whether the block is a log: an outbound external message. */
  get isLog(): boolean {
    return this.nodes[0]?.kind === "log";
  }
}

type BlockParts = Pick<Block, "kind" | "data" | "nodes" | "initiating" | "previous"> &
  Partial<Pick<Block, "parts" | "isFailed" | "isBroken" | "lt">>;

/** The outermost block that a block is part of; itself if it is part of none. */
export function outermost(block: Block): Block {
  let outer = block;
  while (outer.container) outer = outer.container;
  return outer;
}

function smallestLt(nodes: readonly TraceNode[]): bigint {
  let smallest = nodes[0]?.lt ?? 0n;
  for (const { lt } of nodes) if (lt < smallest) smallest = lt;
  return smallest;
}
