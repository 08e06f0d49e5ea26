import type { Cell } from "../cells/cell.js";
import { type Codec, codec, decode, encode } from "./codec.js";

/**
 * A value in its own cell, `^X` in the scheme. Lazy: decodes on the first access to `value`, encodes on the first
 * access to `cell`, and keeps the result. A reader of a block or proof therefore opens only the cells it uses. Access
 * to `value` throws `TlbError` if the cell is pruned or not of the type.
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

  /** Wraps a cell without decoding it. */
  static in<T>(type: Codec<T>, cell: Cell): CellOf<T> {
    return new CellOf(type, cell, undefined);
  }

  /** Wraps a value without encoding it. The caller must not modify the value afterwards. */
  static of<T>(type: Codec<T>, value: T): CellOf<T> {
    return new CellOf(type, undefined, value);
  }

  get value(): T {
    if (!this.decoded) {
      this.knownValue = decode(this.type, this.cell);
      this.decoded = true;
    }
    // T may include undefined, so presence is tracked by the flag.
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
