import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { jettonTransfer } from "../../../helpers/index/made-jettons.js";
import { account, addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";

export const alice = account("alice");
export const pool = account("pool");
export const pool2 = account("another pool");
export const usd = account("usd");
export const eur = account("eur");

export const excess: MadeMessage = { to: alice, body: bodyWith(0xd53276db).endCell() };

/** A message of which nothing but the opcode is read. */
export function call(to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage {
  return { to, body: bodyWith(opcode).endCell(), sends };
}

/** A log without a query id. */
export function event(opcode: number, fields: ReturnType<typeof beginCell>): MadeMessage {
  return { to: undefined, body: beginCell().storeUint(opcode, 32).storeBuilder(fields).endCell() };
}

/** The payload of jettons for a pool. */
export const askWith = (request: Cell) =>
  beginCell().storeUint(0xcbc33949, 32).storeRef(request).storeRef(beginCell().endCell()).endCell();

export function payNative(
  to: string,
  amount: bigint,
  request: Cell,
  sends: readonly MadeMessage[],
): MadeMessage {
  const body = bodyWith(0xa5a7cbf8)
    .storeCoins(amount)
    .storeRef(request)
    .storeRef(beginCell().endCell())
    .endCell();
  return { to, body, sends };
}

export function payJetton(amount: bigint, request: Cell, leadsTo: readonly MadeMessage[]): MadeMessage {
  const payload = askWith(request);
  return jettonTransfer({ from: alice, to: pool, master: usd, amount, payload, leadsTo });
}

export const payout = (to: string, amount: bigint, exitCode = 0): MadeMessage => ({
  to,
  body: bodyWith(0x3216ca09).storeCoins(amount).storeInt(exitCode, 32).storeMaybeRef(undefined).endCell(),
});

/** Requests successive swaps from pools; each step must yield one more than the previous. */
export function swapRequest(...pools: readonly string[]): Cell {
  return beginCell()
    .storeUint(0xc442500f, 32)
    .storeCoins(5n)
    .storeUint(9, 40)
    .storeMaybeRef(stepOf(pools, 6n))
    .storeBit(false)
    .storeBit(false)
    .endCell();
}

function stepOf([first, ...others]: readonly string[], minOut: bigint): Cell | undefined {
  if (first === undefined) return undefined;
  return beginCell()
    .storeAddress(addressOf(first))
    .storeCoins(minOut)
    .storeUint(9, 40)
    .storeMaybeRef(stepOf(others, minOut + 1n))
    .endCell();
}

export const depositRequest = (x: bigint, y: bigint): Cell =>
  beginCell().storeUint(0xc9a015da, 32).storeCoins(x).storeCoins(y).storeCoins(1n).storeUint(0, 16).endCell();

export const ton = (source: string, destination: string, amount: bigint) => ({
  amount,
  asset: undefined,
  source,
  source_jetton_wallet: undefined,
  destination,
  destination_jetton_wallet: undefined,
});
