import type { PlainCell } from "../../../../client/values/bag-of-cells.js";
import type { Address } from "../../../../shared/values/address.js";

// Cells are built as strings of 0 and 1, the form in which the client reads them.

export function cell(bits: string, ...refs: readonly PlainCell[]): PlainCell {
  return { bits, refs, special: false };
}

/** An unsigned integer of a fixed length. */
export function uint(value: number | bigint, length: number): string {
  return BigInt.asUintN(length, BigInt(value)).toString(2).padStart(length, "0");
}

export function bytes(value: Uint8Array): string {
  return Array.from(value, (byte) => uint(byte, 8)).join("");
}

/** `VarUInteger 16`, the encoding of amounts: a length in bytes, then the number. */
export function coins(value: bigint): string {
  const length = value === 0n ? 0 : Math.ceil(value.toString(2).length / 8);
  return uint(length, 4) + (length > 0 ? uint(value, 8 * length) : "");
}

/** addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 */
export function address({ workchain, hash }: Address): string {
  return `100${uint(workchain, 8)}${bytes(hash)}`;
}

/** Whole bytes that fit in a cell. */
const cellBytes = 127;

/** The body of a text comment: opcode 0, then the text in as many cells as needed. */
export function commentBody(text: string): PlainCell {
  const all = Uint8Array.of(0, 0, 0, 0, ...new TextEncoder().encode(text));
  let rest: PlainCell | undefined;
  for (let at = Math.floor((all.length - 1) / cellBytes); at >= 0; at--) {
    const part = bytes(all.subarray(at * cellBytes, (at + 1) * cellBytes));
    rest = rest ? cell(part, rest) : cell(part);
  }
  return rest!;
}
