import { AugDictionary } from "../cells/aug-dictionary.js";
import { Cell } from "../cells/cell.js";
import { Dictionary } from "../cells/dictionary.js";
import { CellOf } from "./cell-of.js";

/** Reads what is decoded on access only, in a decoded value: dictionaries and cells. Throws `TlbError` or `CellError`. */
export function readWhole(value: unknown): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof Cell)
    return;
  if (value instanceof CellOf) readWhole(value.value);
  else if (value instanceof Dictionary || value instanceof AugDictionary)
    for (const [, member] of value.entries()) readWhole(member);
  else for (const member of Object.values(value)) readWhole(member);
}
