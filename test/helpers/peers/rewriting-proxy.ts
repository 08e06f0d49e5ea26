import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Call = { method: string; id: unknown };
type Answered = { result?: unknown; error?: unknown; id: unknown };

/** The result that a caller gets instead. */
type Rewrite = (method: string, result: unknown) => unknown;

/** Stands before a service, and changes the results of its calls by JSON-RPC. All else passes unchanged. */
export class RewritingProxy {
  /** The changes from now on; none by default. */
  rewrite: Rewrite = (_, result) => result;
  /** A method that the service does not have from now on. */
  refused: string | undefined;
  /** The service behind it from now on. */
  target: string;
  readonly url: string;

  private constructor(url: string, target: string) {
    this.url = url;
    this.target = target;
  }

  /** It ends with the test. */
  static async before(target: string): Promise<RewritingProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const proxy = new RewritingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, target);
    server.on("request", (request, response) => {
      proxy.#serve(request, response).catch((error) => response.destroy(error));
    });
    return proxy;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { host: _, connection: __, "content-length": ___, origin: ____, ...headers } = request.headers;
    const honest = await fetch(this.target + request.url, {
      method: request.method!,
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
      ...(body.length > 0 && { body }),
    });
    const text = Buffer.from(await honest.arrayBuffer());
    for (const [name, value] of honest.headers)
      if (!["content-length", "transfer-encoding", "connection"].includes(name))
        response.setHeader(name, value);
    response.statusCode = honest.status;
    response.end(request.url === "/jsonRPC" ? this.#changed(body, text) : text);
  }

  #changed(body: Buffer, text: Buffer): Buffer {
    const calls = [JSON.parse(body.toString())].flat() as Call[];
    const answers = JSON.parse(text.toString()) as Answered | Answered[];
    for (const answer of [answers].flat()) {
      const method = calls.find(({ id }) => id === answer.id)?.method;
      if (method === undefined || answer.error !== undefined) continue;
      if (method !== this.refused) answer.result = this.rewrite(method, answer.result);
      else {
        delete answer.result;
        answer.error = { code: -32601, message: `there is no method ${method}` };
      }
    }
    return Buffer.from(JSON.stringify(answers));
  }
}
