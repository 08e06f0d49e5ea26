import type { Attempt } from "./transport.js";

/** The JSON-RPC request: an array of calls, or the first call alone. */
export function requestText(attempts: readonly Attempt[], asArray: boolean): string {
  const texts = attempts.map(
    ({ call: { method, params }, id }) =>
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`,
  );
  return asArray ? `[${texts}]` : texts[0]!;
}
