import type { Builder } from "../../../../shared/ton/cells/builder.js";
import { account, addressOf, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, none } from "../../../helpers/made-cells.js";

/** An asset as bodies of DeDust name it; TON without a master. */
export function asset(master: string | undefined): Builder {
  if (master === undefined) return fieldsWith([0, 4]);
  return fieldsWith([1, 4], [0, 8], addressOf(master).hash);
}

/** A volatile pool of two assets. */
export function poolOf(first: string | undefined, second: string | undefined): Builder {
  return fieldsWith(false, asset(first), asset(second));
}

/** Steps of a route, as the rest of a request. */
export function route([first, ...others]: readonly string[]): Builder {
  const step = fieldsWith(first!, false, 1n);
  return step.storeMaybeRef(others.length > 0 ? route(others).endCell() : undefined);
}

export const swapTerms = cellWith([9, 32], none, none, false, false);

/** A pool's swap event. */
export function swapped(
  given: string | undefined,
  amount: bigint,
  taken: string | undefined,
  taker: bigint,
): MadeMessage {
  const body = cellWith(
    [0x9c610de3, 32],
    asset(given),
    asset(taken),
    amount,
    taker,
    cellWith(none, none, 1n, 1n),
  );
  return { to: undefined, body };
}

/** A pool's payment order to a vault. */
export function payFrom(by: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const proof = cellWith(none, [2, 8], false, asset(undefined), asset(account("usd")));
  const body = bodyOf(0xad4eb6f5, proof, amount, account("alice"), false);
  return { to: by, body, sends };
}
