import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { Slice } from "../../shared/ton/cells/slice.js";
import { Address } from "../../shared/values/address.js";

/**
 * A field of a made cell: a number with its bits, coins, an address, a bit, bytes, a reference, or fields in place. A text
 * is read as an address; `none` is stored as the address of nobody.
 */
type Field =
  | readonly [value: number | bigint, bits: number]
  | bigint
  | string
  | Address
  | undefined
  | boolean
  | Uint8Array
  | Cell
  | Builder
  | Slice;

export const none = undefined;

/** A cell with these fields. */
export function cellWith(...content: readonly Field[]): Cell {
  return fieldsWith(...content).endCell();
}

/** Fields, to be stored in place. */
export function fieldsWith(...content: readonly Field[]): Builder {
  return content.reduce<Builder>(stored, beginCell());
}

/** A body that begins with an opcode and the query id zero. */
export function bodyOf(opcode: number, ...content: readonly Field[]): Cell {
  return cellWith([opcode, 32], [0, 64], ...content);
}

/** A cell that may be absent, in a reference. */
export function maybe(cell: Cell | undefined): Builder {
  return beginCell().storeMaybeRef(cell);
}

function stored(builder: Builder, field: Field): Builder {
  if (typeof field === "bigint") return builder.storeCoins(field);
  if (typeof field === "boolean") return builder.storeBit(field);
  if (typeof field === "string") return builder.storeAddress(Address.read(field)!.address);
  if (field === undefined || field instanceof Address) return builder.storeAddress(field);
  if (field instanceof Uint8Array) return builder.storeBytes(field);
  if (field instanceof Cell) return builder.storeRef(field);
  if (field instanceof Slice) return builder.storeSlice(field);
  return "endCell" in field ? builder.storeBuilder(field) : numberStored(builder, field);
}

function numberStored(builder: Builder, [value, bits]: readonly [number | bigint, number]): Builder {
  return value < 0 ? builder.storeInt(value, bits) : builder.storeUint(value, bits);
}
