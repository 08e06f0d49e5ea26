import { addressOf } from "../../../../client/values/cells.js";
import type { StackItem } from "../../../../client/values/stack.js";

/** A number that a get-method returned; `undefined` for another type. */
export function numberIn(item: StackItem | undefined): bigint | undefined {
  return typeof item === "bigint" ? item : undefined;
}

/** A raw address that a get-method returned; `undefined` for none, or another type. */
export function addressIn(item: StackItem | undefined): string | undefined {
  try {
    return item === undefined ? undefined : addressOf(item)?.toRaw();
  } catch {
    // The contract returns something else.
    return undefined;
  }
}
