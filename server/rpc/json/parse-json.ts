import { isDeeperThan } from "../../../shared/values/json.js";
import { ServiceError } from "../../errors.js";
import { hasInexactNumber, parseExactly } from "./exact-json.js";

/** Deepest nesting of a request: far deeper than any call needs, far from overflowing the stack. */
export const maxJsonDepth = 1024;

/**
 * Parses JSON; integers beyond ±(2^53 - 1) become bigint. Throws `parse-error`, and `too-large` for nesting beyond the
 * maximum.
 */
export function parseJson(text: string): unknown {
  if (opensMany(text) && isDeeperThan(maxJsonDepth, text)) {
    throw new ServiceError("too-large", `request is nested too deeply: at most ${maxJsonDepth} levels`, {
      data: { max: maxJsonDepth },
    });
  }
  try {
    const value: unknown = JSON.parse(text);
    return hasInexactNumber(value) ? parseExactly(text) : value;
  } catch (cause) {
    throw new ServiceError("parse-error", undefined, { cause });
  }
}

/** A cheap upper bound: most texts have too few opening brackets to exceed the depth. */
function opensMany(text: string): boolean {
  let found = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++found > maxJsonDepth) return true;
    }
  }
  return false;
}
