import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startHeldApp } from "../helpers/http/held-app.js";

const start = async () => (await startHeldApp()).url;

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

/** Sends requests one after the other over one connection, each in pieces, and returns all answers. */
async function exchangeInTurn(url: string, requests: string[][]): Promise<string> {
  let answers = "";
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", noDelay: true });
  socket.setEncoding("utf8").on("data", (text) => {
    answers += text;
  });
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await once(socket, "connect");
  for (const pieces of requests) {
    const answered = once(socket, "data");
    for (const piece of pieces) {
      await new Promise((written) => socket.write(piece, written));
      await setImmediate();
    }
    await answered;
  }
  await closed;
  return answers;
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
  it("is answered as the plain request it also is, and so are the requests behind it", async () => {
    const url = await start();
    expect(shown(await exchange(url, `${get}${http2}\r\n`, last))).toEqual([
      [200, "OK"],
      [200, "OK"],
    ]);
  });

  it("keeps its body and its other options of the connection", async () => {
    const url = await start();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
    const head = `POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`;
    const offer = "Connection: close, Upgrade\r\nUpgrade: h2c\r\n";
    expect(shown(await exchange(url, `${head}${offer}\r\n`, body))).toEqual([
      [200, '{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}'],
    ]);
  });

  it.each(["h2c", "TLS/1.2, HTTP/1.1", "foo", "websocket2"])(
    "by the name of %s may send its body in pieces, and more requests",
    async (protocol) => {
      const url = await start();
      const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
      const head = `POST /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const answer = await exchangeInTurn(url, [
        [`${head}Content-Length: ${ping.length}\r\n\r\n`, ping.slice(0, 5), ping.slice(5)],
        [
          `${head}Transfer-Encoding: chunked\r\n\r\n`,
          chunk(ping.slice(0, 5)),
          `${chunk(ping.slice(5))}0\r\n\r\n`,
        ],
        [`${head}Content-Length: ${ping.length}\r\n\r\n${ping}`],
        [last],
      ]);
      const pong = '{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}';
      expect(shown(answer)).toEqual([
        [200, pong],
        [200, pong],
        [200, pong],
        [200, "OK"],
      ]);
    },
  );

  it("is asked for its body where it waits for that", async () => {
    const url = await start();
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
    const head = `POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: ${ping.length}\r\nExpect: 100-continue\r\n`;
    const answers = await exchangeInTurn(url, [[`${head}${http2}\r\n`], [ping], [last]]);
    expect(shown(answers)).toEqual([
      [100, ""],
      [200, '{"jsonrpc":"2.0","id":1,"ok":true,"result":"pong"}'],
      [200, "OK"],
    ]);
  });

  it("gets no WebSocket if it has a body, which is no frame", async () => {
    const url = await start();
    const head = `${get.replace("/healthcheck", "/jsonRPC")}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    const answer = await exchangeInTurn(url, [[`${head}${key}Content-Length: 2\r\n\r\nno`], [last]]);
    expect(shown(answer).map(([status]) => status)).not.toContain(101);
    expect(shown(answer)).toMatchObject([
      [405, expect.anything()],
      [200, "OK"],
    ]);
  });

  it("gets no WebSocket by another verb than GET", async () => {
    const url = await start();
    const head =
      "PUT /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(shown(await exchange(url, head))).toMatchObject([[405, expect.stringContaining("wrong-verb")]]);
  });
});

describe("an upgrade behind other requests", () => {
  const slow = "GET /api/v2/held HTTP/1.1\r\nHost: x\r\n\r\n";
  const slowAnswer = '{"ok":true,"result":"held","@extra":"1700000000:_:0"}';

  it("to WebSocket comes after their answers", async () => {
    const { url, arrived, release } = await startHeldApp();
    const handshake =
      "GET /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    // An unmasked frame is a protocol error: the service closes the connection once the handshake is done.
    const answer = exchange(url, slow, `${get}\r\n`, handshake, "\x81\x00");
    await arrived;
    release();
    expect(shown(await answer)).toEqual([
      [200, slowAnswer],
      [200, "OK"],
      [101, expect.anything()],
    ]);
  });

  it("to another protocol is answered in its turn", async () => {
    const { url, arrived, release } = await startHeldApp();
    const answer = exchange(url, slow, `${get}${http2}\r\n`, last);
    await arrived;
    release();
    expect(shown(await answer)).toEqual([
      [200, slowAnswer],
      [200, "OK"],
      [200, "OK"],
    ]);
  });

  it("leaves no listeners behind", async () => {
    const { app, url } = await startHeldApp();
    const counts: unknown[] = [];
    let connection: Socket | undefined;
    app.server.on("connection", (socket) => {
      connection = socket;
    });
    app.server.on("request", () => {
      counts.push(connection!.eventNames().map((name) => [name, connection!.listenerCount(name)]));
    });
    await exchange(url, ...Array<string>(5).fill(`${get}${http2}\r\n`), last);
    expect(counts).toHaveLength(6);
    expect(new Set(counts.slice(1).map(String)).size).toBe(1);
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
