import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import { RpcError } from "../errors.js";

/** Most bytes of answers that a call of many reads takes. */
const mostBytes = 64 << 20;

/** The call, which fails once its answers are too large together. */
export function bounded({ heard, ...call }: LiteCall): LiteCall {
  let bytes = 0;
  return {
    ...call,
    heard(exchange) {
      bytes += exchange.answer.length;
      if (bytes > mostBytes) throw new RpcError("too-large", `the proofs have more than ${mostBytes} bytes`);
      heard?.(exchange);
    },
  };
}
