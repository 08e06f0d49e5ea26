import { type Builder, beginCell } from "../../../../server/cells/builder.js";
import { addressOf } from "../../../helpers/made-trace.js";

/** An asset as bodies of DeDust name it; TON without a master. */
export function asset(master: string | undefined): Builder {
  if (master === undefined) return beginCell().storeUint(0, 4);
  return beginCell().storeUint(1, 4).storeInt(0, 8).storeBytes(addressOf(master).hash);
}

/** A volatile pool of two assets. */
export function poolOf(first: string | undefined, second: string | undefined): Builder {
  return beginCell().storeBit(false).storeBuilder(asset(first)).storeBuilder(asset(second));
}
