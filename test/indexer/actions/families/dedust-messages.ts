import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { account, addressOf, bodyWith, type MadeMessage } from "../../../helpers/index/made-trace.js";

/** An asset as bodies of DeDust name it; TON without a master. */
export function asset(master: string | undefined): Builder {
  if (master === undefined) return beginCell().storeUint(0, 4);
  return beginCell().storeUint(1, 4).storeInt(0, 8).storeBytes(addressOf(master).hash);
}

/** A volatile pool of two assets. */
export function poolOf(first: string | undefined, second: string | undefined): Builder {
  return beginCell().storeBit(false).storeBuilder(asset(first)).storeBuilder(asset(second));
}

/** Steps of a route, as the rest of a request. */
export function route([first, ...others]: readonly string[]): Builder {
  const step = beginCell().storeAddress(addressOf(first!)).storeBit(false).storeCoins(1n);
  return step.storeMaybeRef(others.length > 0 ? route(others).endCell() : undefined);
}

export const swapTerms = beginCell()
  .storeUint(9, 32)
  .storeAddress(undefined)
  .storeAddress(undefined)
  .storeMaybeRef(undefined)
  .storeMaybeRef(undefined)
  .endCell();

/** A pool's swap event. */
export function swapped(
  given: string | undefined,
  amount: bigint,
  taken: string | undefined,
  taker: bigint,
): MadeMessage {
  const body = beginCell()
    .storeUint(0x9c610de3, 32)
    .storeBuilder(asset(given))
    .storeBuilder(asset(taken))
    .storeCoins(amount)
    .storeCoins(taker)
    .storeRef(
      beginCell().storeAddress(undefined).storeAddress(undefined).storeCoins(1n).storeCoins(1n).endCell(),
    )
    .endCell();
  return { to: undefined, body };
}

/** A pool's payment order to a vault. */
export function payFrom(by: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  const proof = beginCell()
    .storeAddress(undefined)
    .storeUint(2, 8)
    .storeBit(false)
    .storeBuilder(asset(undefined))
    .storeBuilder(asset(account("usd")))
    .endCell();
  const body = bodyWith(0xad4eb6f5)
    .storeRef(proof)
    .storeCoins(amount)
    .storeAddress(addressOf(account("alice")))
    .storeMaybeRef(undefined)
    .endCell();
  return { to: by, body, sends };
}
