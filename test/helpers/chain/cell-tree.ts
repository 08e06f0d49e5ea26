import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** A tree of this many leaves, which all differ: numbers of 32 bits from `first` on. All other cells have nothing but four references. */
export function cellTree(leaves: number, first = 0): Cell {
  let row = Array.from({ length: leaves }, (_, at) =>
    beginCell()
      .storeUint(first + at, 32)
      .endCell(),
  );
  while (row.length > 1)
    row = Array.from({ length: Math.ceil(row.length / 4) }, (_, at) => {
      const parent = beginCell();
      for (const child of row.slice(4 * at, 4 * at + 4)) parent.storeRef(child);
      return parent.endCell();
    });
  return row[0]!;
}
