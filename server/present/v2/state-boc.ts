import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { presentBoc } from "../../../shared/ton/present/records.js";

// Module state: a memo of at most 8 MB. Codes and data are the same cells in most blocks.
const stateTexts = new LRUCache<Cell, string>({
  max: 256,
  maxSize: 8 << 20,
  sizeCalculation: (text) => text.length,
});

/** Like `presentBoc`, cached, for an account's code or data. */
export function presentStateBoc(cell: Cell | undefined): string {
  if (!cell || cell.refCount === 0) return presentBoc(cell);
  const known = stateTexts.get(cell);
  if (known !== undefined) return known;
  const text = presentBoc(cell);
  stateTexts.set(cell, text);
  return text;
}
