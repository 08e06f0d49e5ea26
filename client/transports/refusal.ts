import type { RpcError } from "../errors.js";
import { statusError } from "./answer.js";

/** The service is waited for this long. */
const timeoutMs = 10_000;

/**
 * The lasting reason why a service refuses a WebSocket: 401 or 403. Browsers hide the status of a handshake, so one
 * HTTP request finds it out. `undefined` if there is no such reason, or no answer.
 */
export async function refusalOf(
  socketUrl: string,
  endpoint: string | undefined,
): Promise<RpcError | undefined> {
  try {
    const url = new URL(socketUrl);
    url.protocol = url.protocol.replace("ws", "http");
    // The path of TON Center's WebSocket takes no requests; the one beside it refuses the same keys.
    url.pathname = url.pathname.replace(/ws$/, "sse");
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, body } = await fetch(url, { method: "POST", body: "{}", signal });
    void body?.cancel();
    if (status === 401 || status === 403)
      return statusError(status, "the service refuses the API key", { endpoint });
  } catch {
    // The next attempt to connect asks again.
  }
  return undefined;
}
