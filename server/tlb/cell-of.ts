import type { Cell } from "../cells/cell.js";
import { type Codec, codec, decode, encode } from "./codec.js";

/**
 * A value in a cell of its own, `^X` in the scheme. Made from a cell it decodes at the first look at `value`, made
 * from a value it encodes at the first look at `cell`, so whoever walks a block or a proof touches what he asks for
 * and nothing else. Looking into a pruned cell throws.
 */
export class CellOf<T> {
  readonly type: Codec<T>;
  private knownCell: Cell | undefined;
  private knownValue: T | undefined;
  private decoded: boolean;

  private constructor(type: Codec<T>, cell: Cell | undefined, value: T | undefined) {
    this.type = type;
    this.knownCell = cell;
    this.knownValue = value;
    this.decoded = cell === undefined;
  }

  static in<T>(type: Codec<T>, cell: Cell): CellOf<T> {
    return new CellOf(type, cell, undefined);
  }

  /** The value must not change afterwards. */
  static of<T>(type: Codec<T>, value: T): CellOf<T> {
    return new CellOf(type, undefined, value);
  }

  get value(): T {
    if (!this.decoded) {
      this.knownValue = decode(this.type, this.cell);
      this.decoded = true;
    }
    // T may include undefined, so the flag and not the value says whether it is there.
    return this.knownValue as T;
  }

  get cell(): Cell {
    this.knownCell ??= encode(this.type, this.value);
    return this.knownCell;
  }
}

/** `^X` */
export function cellOf<T>(type: Codec<T>): Codec<CellOf<T>> {
  return codec(
    `^${type.name}`,
    (slice) => CellOf.in(type, slice.loadRef()),
    (value, builder) => builder.storeRef(value.cell),
  );
}
