import { coinName } from "../../../../shared/values/coin.js";

/** What the coin of the page's network is called. */
export function coin(): string {
  return coinName(globalThis.document?.body.dataset["network"] ?? "");
}
