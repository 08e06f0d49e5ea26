import type { Exchange } from "./exchange.js";
import type { LiteCall } from "./lite-api.js";

/** The call, whose answers are also added to a list. */
export function keepExchanges(call: LiteCall, kept: Exchange[]): LiteCall {
  return {
    ...call,
    heard(exchange) {
      kept.push(exchange);
      call.heard?.(exchange);
    },
  };
}
