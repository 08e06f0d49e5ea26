import { LiteError, liteErrorCode } from "./lite-api.js";

/** The most bytes of a message from outside that nodes take. */
export const maxExternalBytes = 65_535;

/** A liteserver's answer to a message it does not take; clients look for these very words. */
export function refusal(reason: string): LiteError {
  return new LiteError(
    liteErrorCode.unspecified,
    `cannot apply external message to current state : ${reason}`,
  );
}

/** To one that it cannot read. */
export function unreadable(reason: string): LiteError {
  return refusal(`failed to parse external message: ${reason}`);
}

export function tooLarge(): LiteError {
  return unreadable("external message too large, rejecting");
}
