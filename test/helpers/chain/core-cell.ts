import * as core from "@ton/core";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** The same cell in the oracle's library. */
export function toCore(cell: Cell): core.Cell {
  return core.Cell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!;
}

export function fromCore(cell: core.Cell): Cell {
  return parseBocRoot(cell.toBoc());
}
