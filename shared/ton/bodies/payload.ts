import type { Cell } from "../cells/cell.js";

/** The first 32 bits; undefined if there are fewer. */
export function opcodeOf(cell: Cell | undefined): number | undefined {
  return cell === undefined || cell.exotic || cell.bits < 32 ? undefined : cell.parse().loadUint(32);
}

/** `Either Cell ^Cell` as the rest of a body, which contracts also leave out; without bits there is no payload. */
export function payloadIn(rest: Cell): Cell | undefined {
  const payload = anyPayloadIn(rest);
  return payload && payload.bits > 0 ? payload : undefined;
}

/** Like `payloadIn`, but also accepts a payload without bits. */
export function anyPayloadIn(rest: Cell): Cell | undefined {
  const from = rest.parse();
  if (from.remainingBits === 0) return undefined;
  return from.loadBit() ? from.loadRef() : from.toCell();
}
