import type { StoredType } from "../../../shared/actions/all.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { MemberColumns } from "./action.js";
import type { TraceNode } from "./node.js";
import type { AddressText } from "./trace.js";

/** The parts of a block kind that do not depend on its data type. */
export interface AnyBlockKind {
  /** Name of the block type: part of action ids and of `ancestor_type`. */
  readonly name: string;
  /** Type of its rows; undefined for blocks without a row. */
  readonly type: StoredType | undefined;
  /** Whether its parts have no rows of their own. */
  readonly isLeaf: boolean;
  columns(block: Block): MemberColumns;
  /** Accounts of its rows in addition to the common ones. */
  accounts(block: Block): readonly (AddressText | undefined)[];
}

/**
 * A message with its transaction, or several blocks that a matcher recognised as one event. Outermost blocks form a
 * tree: a block's followers are the blocks that it caused.
 */
export class Block {
  readonly kind: AnyBlockKind;
  /** Its type is declared by the kind; read it with `kind.of(block)`. */
  readonly data: unknown;
  /** The head's nodes first. */
  readonly nodes: readonly TraceNode[];
  /** The combined blocks; for a basic block, its deployment if there was one. */
  readonly parts: readonly Block[];
  readonly isFailed: boolean;
  readonly isBroken: boolean;
  /** The node that sent the first message; empty if it was sent from outside of the trace. */
  readonly initiating: readonly TraceNode[];
  /** Undefined only for the root. */
  previous: Block | undefined;
  followers: Block[] = [];
  /** The composite that contains this block. */
  container: Block | undefined;
  /** Smallest lt of the messages. */
  readonly lt: bigint;
  /**
   * Unsigned; undefined for composites and for bodies shorter than 32 bits. Given if it is not the body's first 32 bits. A
   * field, because all matchers read it.
   */
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
    this.opcode = parts.opcode ?? (parts.nodes.length === 1 ? parts.nodes[0]!.message?.opcode : undefined);
  }

  /** The first node. Only the root and helper blocks have none. */
  get node(): TraceNode {
    return this.nodes[0]!;
  }

  /** Sender of the first message; undefined for a helper block, like all other properties of the message. */
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

  /** The body of the first message. Throws, which cancels the match, if there is no message. */
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
  Partial<Pick<Block, "parts" | "isFailed" | "isBroken" | "lt" | "opcode">>;

/** The outermost block that contains a block, or the block itself. */
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
