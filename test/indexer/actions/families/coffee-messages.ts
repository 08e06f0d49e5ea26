import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { accounts, addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { fieldsWith } from "../../../helpers/made-cells.js";

export const [alice, vault, vault2, pool, factory, usd, eur] = accounts(
  "alice, vault, another vault, pool, factory, usd, eur",
);
export const nothing = beginCell().endCell();

/** An asset as bodies of swap.coffee name it; TON without a master. */
export function asset(master: string | undefined): Builder {
  if (master === undefined) return fieldsWith([0, 2]);
  return fieldsWith([1, 2], [0, 8], addressOf(master).hash);
}

/** A pool of two assets with a constant product. */
export function poolParams(first: string | undefined, second: string | undefined): Builder {
  return fieldsWith(asset(first), asset(second), [0, 3], false);
}

/** A log of a pool: liquidity was deposited (0xc0ffee33) or withdrawn (0xc0ffee35). */
export function liquidityEvent(opcode: number, first: bigint, second: bigint, lp: bigint): MadeMessage {
  const body = fieldsWith(bodyWith(opcode), first, second, lp);
  for (const reserve of [1n, 2n, 3n, 4n]) body.storeCoins(reserve);
  return { to: undefined, body: body.endCell() };
}
