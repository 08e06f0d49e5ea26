import type { Cell } from "../../../shared/ton/cells/cell.js";
import { anySlice, Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";

// SETCP0 (FF00), then DICTPUSHCONST: 13 bits 1111010010100, Maybe ^Cell with the methods, 10 bits the key length.
const setCodepage = 0xff00;
const pushDictionary = 0b1111010010100;
/** Longer ids do not fit the column; real ones have at most 19 bits. */
const maxKeyBits = 31;
/** Far above any contract's methods; a larger tree has shared branches. */
const maxMethods = 4096;

/** Ids of the methods listed in a compiled contract, unsigned and ascending; empty for other forms of code. */
export function contractMethods(code: Cell): number[] {
  if (code.exotic || code.bits < 16 + 13 + 1 + 10 || code.refCount === 0) return [];
  const slice = code.parse();
  if (slice.loadUint(16) !== setCodepage || slice.loadUint(13) !== pushDictionary) return [];
  const root = slice.loadMaybeRef();
  const keyBits = slice.loadUint(10);
  if (!root || keyBits > maxKeyBits) return [];
  return ifReadable(() => idsOf(Dictionary.loadDirect(root, uintKey(keyBits), anySlice))) ?? [];
}

function idsOf(methods: Dictionary<number, unknown>): number[] {
  const ids: number[] = [];
  for (const id of methods.keys()) if (ids.push(id) > maxMethods) return [];
  return ids;
}
