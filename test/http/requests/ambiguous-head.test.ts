import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createAdminHandler } from "../../../server/http/admin.js";
import { createListener } from "../../../server/http/listener.js";
import { Health } from "../../../server/observe/health.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../../helpers/http/app.js";

// Heads that a proxy and this service could read differently: what is a body for one would be a request for the other.

let app: TestApp;
/** How often the request ran that hides in bodies. */
let smuggled = 0;
const hidden = defineMethod({
  summary: "Counts its calls.",
  group: "Test",
  params: z.object({}),
  result: z.number(),
  verbs: ["GET"],
  freshness: { kind: "none" },
  examples: [{ params: {}, result: 1 }],
});

beforeAll(async () => {
  app = await startApp({
    registry: { ...plainRegistry, hidden },
    implementations: { ...plainImplementations, hidden: () => ++smuggled },
  });
});
afterAll(() => app.close());

/** Sends a text, and returns what is answered until the service closes the connection. */
function exchange(text: string, url = app.url): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text, "latin1"));
    socket.setEncoding("latin1").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
}

const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf("\r\n\r\n")));

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
const chunks = `${ping.length.toString(16)}\r\n${ping}\r\n0\r\n\r\n`;
const smuggling = "GET /api/v2/hidden HTTP/1.1\r\nHost: x\r\n\r\n";
const last = "GET /healthcheck HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const post = (...fields: string[]) => ["POST /jsonRPC HTTP/1.1", "Host: x", ...fields, "", ""].join("\r\n");
const get = (...lines: string[]) => [...lines, "", ""].join("\r\n");

type Shape = readonly [title: string, head: string, status: number, message: string];

const severalHosts = "header Host was sent more than once";
const malformedHost = "header Host is malformed";
const unknownCoding = "only the transfer coding chunked is supported";
const malformedCoding = "header Transfer-Encoding is malformed";

const hosts: Shape[] = [
  ["two equal ones", get("GET / HTTP/1.1", "Host: x", "Host: x"), 400, severalHosts],
  ["two different ones", get("GET / HTTP/1.1", "Host: localhost", "Host: evil.example"), 400, severalHosts],
  ["two in any case", get("GET / HTTP/1.1", "Host: x", "Accept: */*", "hOST: y"), 400, severalHosts],
  ["two, one of them empty", get("GET / HTTP/1.1", "Host:", "Host: x"), 400, severalHosts],
  ["two over HTTP/1.0", get("GET / HTTP/1.0", "Host: x", "Host: y"), 400, severalHosts],
  ["a list", get("GET / HTTP/1.1", "Host: x, y"), 400, malformedHost],
  ["spaces", get("GET / HTTP/1.1", "Host: x y"), 400, malformedHost],
  ["a user", get("GET / HTTP/1.1", "Host: evil.example@localhost"), 400, malformedHost],
  ["a path", get("GET / HTTP/1.1", "Host: localhost/x"), 400, malformedHost],
  ["a query", get("GET / HTTP/1.1", "Host: localhost?x"), 400, malformedHost],
  ["a backslash", get("GET / HTTP/1.1", "Host: localhost\\x"), 400, malformedHost],
  ["a port of letters", get("GET / HTTP/1.1", "Host: localhost:x"), 400, malformedHost],
  ["two ports", get("GET / HTTP/1.1", "Host: localhost:1:2"), 400, malformedHost],
  ["a tab", get("GET / HTTP/1.1", "Host: x\ty"), 400, malformedHost],
  ["bytes that are no ASCII", get("GET / HTTP/1.1", "Host: l\u00f6calhost"), 400, malformedHost],
];

const codings: Shape[] = [
  ["one that nobody knows before chunked", post("Transfer-Encoding: foo, chunked"), 501, unknownCoding],
  ["gzip before chunked", post("Transfer-Encoding: gzip, chunked"), 501, unknownCoding],
  ["identity before chunked", post("Transfer-Encoding: identity, chunked"), 501, unknownCoding],
  ["two headers", post("Transfer-Encoding: foo", "Transfer-Encoding: chunked"), 501, unknownCoding],
  ["an empty one before chunked", post("Transfer-Encoding: ,chunked"), 400, malformedCoding],
  ["chunked over HTTP/1.0", post("Transfer-Encoding: chunked").replace("1.1", "1.0"), 400, malformedCoding],
];

