import type { BocText } from "../../../shared/actions/member.js";
import { type SerializeOptions, writeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellSet } from "../../../shared/ton/cells/cell-set.js";

/** The bag of cells of a payload in base64, with cells in the reference's order. */
export function bocText(cell: Cell, options: Pick<SerializeOptions, "crc32"> = {}): BocText {
  return Buffer.from(writeBoc(arrangeLikeReference(cell), options)).toString("base64");
}

/**
 * The reference orders cells by the last visit of a walk that enters a shared cell repeatedly. The reversed post-order
 * of a walk that takes references from last to first and enters each cell once gives the same order.
 */
function arrangeLikeReference(root: Cell) {
  const entered = new CellSet();
  const finished: Cell[] = [];
  entered.add(root);
  const path = [{ cell: root, next: root.refCount }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    if (top.next === 0) {
      finished.push(top.cell);
      path.pop();
      continue;
    }
    const ref = top.cell.ref(--top.next);
    if (entered.add(ref)) path.push({ cell: ref, next: ref.refCount });
  }
  const cells = finished.reverse();
  const positions = new CellSet();
  for (const cell of cells) positions.add(cell);
  const refs = cells.map((cell) => cell.mapRefs((ref) => positions.find(ref)));
  return { cells, refs, roots: [0] };
}
