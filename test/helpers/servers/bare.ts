// A minimal node:http server for the same requests: no key, no limit, no checks, no cache.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { report } from "./process.js";
import { methodName, record } from "./record.js";

type Call = { id: number; method: string; params: object };
const records = JSON.parse(process.env["BENCH_RECORDS"] ?? "null") ?? { [methodName]: record };
const methods = new Map(Object.entries(records).map(([name, result]) => [name, (_: object) => result]));
const run = ({ id, method, params }: Call) => ({
  ok: true,
  result: methods.get(method)?.(params),
  jsonrpc: "2.0",
  id,
});

function send(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response
    .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
    .end(body);
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk) => chunks.push(chunk))
    .on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      send(response, Array.isArray(message) ? message.map(run) : run(message));
    });
}

const server = createServer((request, response) => {
  if (request.method === "POST") return receive(request, response);
  const [path = "", search = ""] = request.url!.split("?");
  const params = Object.fromEntries(new URLSearchParams(search));
  send(response, { ok: true, result: methods.get(path.slice("/api/v2/".length))?.(params) });
});
// A minimal ws server: always sends the same bytes.
const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, ok: true, result: records[methodName] });
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  socket.on("message", () => socket.send(answer));
});
server.listen(0, "127.0.0.1", () => {
  report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
