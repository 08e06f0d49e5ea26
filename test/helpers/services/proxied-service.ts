import { TonwireProcess } from "./command.js";

export const attackerKey = "key-of-the-attacker";
export const jsonBody = { "Content-Type": "application/json" };

/** A call by JSON-RPC. */
export const callOf = (method: string, params: object, id: number) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** Sends calls to a service by HTTP. */
export const postCalls = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/jsonRPC`, { method: "POST", body: JSON.stringify(body), headers });

/** A devnet in a separate process, behind a proxy that names the addresses of callers; it makes blocks on request. */
export async function startProxiedService(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const service = new TonwireProcess(["--mining", "manual", ...flags], {
    env: {
      PORT: "0",
      TONWIRE_ADMIN_PORT: "0",
      TONWIRE_DEVNET_KEY: attackerKey,
      TONWIRE_ANONYMOUS_RPS: "unlimited",
      TONWIRE_TRUST_PROXY: "1",
      TONWIRE_LOG_LEVEL: "error",
      TONWIRE_CALL_TIMEOUT_MS: "60000",
      ...env,
    },
  });
  const url = await service.printed(/serves devnet at (\S+)\n/);
  const run = async (method: string, params: object) => {
    const answer = await postCalls(url, callOf(method, params, 1), {
      ...jsonBody,
      "X-API-Key": attackerKey,
    });
    return (await answer.json()) as { result: { block: { seqno: number } } };
  };
  return { service, url, run };
}
