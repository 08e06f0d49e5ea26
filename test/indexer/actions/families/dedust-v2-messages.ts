import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { jettonTransfer } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, maybe } from "../../../helpers/made-cells.js";

export const [alice, pool, pool2, usd, eur] = accounts("alice, pool, another pool, usd, eur");

export const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };

/** A message of which nothing but the opcode is read. */
export function call(to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage {
  return { to, body: bodyOf(opcode), sends };
}

/** A log without a query id. */
export function event(opcode: number, fields: ReturnType<typeof beginCell>): MadeMessage {
  return { to: undefined, body: cellWith([opcode, 32], fields) };
}

/** The payload of jettons for a pool. */
export const askWith = (request: Cell) => cellWith([0xcbc33949, 32], request, beginCell().endCell());

export function payNative(
  to: string,
  amount: bigint,
  request: Cell,
  sends: readonly MadeMessage[],
): MadeMessage {
  const body = bodyOf(0xa5a7cbf8, amount, request, beginCell().endCell());
  return { to, body, sends };
}

export function payJetton(amount: bigint, request: Cell, leadsTo: readonly MadeMessage[]): MadeMessage {
  const payload = askWith(request);
  return jettonTransfer({ from: alice, to: pool, master: usd, amount, payload, leadsTo });
}

export const payout = (to: string, amount: bigint, exitCode = 0): MadeMessage => ({
  to,
  body: bodyOf(0x3216ca09, amount, [exitCode, 32], false),
});

/** Requests successive swaps from pools; each step must yield one more than the previous. */
export function swapRequest(...pools: readonly string[]): Cell {
  return cellWith([0xc442500f, 32], 5n, [9, 40], maybe(stepOf(pools, 6n)), false, false);
}

function stepOf([first, ...others]: readonly string[], minOut: bigint): Cell | undefined {
  if (first === undefined) return undefined;
  return cellWith(first, minOut, [9, 40], maybe(stepOf(others, minOut + 1n)));
}

export const depositRequest = (x: bigint, y: bigint): Cell => cellWith([0xc9a015da, 32], x, y, 1n, [0, 16]);
