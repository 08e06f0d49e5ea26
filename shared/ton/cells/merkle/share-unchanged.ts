import { slack } from "../bits.js";
import { Cell } from "../cell.js";

/** Trees that share branches can have any number of paths, so at most this many cells are compared. */
const maxCompared = 4096;

/**
 * The tree `now` with cells of `before` reused where both have equal ones in the same places. They are compared by
 * content, so no cell is hashed; unchanged cells are neither stored nor hashed twice.
 */
export function shareUnchanged(now: Cell, before: Cell): Cell {
  return new Comparison().build(now, before);
}

class Comparison {
  #left = maxCompared;

  build(cell: Cell, old: Cell): Cell {
    if (cell === old || this.#left-- <= 0) return cell;
    const hasSameContent = sameContent(cell, old);
    if (cell.type !== "ordinary") return hasSameContent && cell.refCount === 0 ? old : cell;
    let isSame = hasSameContent;
    const refs: Cell[] = [];
    for (let i = 0; i < cell.refCount; i++) {
      const ref = cell.ref(i);
      const oldRef = i < old.refCount ? old.ref(i) : undefined;
      const built = oldRef === undefined ? ref : this.build(ref, oldRef);
      refs.push(built);
      isSame &&= built === oldRef;
    }
    return isSame ? old : copy(cell, refs);
  }
}

/** Whether two cells are equal except for their references. */
function sameContent(one: Cell, other: Cell): boolean {
  if (one.bits !== other.bits || one.refCount !== other.refCount || one.type !== other.type) return false;
  const { data: a, dataStart: from } = one;
  const { data: b, dataStart: otherFrom } = other;
  for (let i = (one.bits + 7) >> 3; i-- > 0; ) if (a[from + i] !== b[otherFrom + i]) return false;
  return true;
}

/** An ordinary cell with other references and a copy of its bytes, because a view would retain the whole bag. */
function copy({ data, dataStart, bits }: Cell, refs: Cell[]): Cell {
  const length = (bits + 7) >> 3;
  const own = new Uint8Array((bits >> 3) + 1 + slack);
  for (let i = 0; i < length; i++) own[i] = data[dataStart + i]!;
  return Cell.of({ data: own, dataStart: 0, bits, exotic: false }, refs);
}
