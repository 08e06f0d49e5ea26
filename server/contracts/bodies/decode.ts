import type { Cell } from "../../cells/cell.js";
import { type Decoded, parseSchemes, presentCell, readBy, type Scheme } from "./scheme.js";
import { bodySchemes } from "./schemes.js";

/** Cells inside cells that are shown by what they say; deeper ones stay bags. */
const maxDepth = 10;

const schemes = byOpcode(parseSchemes(bodySchemes));

function byOpcode(all: readonly Scheme[]): ReadonlyMap<number, readonly Scheme[]> {
  const found = new Map<number, Scheme[]>();
  for (const scheme of all) found.set(scheme.opcode, [...(found.get(scheme.opcode) ?? []), scheme]);
  return found;
}

/** Name of the scheme whose bodies begin with these 32 bits. */
export function opcodeName(opcode: number): string | undefined {
  return schemes.get(opcode >>> 0)?.[0]?.name;
}

/** What a message body says, where its scheme is known. */
export function decodeBody(body: Cell): Decoded | undefined {
  return decodeAt(body, 0);
}

function decodeAt(body: Cell, depth: number): Decoded | undefined {
  if (body.exotic || body.bits < 32) return undefined;
  const opcode = body.parse().loadUint(32);
  const show = (cell: Cell) => (depth < maxDepth && decodeAt(cell, depth + 1)) || presentCell(cell);
  for (const scheme of schemes.get(opcode) ?? []) {
    const decoded = readBy(scheme, body, show);
    if (decoded) return decoded;
  }
  return undefined;
}
