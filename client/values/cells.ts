import { Address } from "../../shared/values/address.js";
import { bytesToBase64, hexToBytes } from "../../shared/values/bytes.js";
import { type PlainCell, readBag } from "./bag-of-cells.js";
import { isTuple, type StackItem } from "./stack.js";

/**
 * The address in a slice or cell of a get-method's result; `null` for none (`addr_none`, or null on the stack). Throws a
 * TypeError if there is anything else.
 */
export function addressOf(item: StackItem | undefined): Address | null {
  if (item === null) return null;
  const { bits } = readBag(bagOf(item));
  if (bits.startsWith("00")) return null;
  // addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
  if (!bits.startsWith("100") || bits.length < 267) throw new TypeError("the value is not an address");
  return new Address((Number.parseInt(bits.slice(3, 11), 2) << 24) >> 24, bytesOf(bits.slice(11, 267)));
}

/**
 * The hash of a cell in a get-method's result, in base64. Throws a TypeError for other values and for proofs, whose
 * pruned cells hide what would be hashed.
 */
export async function cellHash(item: StackItem | undefined): Promise<string> {
  const hashes = new Map<PlainCell, Promise<Hashed>>();
  const hashOf = (cell: PlainCell): Promise<Hashed> => {
    const known = hashes.get(cell) ?? hashed(cell, hashOf);
    hashes.set(cell, known);
    return known;
  };
  return bytesToBase64((await hashOf(readBag(bagOf(item)))).hash);
}

type Hashed = { readonly hash: Uint8Array; readonly depth: number };

/** The first byte of a special cell's data that is a reference to a library. */
const library = "00000010";

async function hashed(cell: PlainCell, hashOf: (cell: PlainCell) => Promise<Hashed>): Promise<Hashed> {
  const { bits, special } = cell;
  if (special && !bits.startsWith(library)) throw new TypeError("the cell is part of a proof");
  const refs = await Promise.all(cell.refs.map(hashOf));
  const depth = refs.length && 1 + Math.max(...refs.map((ref) => ref.depth));
  const whole = Math.floor(bits.length / 8);
  const padded = bits.length % 8 ? `${bits}1`.padEnd(8 * whole + 8, "0") : bits;
  const text = [
    refs.length + (special ? 8 : 0),
    whole + padded.length / 8,
    ...bytesOf(padded),
    ...refs.flatMap((ref) => [ref.depth >> 8, ref.depth & 255]),
    ...refs.flatMap((ref) => [...ref.hash]),
  ];
  return { depth, hash: new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(text))) };
}

function bagOf(item: StackItem | undefined): string {
  if (typeof item === "object" && item !== null && !isTuple(item)) {
    if ("cell" in item) return item.cell;
    if ("slice" in item) return item.slice;
  }
  throw new TypeError("the value is neither a cell nor a slice");
}

/** Bytes of a whole number of them, as 0 and 1. */
function bytesOf(bits: string): Uint8Array {
  return hexToBytes(bits.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16)))!;
}
