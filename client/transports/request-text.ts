import type { Attempt } from "./transport.js";

/** Calls as JSON-RPC: one as it is, several as an array. */
export function requestText(attempts: readonly Attempt[], asArray: boolean): string {
  const texts = attempts.map(
    ({ call: { method, params }, id }) =>
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`,
  );
  return asArray ? `[${texts}]` : texts[0]!;
}
