import type { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";

/**
 * A value read from a body. Absent values (`Maybe`, `addr_none`) are `undefined`; `^T` and `Either` read as the value
 * itself; cells are left unread.
 */
export type Value =
  | undefined
  | boolean
  | bigint
  | string
  | Address
  | Uint8Array
  | BitString
  | Cell
  | readonly Value[]
  | ReadonlyMap<DictionaryKey, Value>
  | Fields;

/**
 * A record. `$type` is the name of its constructor, absent if that has none and for the fields of a body; no declared
 * field can have this name.
 */
export type Fields = { readonly [name: string]: Value };

/** Keys of up to 64 bits are unsigned integers, of 267 bits addresses, and others bits. */
export type DictionaryKey = bigint | Address | Uint8Array | BitString;

/** Bits that are not whole bytes, and external addresses: `length` bits with this value as an unsigned integer. */
export class BitString {
  readonly value: bigint;
  readonly length: number;

  constructor(value: bigint, length: number) {
    this.value = value;
    this.length = length;
  }
}
