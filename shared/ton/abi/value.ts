import type { Address } from "../../values/address.js";
import type { BitString } from "../bodies/value.js";
import type { Cell } from "../cells/cell.js";

/**
 * A value of a type of an ABI. Null, void and absent addresses are `undefined`; enums are their numbers; cells, slices,
 * builders and all that stays raw are cells; bits are bytes if they are whole ones, like external addresses.
 */
export type AbiValue =
  | undefined
  | boolean
  | bigint
  | string
  | Address
  | Uint8Array
  | BitString
  | Cell
  | readonly AbiValue[]
  | ReadonlyMap<AbiValue, AbiValue>
  | AbiRecord;

/**
 * The fields of a structure. A value of a union has `$type`, the label of its variant, beside its fields or, unless the
 * variant is a structure, beside `value`. Fields behind a raw one are missing: they are part of it.
 */
export type AbiRecord = { readonly [name: string]: AbiValue };
