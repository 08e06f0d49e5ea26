import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** The library cell that refers to a public library. */
export function libraryCell(library: Cell): Cell {
  return beginCell().storeUint(2, 8).storeBytes(library.hash()).endExotic();
}

/** The code of a masterchain contract that publishes a library once it gets a message. */
export function publishingCode(library: Cell): Cell {
  // PUSHREF library; 2 PUSHINT (public); SETLIBCODE
  return beginCell().storeUint(0x8872fb06, 32).storeRef(library).endCell();
}
