import { describe, expect, it } from "vitest";
import { createClient, isRpcError, type RpcError, webSocket } from "../../client/node.js";
import { clientOf, nowhere, serve } from "../helpers/peers/rpc-server.js";

/** The error of a call. */
const failure = (call: Promise<unknown>): Promise<RpcError | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (isRpcError(error) ? error : undefined),
  );

describe("an error", () => {
  it("reports a page in place of an answer, with method and endpoint", async () => {
    for (const [status, message] of [
      [200, "no JSON-RPC: check the URL"],
      [404, "HTTP 404: no JSON-RPC: check the URL"],
      [502, "HTTP 502: no JSON-RPC: check the URL"],
    ] as const) {
      const { url } = await serve((_, response) => response.writeHead(status).end("<html>Welcome</html>"));
      const error = await failure(clientOf(url).getMasterchainInfo());
      expect(error).toMatchObject({ message, method: "getMasterchainInfo", endpoint: url });
    }
  });

  it("names the endpoint that does not answer, over HTTP and WebSocket", async () => {
    const url = await nowhere();
    const called = {
      method: "getMasterchainInfo",
      endpoint: url,
      message: `no answer from ${url}: ECONNREFUSED`,
    };
    expect(await failure(clientOf(url).getMasterchainInfo())).toMatchObject(called);
    const socket = createClient({ transport: webSocket(url), retry: false });
    const error = await failure(socket.getMasterchainInfo());
    socket.close();
    expect(error).toMatchObject({ code: "network", endpoint: url });
    expect(error?.message).toContain(`no answer from ${url}: `);
  });

  it("names the call that a signal aborted", async () => {
    const { url } = await serve(() => {});
    const call = clientOf(url).getAddressBalance({ address: "a" }, { signal: AbortSignal.abort("enough") });
    expect(await failure(call)).toMatchObject({
      code: "aborted",
      message: "getAddressBalance aborted",
      cause: "enough",
    });
  });
});
