import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

export * from "../../../server/devnet/elections/bodies.js";

/** From the elector to the configuration contract. */
export function newSetBody(set: Cell, queryId: bigint): Cell {
  return beginCell().storeUint(0x4e565354, 32).storeUint(queryId, 64).storeRef(set).endCell();
}

/** The configuration contract's answer to a set. */
export function setAnswerBody(isAccepted: boolean, queryId: number): Cell {
  return beginCell()
    .storeUint(isAccepted ? 0xee764f4b : 0xee764f6f, 32)
    .storeUint(queryId, 64)
    .endCell();
}
