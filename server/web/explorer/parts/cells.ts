import type { PlainCell } from "../../../../client/values/bag-of-cells.js";
import { bytesOfHex, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { valueAt } from "../../../../shared/values/lookups.js";
import { sha256 } from "./sha256.js";

/** Hash and depth of a cell. */
type HashedCell = { readonly hash: Uint8Array; readonly depth: number };

/** First byte of a library cell. */
const library = "00000010";

/** Whether a cell is special but no library: it belongs to a proof, whose hashes have other rules. */
export const isOfProof = ({ special, bits }: PlainCell) => special && !bits.startsWith(library);

/** What is read from a bag of cells; `undefined` if it is none, or has other content. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

// Module state: a memo by cell.
const hashes = new WeakMap<PlainCell, HashedCell | "proof">();

/** Hash and depth of a cell; `undefined` if it or a descendant belongs to a proof. */
export function hashCell(cell: PlainCell): HashedCell | undefined {
  let known = hashes.get(cell);
  if (known === undefined) {
    known = computed(cell) ?? "proof";
    hashes.set(cell, known);
  }
  return known === "proof" ? undefined : known;
}

function computed(cell: PlainCell): HashedCell | undefined {
  if (isOfProof(cell)) return undefined;
  const below = cell.refs.map(hashCell);
  if (!below.every((each) => each !== undefined)) return undefined;
  const depth = below.length && 1 + Math.max(...below.map((each) => each.depth));
  const parts = [
    ...bodyOf(cell),
    ...below.flatMap((each) => [each.depth >> 8, each.depth & 255]),
    ...below.flatMap((each) => [...each.hash]),
  ];
  return { depth, hash: sha256(Uint8Array.from(parts)) };
}

/** Descriptors and data. */
function bodyOf({ bits, refs, special }: PlainCell): number[] {
  const whole = Math.floor(bits.length / 8);
  const padded = bits.length % 8 ? `${bits}1`.padEnd(8 * whole + 8, "0") : bits;
  return [refs.length + (special ? 8 : 0), whole + padded.length / 8, ...bytesOfHex(hexOfBits(padded))];
}

/** Bits as hex. An incomplete last digit is padded with a one and zeros and marked by an underscore, as in Fift. */
export function hexOfBits(bits: string): string {
  const isWhole = bits.length % 4 === 0;
  const padded = isWhole ? bits : `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 4) * 4, "0");
  const digits = padded.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
  return isWhole ? digits : `${digits}_`;
}

/** The cell and its descendants as a bag of cells in base64; `undefined` if one belongs to a proof. */
export function bagOf(root: PlainCell): string | undefined {
  if (!hashCell(root)) return undefined;
  const order: PlainCell[] = [];
  const seen = new Set<PlainCell>();
  const visit = (cell: PlainCell) => {
    if (seen.has(cell)) return;
    seen.add(cell);
    for (const ref of cell.refs) visit(ref);
    order.push(cell);
  };
  visit(root);
  // References point forward.
  order.reverse();
  const places = new Map(order.map((cell, index) => [cell, index]));
  const size = order.length < 256 ? 1 : 2;
  const number = (value: number, length: number) =>
    Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) & 255);
  const cells = order.flatMap((cell) => [
    ...bodyOf(cell),
    ...cell.refs.flatMap((ref) => number(valueAt(places, ref), size)),
  ]);
  const offset = 4;
  const head = [0xb5, 0xee, 0x9c, 0x72, size, offset];
  const counts = [...number(order.length, size), ...number(1, size), ...number(0, size)];
  const bytes = [...head, ...counts, ...number(cells.length, offset), ...number(0, size), ...cells];
  return bytesToBase64(Uint8Array.from(bytes));
}
