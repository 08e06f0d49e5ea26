import { describe, expect, it } from "vitest";
import { parametersInShort } from "../../client/error-message.js";
import { createClient, isRpcError, RpcError, webSocket } from "../../client/node.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { clientOf, nowhere, sendJson, serve } from "../helpers/peers/rpc-server.js";

/** The error of a call. */
const failure = (call: Promise<unknown>): Promise<RpcError | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (isRpcError(error) ? error : undefined),
  );

/** A strict answer with an error. */
const refusing = (message: string, data: object = {}) =>
  serve(({ body }, response) => {
    const { id } = [body].flat()[0]!;
    const error = { code: -32000, message, data: { code: 409, kind: "conflict", ...data } };
    sendJson(response, [{ jsonrpc: "2.0", id, error }]);
  });

describe("an error", () => {
  it("reports a page in place of an answer, with method and endpoint", async () => {
    for (const [status, shortMessage] of [
      [200, "no JSON-RPC: check the URL"],
      [404, "HTTP 404: no JSON-RPC: check the URL"],
      [502, "HTTP 502: no JSON-RPC: check the URL"],
    ] as const) {
      const { url } = await serve((_, response) => response.writeHead(status).end("<html>Welcome</html>"));
      const error = await failure(clientOf(url).getMasterchainInfo());
      expect(error).toMatchObject({ shortMessage, method: "getMasterchainInfo", endpoint: url });
    }
  });

  it("names the endpoint that does not answer, over HTTP and WebSocket", async () => {
    const url = await nowhere();
    const called = {
      method: "getMasterchainInfo",
      endpoint: url,
      shortMessage: `no answer from ${url}: ECONNREFUSED`,
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
      shortMessage: "getAddressBalance aborted",
      cause: "enough",
    });
  });
});

describe("the message of an error", () => {
  it("is a sentence, the call, and below it what else is known", async () => {
    const { url } = await refusing("Ann refused the message.", {
      ...{ exit_code: 33, exit_name: "wrong-seqno", exit_meaning: "Its seqno is used." },
      ...{ error: "LITE_SERVER_UNKNOWN: refused", hint: "Read the seqno anew." },
    });
    const error = await failure(clientOf(url).call("ask", { b: 2n, a: "x", list: [1, null] }));
    expect(error?.message).toBe(`Ann refused the message.

Method: ask
Parameters: {"b":"2","a":"x","list":[1,null]}

Endpoint: ${url}
Code: conflict
Status: 409
ExitCode: 33
ExitName: wrong-seqno
Details: LITE_SERVER_UNKNOWN: refused
Hint: Read the seqno anew.`);
    expect(error).toMatchObject({
      shortMessage: "Ann refused the message.",
      parameters: '{"b":"2","a":"x","list":[1,null]}',
      details: "LITE_SERVER_UNKNOWN: refused",
    });
  });

  it("has no line without content", async () => {
    const { url } = await refusing("No.");
    expect((await failure(clientOf(url).getMasterchainInfo()))?.message).toBe(
      `No.\n\nMethod: getMasterchainInfo\n\nEndpoint: ${url}\nCode: conflict\nStatus: 409`,
    );
    expect(new RpcError("conflict", "No.").message).toBe("No.\n\nCode: conflict");
  });

  it("shows long values by their beginnings, however long they are", async () => {
    const long = "x".repeat(100_000);
    const { url } = await refusing(long, { hint: long, error: long });
    const params = { boc: long, list: Array.from({ length: 1000 }, () => "y") };
    const error = await failure(clientOf(url).call("ask", params));
    expect(error?.parameters).toMatch(/^\{"boc":"x{70}…","list":\["y",.*…$/);
    expect(error?.message.length).toBeLessThan(4000);
    expect(error?.message).toMatch(/^x{1000}…\n\nMethod: ask\n/);
  });

  it("shows no parameter that a method has as a secret", () => {
    const secrets = flatten(registry).flatMap(([, definition]) => definition.secrets ?? []);
    expect(secrets).toContain("secret");
    for (const name of secrets) expect(parametersInShort({ [name]: "x" })).toBe(`{"${name}":"…"}`);
  });

  it("shows no secrets of parameters, of a URL, or of the client", async () => {
    const secret = "whsec_that-nobody-else-knows";
    const { url } = await refusing("No.");
    const { host } = new URL(url);
    const inPath = `http://${host}/token-0123456789abcdef/jsonRPC`;
    const inQuery = `http://${host}/jsonRPC?api_key=${secret}`;
    const refused = await nowhere();
    const calls = [
      clientOf(url, { apiKey: secret }).v3.webhooks.create({ url: "http://a/", kind: "blocks", secret }),
      clientOf(url).call("devnet.any", { seed: secret, wallets: [{ secret }] }),
      clientOf(inPath).getMasterchainInfo(),
      clientOf(inQuery).getMasterchainInfo(),
      clientOf(`${refused}?api_key=${secret}`).getMasterchainInfo(),
      // `fetch` repeats such a URL in its error.
      clientOf(url.replace("//", `//user:${secret}@`)).getMasterchainInfo(),
      clientOf(`no-url?${secret}`).getMasterchainInfo(),
    ];
    const messages = (await Promise.all(calls.map(failure))).map((error) => error!.message);
    for (const message of messages) expect(message).not.toMatch(/whsec|0123456789abcdef/);
    expect(messages[0]).toContain('Parameters: {"url":"http://a/","kind":"blocks","secret":"…"}');
    expect(messages[1]).toContain('Parameters: {"seed":"…","wallets":[{"secret":"…"}]}');
    expect(messages[2]).toContain(`Endpoint: http://${host}/…/jsonRPC\n`);
    expect(messages[3]).toContain(`Endpoint: http://${host}/jsonRPC…\n`);
    expect(messages[4]).toContain(`no answer from ${refused}…: ECONNREFUSED\n`);
    expect(messages[5]).toContain(`//…${host}/jsonRPC`);
  });
});
