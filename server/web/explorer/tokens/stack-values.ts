import { addressOf } from "../../../../client/values/cells.js";
import type { StackItem } from "../../../../client/values/stack.js";
import { ifReadable } from "../parts/cells.js";

/** A number that a get-method returned; `undefined` for another type. */
export function numberIn(item: StackItem | undefined): bigint | undefined {
  return typeof item === "bigint" ? item : undefined;
}

/** A raw address that a get-method returned; `undefined` for none, or another type. */
export function addressIn(item: StackItem | undefined): string | undefined {
  return item === undefined ? undefined : ifReadable(() => addressOf(item)?.toRaw());
}