const versions: Shape[] = ["0.9", "2.0"].map((version) => [
  version,
  get(`GET / HTTP/${version}`, "Host: x"),
  505,
  "HTTP version must be 1.1 or 1.0",
]);

/** Heads that Node's parser refuses itself, in all supported versions. */
const malformed: Record<string, string> = {
  "chunked twice": post("Transfer-Encoding: chunked, chunked"),
  "chunked in two headers": post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
  "a coding after chunked": post("Transfer-Encoding: chunked, foo"),
  "a coding in a header after chunked": post("Transfer-Encoding: chunked", "Transfer-Encoding: foo"),
  "no chunked": post("Transfer-Encoding: gzip"),
  "the coding identity": post("Transfer-Encoding: identity"),
  "an empty coding": post("Transfer-Encoding:"),
  "a coding that ends like chunked": post("Transfer-Encoding: xchunked"),
  "chunked with a parameter": post("Transfer-Encoding: chunked;q=1"),
  "chunked in quotes": post('Transfer-Encoding: "chunked"'),
  "chunked behind a vertical tab": post("Transfer-Encoding: \x0bchunked"),
  "a coding and a length": post("Transfer-Encoding: chunked", "Content-Length: 4"),
  "a length and a coding": post("Content-Length: 4", "Transfer-Encoding: chunked"),
  "a length and an unknown coding": post("Content-Length: 4", "Transfer-Encoding: foo, chunked"),
  "a length and an empty coding": post("Content-Length: 4", "Transfer-Encoding:"),
  "two lengths": post("Content-Length: 4", "Content-Length: 100"),
  "two equal lengths": post("Content-Length: 4", "Content-Length: 4"),
  "a list of lengths": post("Content-Length: 4, 4"),
  "a length with a sign": post("Content-Length: +4"),
  "a length in hex": post("Content-Length: 0x4"),
  "an empty length": post("Content-Length:"),
  "a length that is too long": post("Content-Length: 18446744073709551620"),
  "a folded length": post("Content-Length: 1", " 0"),
  "a folded coding": post("Transfer-Encoding:", " chunked"),
  "a space before a colon": post("Content-Length : 4"),
  "a space before the first name": get("GET / HTTP/1.1", " Host: x"),
  "a name without a colon": post("Transfer-Encoding"),
  "a line feed between fields": post("X: y\nContent-Length: 4"),
  "a carriage return between fields": post("X: y\rContent-Length: 4"),
  "a zero byte": post("X: y\0"),
  "line feeds only": "GET / HTTP/1.1\nHost: x\n\n",
  "a size of a chunk with a space": `${post("Transfer-Encoding: chunked")}4 \r\n`,
  "a size of a chunk with a prefix": `${post("Transfer-Encoding: chunked")}0x4\r\n`,
  "a size of a chunk that overflows": `${post("Transfer-Encoding: chunked")}10000000000000004\r\n`,
  "a line feed after the size of a chunk": `${post("Transfer-Encoding: chunked")}4\n`,
  "a line feed in the extension of a chunk": `${post("Transfer-Encoding: chunked")}4;x\n`,
  "a chunk that is longer than its size": `${post("Transfer-Encoding: chunked")}2\r\nabcd\r\n`,
  "a length behind the chunks": `${post("Transfer-Encoding: chunked")}0\r\nContent-Length: 4\r\n`,
};

