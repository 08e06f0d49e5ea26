import { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import type { QueryTransport } from "../../../server/chain/liteservers/remote-lite-api.js";
import { liteContent } from "../../../server/methods/lite/content.js";
import { liteImplementations } from "../../../server/methods/lite-methods.js";
import { liteMethods } from "../../../shared/methods/lite.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { startApp, type TestApp, type TestAppOptions } from "./app.js";

const registry = { lite: liteMethods };

/** `lite.query` over a LiteApi, and the head that its cache follows. */
export async function startLiteApp(
  lite: LiteApi,
  options: Partial<TestAppOptions<typeof registry>> = {},
): Promise<TestApp & { head: ChainHead }> {
  const head = new ChainHead(await lite.getMasterchainInfo(), () => 1_700_000_000_000);
  const deps = { lite, sending: lite, chainUnavailableReason: () => undefined };
  const app = await startApp({
    registry,
    implementations: { lite: liteImplementations(deps) },
    contentRules: { "lite.query": liteContent },
    chain: head,
    ...options,
  });
  return { ...app, head };
}

/** Answers a function's bytes, without a wrapper, with the answer's. */
export type AskBytes = (query: Uint8Array) => Promise<Uint8Array>;

/** Asks by JSON-RPC. Errors of the call fail the test. */
export function byJsonRpc({ post }: Pick<TestApp, "post">): AskBytes {
  return async (query) => {
    const params = { query: Buffer.from(query).toString("base64") };
    const { json, text } = await post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "lite.query", params });
    const { result } = json as { result?: { answer: string } };
    if (!result) throw new Error(`lite.query is refused: ${text}`);
    return new Uint8Array(Buffer.from(result.answer, "base64"));
  };
}

/** Asks by bytes. Errors of the call fail the test. */
export function byPost({ url }: Pick<TestApp, "url">): AskBytes {
  return async (query) => {
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await fetch(`${url}/api/lite/v1`, { method: "POST", body: query as BodyInit, headers });
    if (!answer.ok) throw new Error(`a query is refused: ${await answer.text()}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
}

/** The queries of an ADNL client, sent in another way. */
export function transportBy(ask: AskBytes): QueryTransport {
  return {
    query: (query) => ask(wire.decode(query).value["data"] as Uint8Array),
    protocolError: (error) => new ConnectionError("garbage", error.message, error),
  };
}
