import { Cell } from "../cells/cell.js";
import { AugDictionary } from "../cells/dictionaries/aug-dictionary.js";
import { Dictionary } from "../cells/dictionaries/dictionary.js";
import { CellOf } from "./cell-of.js";
import { TlbError } from "./codec.js";

/** A few cells can represent any number of entries, if branches share cells. Mainnet's configuration has 1,000. */
const maxEntries = 2 ** 17;

/**
 * Forces lazy decoding within a decoded value, of dictionaries and cells. Throws `TlbError` or `CellError`, also for
 * more than 131,072 entries.
 */
export function readWhole(value: unknown): void {
  read(value, { left: maxEntries });
}

function read(value: unknown, entries: { left: number }): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof Cell)
    return;
  if (value instanceof CellOf) read(value.value, entries);
  else if (value instanceof Dictionary || value instanceof AugDictionary)
    for (const [, member] of value.entries()) {
      if (entries.left-- <= 0) throw new TlbError(`there are more than ${maxEntries} entries`);
      read(member, entries);
    }
  else for (const member of Object.values(value)) read(member, entries);
}
