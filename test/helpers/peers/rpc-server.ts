import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  type Client,
  type ClientOptions,
  createClient,
  type HttpOptions,
  http,
} from "../../../client/index.js";
import { freePort } from "../free-port.js";

export type RpcRequest = { id: number; method: string; params: Record<string, unknown> };
export type Received = {
  readonly path: string;
  readonly verb: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body: RpcRequest | RpcRequest[];
};
type Answering = (request: Received, response: ServerResponse, socket: IncomingMessage["socket"]) => void;

/** A server that answers as a test defines, and records its requests. */
type Server = { readonly url: string; readonly requests: Received[] };

export async function serve(answer: Answering): Promise<Server> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    try {
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
    } catch {
      // Clients may disconnect before their request is complete.
      return;
    }
    const body = text === "" ? undefined : JSON.parse(text);
    const received = { path: request.url!, verb: request.method!, headers: request.headers, text, body };
    requests.push(received);
    answer(received, response, request.socket);
  });
  // Closing an idle connection while the next request arrives would cause an unrelated failure.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jsonRPC`, requests };
}

/** A URL without a listener. */
export async function nowhere(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/jsonRPC`;
}

/** Concurrent requests arrive over several connections in any order; this sorts them as sent. */
export function asSent(requests: readonly Received[]): Received[] {
  const firstId = ({ body }: Received) => [body].flat()[0]!.id;
  return [...requests].sort((a, b) => firstId(a) - firstId(b));
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** A strict answer to a call: its method and parameters. */
export const echo = ({ id, method, params }: RpcRequest) => ({
  jsonrpc: "2.0",
  id,
  ok: true,
  result: { method, params },
});

/** Answers calls and batches as tonwire does. */
export const answerAll =
  (one: (call: RpcRequest) => unknown = echo): Answering =>
  ({ body }, response) =>
    sendJson(response, Array.isArray(body) ? body.map(one) : one(body));

/** A client of the server, closed at the end of the test. */
export function clientOf(
  url: string,
  { stream, ...options }: Partial<ClientOptions> & Pick<HttpOptions, "stream"> = {},
): Client {
  const client = createClient({ transport: http(url, { stream }), retry: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The outcome of each promise: its value or its error code. */
export async function outcomes(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => (each.status === "fulfilled" ? each.value : each.reason.code));
}
