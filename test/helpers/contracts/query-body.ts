import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** Body of a request without parameters. */
export function queryBody(op: number, queryId = 9): Cell {
  return beginCell().storeUint(op, 32).storeUint(queryId, 64).endCell();
}