describe("an ambiguous head", () => {
  it.each([...hosts, ...codings, ...versions])(
    "is refused, and nothing behind it is served: %s",
    async (_, head, status, message) => {
      const before = smuggled;
      const body = head.includes("Transfer-Encoding") ? chunks : "";
      const answer = await exchange(`${head}${body}${smuggling}${last}`);
      expect(statusesIn(answer)).toEqual([status]);
      expect(bodyOf(answer)).toMatchObject(
        head.startsWith("POST /jsonRPC")
          ? { error: { message: "Invalid Request", data: { code: status, reason: message } } }
          : { error: message, code: status },
      );
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(answer).toContain("Access-Control-Allow-Origin: *");
      expect(smuggled).toBe(before);
    },
  );

  it("is refused behind requests that are served", async () => {
    for (const [, head, status] of [...hosts, ...codings, ...versions])
      expect(statusesIn(await exchange(`${smuggling}${head}${chunks}${last}`))).toEqual([200, status]);
  });

  it.each(Object.entries(malformed))("is refused by the parser: %s", async (_, head) => {
    const before = smuggled;
    const answer = await exchange(`${head}${smuggling}${last}`);
    expect(statusesIn(answer)).toEqual([400]);
    expect(smuggled).toBe(before);
  });

  it("of a WebSocket handshake is refused too", async () => {
    const handshake = (...fields: string[]) =>
      get(
        "GET /jsonRPC HTTP/1.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        ...fields,
      );
    for (const [fields, status, message] of [
      [["Host: localhost", "Host: evil.example"], 400, severalHosts],
      [["Host: a b"], 400, malformedHost],
      [[], 400, "header Host is missing"],
    ] as const) {
      const answer = await exchange(handshake(...fields));
      expect(statusesIn(answer)).toEqual([status]);
      expect(bodyOf(answer)).toMatchObject({ error: { data: { reason: message } } });
    }
  });

  it("is refused by the operator's endpoint too", async () => {
    const handler = createAdminHandler({
      metrics: { text: async () => "metrics" },
      status: () => ({}),
      health: new Health(),
      isLoopback: true,
    });
    const listener = createListener({ host: "127.0.0.1", port: 0, handler });
    const url = await listener.listen();
    const ask = (...fields: string[]) =>
      exchange(get("GET /metrics HTTP/1.1", "Connection: close", ...fields), url);
    expect(await ask("Host: localhost")).toMatch(/^HTTP\/1.1 200 [\s\S]*metrics\r\n/);
    expect(await ask("Host: localhost", "Host: evil.example")).toMatch(
      /^HTTP\/1.1 400 [\s\S]*more than once\n\r\n/,
    );
    const absolute = get("GET http://evil.example/metrics HTTP/1.1", "Connection: close", "Host: localhost");
    expect(await exchange(absolute, url)).toMatch(/^HTTP\/1.1 403 /);
    await listener.close(0);
  });
});

describe("a head that is not ambiguous is served", () => {
  it.each([
    ["chunked", `${post("Transfer-Encoding: chunked")}${chunks}`],
    ["chunked in capitals", `${post("Transfer-Encoding: CHUNKED")}${chunks}`],
    [
      "chunks with extensions",
      `${post("Transfer-Encoding: chunked")}${chunks.replace("\r\n", ';a="b"\r\n')}`,
    ],
    [
      "chunks with trailers",
      `${post("Transfer-Encoding: chunked")}${chunks.replace(/\r\n$/, "X: y\r\n\r\n")}`,
    ],
    ["a length with zeros before it", `${post(`Content-Length: 00${ping.length}`)}${ping}`],
    [
      "HTTP/1.0",
      `${post("Connection: keep-alive", `Content-Length: ${ping.length}`).replace("1.1", "1.0")}${ping}`,
    ],
    [
      "HTTP/1.0 without a host",
      `${get("POST /jsonRPC HTTP/1.0", "Connection: keep-alive", `Content-Length: ${ping.length}`)}${ping}`,
    ],
  ])("%s", async (_, request) => {
    const answer = await exchange(`${request}${last}`);
    expect(statusesIn(answer)).toEqual([200, 200]);
    expect(answer).toContain('"result":"pong"');
  });

  it.each([
    "",
    "localhost",
    "LOCALHOST:8081",
    "a.b-c_d.example:",
    "[::1]:8081",
    "[fe80::1%25eth0]",
    "127.0.0.1",
    "x,y",
  ])("with the host %s", async (host) => {
    expect(statusesIn(await exchange(last.replace("Host: x", `Host: ${host}`)))).toEqual([200]);
  });
});
