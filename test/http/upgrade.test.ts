import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { plainImplementations, plainRegistry, startApp } from "../helpers/app.js";

async function start() {
  const app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  onTestFinished(() => app.close());
  return app.url;
}

/** Sends the requests over one connection and returns all answers; the last request must ask to close it. */
function exchange(url: string, ...requests: string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(requests.join("")));
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
}

/** Status and body of each answer. */
const shown = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*?)(?=HTTP\/1\.1|$)/g)].map(
    ([, status, body]) => [Number(status), body],
  );

const get = "GET /healthcheck HTTP/1.1\r\nHost: x\r\n";
const last = `${get}Connection: close\r\n\r\n`;
const http2 = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";

describe("a request that offers another protocol", () => {
  it("is answered as the plain request it also is, and so are those that follow", async () => {
    const url = await start();
    expect(shown(await exchange(url, `${get}${http2}\r\n`, last))).toEqual([
      [200, "OK"],
      [200, "OK"],
    ]);
  });

  it("keeps its body and what else it asks of the connection", async () => {
    const url = await start();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
    const head = `POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`;
    const offer = "Connection: close, Upgrade\r\nUpgrade: h2c\r\n";
    expect(shown(await exchange(url, `${head}${offer}\r\n`, body))).toEqual([
      [200, '{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}'],
    ]);
  });

  it("gets no WebSocket by another verb than GET", async () => {
    const url = await start();
    const head =
      "PUT /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(shown(await exchange(url, head))).toMatchObject([[405, expect.stringContaining("wrong-verb")]]);
  });
});

describe("an invalid handshake", () => {
  it.each([
    ["Sec-WebSocket-Version: 99\r\n", "Missing or invalid Sec-WebSocket-Key header"],
    ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "Missing or invalid Sec-WebSocket-Version header"],
  ])("is refused like every request: %j", async (fields, reason) => {
    const url = await start();
    const head = `GET /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${fields}\r\n`;
    const answer = await exchange(url, head);
    expect(shown(answer)).toEqual([[400, expect.stringContaining(reason)]]);
    expect(answer).toContain("\r\nAccess-Control-Allow-Origin: *\r\n");
    expect(answer).toContain("\r\nSec-WebSocket-Version: 13\r\n");
  });
});
