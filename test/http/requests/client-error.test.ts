import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { plainImplementations, plainRegistry, startApp } from "../../helpers/http/app.js";
import { startHeldApp } from "../../helpers/http/held-app.js";

async function start() {
  const app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  onTestFinished(() => app.close());
  return app;
}

/** Sends texts, the second one once the first one has arrived, and reads until the server closes the connection. */
function exchange(url: string, text: string, { arrived = never, more = "" } = {}): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    void arrived.then(() => socket.write(more));
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
}

const never = new Promise<void>(() => {});

const refusal = (status: number, reason: string, error: string) =>
  answerWith(status, reason, "2.2.7", { ok: false, error, code: status, "@extra": "_" });

function answerWith(status: number, reason: string, version: string, json: object): string {
  const body = JSON.stringify(json);
  return [
    `HTTP/1.1 ${status} ${reason}`,
    "Access-Control-Allow-Origin: *",
    "Access-Control-Expose-Headers: Retry-After, X-API-Version, RateLimit, RateLimit-Policy, Server-Timing, X-Executor-Version, X-Network-Version, X-Ignored-Params, X-Index-Gaps, X-Index-Seqno, X-Next-Cursor, X-Not-Executed, X-Request-Id",
    "X-Content-Type-Options: nosniff",
    `X-API-Version: ${version}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${body.length}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

describe("a connection without a valid request", () => {
  it.each(["\x00\x01\x02\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n bad\r\n\r\n"])(
    "is answered as malformed: %j",
    async (text) => {
      const { url } = await start();
      expect(await exchange(url, text)).toBe(refusal(400, "Bad Request", "malformed HTTP"));
    },
  );

  it("is answered as too large, in the form of v3, when its head does not end", async () => {
    const { url } = await start();
    const head = `GET /api/v3/metadata?address=${"x".repeat(200_000)}`;
    expect(await exchange(url, head)).toBe(
      answerWith(431, "Request Header Fields Too Large", "1.3.0", {
        error: "request line and headers are too large: at most 196608 bytes",
      }),
    );
  });

  it("is cut when it stops half way", async () => {
    const { url, server } = await start();
    server.headersTimeout = 20;
    server.requestTimeout = 20;
    const halves = [
      "GET / HTTP/1.1\r\nHost:",
      "POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    ];
    const cut = refusal(408, "Request Timeout", "request took too long to arrive");
    expect(await Promise.all(halves.map((text) => exchange(url, text)))).toEqual([cut, cut]);
  });
});

describe("a malformed request behind others", () => {
  const get = "GET /api/v2/held HTTP/1.1\r\nHost: x\r\n\r\n";
  const malformed = refusal(400, "Bad Request", "malformed HTTP");

  /** `held` runs until the error of the connection was reported. */
  async function startHeld() {
    const { app, url, arrived, release } = await startHeldApp();
    app.server.on("clientError", release);
    return { url, arrived };
  }

  it.each([
    ["in its head", "GET / HTTP/9.9\r\n\r\n"],
    ["in its head, and goes on", "GET / HTTP/9.9\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["in its body", "POST /jsonRPC HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx"],
  ])("%s is answered after them", async (_, more) => {
    for (const isTogether of [true, false]) {
      const { url, arrived } = await startHeld();
      const answer = isTogether ? exchange(url, get + more) : exchange(url, get, { arrived, more });
      const [first, ...others] = (await answer).split(/(?=HTTP\/1\.1 )/);
      expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"result":"held"/);
      expect(others).toEqual([malformed]);
    }
  });
});
