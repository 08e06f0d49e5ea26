import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Answers of the methods that tests call. */
const answers: Readonly<Record<string, unknown>> = {
  getMasterchainInfo: { "@type": "blocks.masterchainInfo", last: { seqno: 5 } },
};
const lists: Readonly<Record<string, unknown>> = {
  "/api/v3/actions": { actions: [], address_book: {}, metadata: {} },
  "/api/v3/masterchainInfo": { first: { seqno: 1, gen_utime: "1" }, last: { seqno: 5, gen_utime: "2" } },
};

/** A service as TON Center has it: single calls of v2 by JSON-RPC, v3 by REST, and neither batches nor `rpc.discover`. */
export class TonCenterService {
  readonly url: string;
  /** Keys that it was sent. */
  readonly keys: Set<string>;

  private constructor(url: string, keys: Set<string>) {
    this.url = url;
    this.keys = keys;
  }

  static async start(): Promise<TonCenterService> {
    const keys = new Set<string>();
    const server = createServer(async (request, response) => {
      keys.add(String(request.headers["x-api-key"]));
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const path = request.url!.split("?")[0]!;
      const send = (status: number, body: object) => {
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
      };
      if (path !== "/api/v2/jsonRPC") {
        const list = lists[path];
        return list ? send(200, list) : send(404, { error: "not found" });
      }
      const call = JSON.parse(Buffer.concat(chunks).toString());
      const result = Array.isArray(call) ? undefined : answers[call.method];
      if (result) send(200, { ok: true, result, id: call.id, jsonrpc: "2.0" });
      else send(422, { ok: false, error: "Unknown method", code: 422 });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new TonCenterService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys);
  }
}
