import { coinName } from "../../../../shared/values/coin.js";

/** The name of the coin on the page's network. */
export function coin(): string {
  return coinName(globalThis.document?.body.dataset["network"] ?? "");
}
