import { LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";

/** Maximum length of an external message that nodes accept, in bytes. */
export const maxExternalBytes = 65_535;

/** A liteserver's error for a rejected message. Clients match these words. */
export function refusal(reason: string): LiteError {
  return new LiteError(
    liteErrorCode.unspecified,
    `cannot apply external message to current state : ${reason}`,
  );
}

/** A liteserver's error for an invalid BOC or message. */
export function unreadable(reason: string): LiteError {
  return refusal(`failed to parse external message: ${reason}`);
}

/** A liteserver's error for a message longer than `maxExternalBytes`. */
export function tooLarge(): LiteError {
  return unreadable("external message too large, rejecting");
}
