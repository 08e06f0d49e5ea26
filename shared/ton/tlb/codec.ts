import { NamedError } from "../../values/named-error.js";
import { type Builder, beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import type { ValueCodec } from "../cells/dictionaries/dictionary-codec.js";
import type { Slice } from "../cells/slice.js";

/**
 * Reads and writes one TL-B type. Every type of this folder is exported under one name as a TypeScript type and as its
 * codec: `decode(Block, cell)`, `Message.store(message, builder)`. Absent values are `undefined`.
 */
export interface Codec<T> extends ValueCodec<T> {
  readonly name: string;
}

/** The type that a codec reads. */
export type Decoded<C> = C extends { load(slice: Slice): infer T } ? T : never;

/** Thrown for data that does not match its TL-B type, and for values that do not fit theirs. */
export class TlbError extends NamedError {
  static override readonly name = "TlbError";
}

/** Makes a codec from its two functions. `name` appears in error messages. */
export function codec<T>(
  name: string,
  load: (slice: Slice) => T,
  store: (value: T, builder: Builder) => void,
): Codec<T> {
  return { name, load, store };
}

/** Reads a cell that contains exactly one value. Throws `TlbError` with the type's name and the cell's hash. */
export function decode<T>(type: Codec<T>, cell: Cell): T {
  try {
    const slice = cell.parse();
    const value = type.load(slice);
    slice.end();
    return value;
  } catch (cause) {
    throw new TlbError(`${type.name} in cell ${cell.hashHex()}: ${messageOf(cause)}`, { cause });
  }
}

/** Writes a value into a new cell. Throws `TlbError` with the type's name if a field does not fit. */
export function encode<T>(type: Codec<T>, value: T): Cell {
  try {
    const builder = beginCell();
    type.store(value, builder);
    return builder.endCell();
  } catch (cause) {
    throw new TlbError(`${type.name} cannot be stored: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
