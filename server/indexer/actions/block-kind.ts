import { type ActionMembers, actionDeclarations, type StoredType } from "../../../shared/actions/all.js";
import { columnsOf } from "../../../shared/actions/declare.js";
import type { MemberColumns } from "./action.js";
import type { AnyBlockKind, Block } from "./block.js";
import type { AddressText } from "./trace.js";

type KindOptions<T extends StoredType, Data> = {
  readonly type: T;
  readonly isLeaf?: boolean;
  /** Gives the members of an action. A throw fails the classification of the whole trace. */
  readonly row: (data: Data, block: Block) => ActionMembers<T>;
  readonly accounts?: (data: Data) => readonly (AddressText | undefined)[];
};

/** A kind of block built by a family: the type of its data, and the mapping to the members of its action. */
export class BlockKind<T extends StoredType, Data> implements AnyBlockKind {
  readonly name: string;
  readonly type: T;
  readonly isLeaf: boolean;
  readonly #options: KindOptions<T, Data>;

  constructor(name: string, options: KindOptions<T, Data>) {
    this.name = name;
    this.type = options.type;
    this.isLeaf = options.isLeaf ?? false;
    this.#options = options;
  }

  /** The data of a block; undefined for a block of another kind. */
  of(block: Block | undefined): Data | undefined {
    // Only `build` makes blocks of this kind.
    return block?.kind === this ? (block.data as Data) : undefined;
  }

  /** The data of a block that is of this kind. */
  dataOf(block: Block | undefined): Data {
    if (block?.kind !== this) throw new TypeError(`a block is no ${this.name}`);
    return block.data as Data;
  }

  columns(block: Block): MemberColumns {
    const members = this.#options.row(this.dataOf(block), block);
    // Objects and columns have the types of their members.
    return columnsOf(
      actionDeclarations[this.type],
      members as Readonly<Record<string, unknown>>,
    ) as MemberColumns;
  }

  accounts(block: Block): readonly (AddressText | undefined)[] {
    return this.#options.accounts?.(this.dataOf(block)) ?? [];
  }

  /** Result of a matcher that builds a block of this kind. */
  build(data: Data, built: Omit<Built, "kind" | "data"> = {}): Built {
    return { kind: this, data, ...built };
  }
}

/** A composite block to create. */
export type Built = {
  readonly kind: AnyBlockKind;
  readonly data: unknown;
  /** Default: false. */
  readonly isFailed?: boolean;
  /** Marks the classification of the trace as broken. */
  readonly isBroken?: boolean;
  /** The blocks to combine; by default those that the pattern took. */
  readonly from?: readonly Block[];
};
