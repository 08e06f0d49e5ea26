import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";

// For any input: an answer in the format of its path, never a 5xx, and the service keeps running.

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const runs = sized(100, 300);

/** JSON values, including some that tend to break servers. */
const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  fc.constantFrom<unknown>(
    "__proto__",
    "constructor",
    "toString",
    "\u0000",
    "\uD800",
    "x".repeat(10_000),
    1e308,
    -0,
    2 ** 53,
    Number.MIN_VALUE,
    friendly,
    null,
    [],
    [[]],
    {},
  ),
);
const methodName = fc.oneof(
  fc.constantFrom("packAddress", "detectHash", "rpc.ping", "unpackAddress", "detectAddress"),
  fc.string(),
  nasty,
);
const params = fc.oneof(
  nasty,
  fc.dictionary(fc.oneof(fc.constantFrom("address", "hash", "__proto__", "toString"), fc.string()), nasty),
);
const call = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant("2.0") }, nasty),
    id: fc.oneof(fc.integer(), fc.string(), nasty),
    method: methodName,
    params,
  },
  { requiredKeys: [] },
);
const message = fc.oneof(call, fc.array(call, { maxLength: 8 }), nasty, fc.array(nasty, { maxLength: 4 }));
/** JSON, and JSON with characters removed or inserted. */
const bodyText = fc.oneof(
  message.map((value) => JSON.stringify(value)),
  fc.tuple(message, fc.nat(), fc.nat(20), fc.string()).map(([value, at, cut, put]) => {
    const text = JSON.stringify(value);
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + cut);
  }),
  fc.string(),
);

describe("random input", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations, maxBatch: 5 });
  });
  afterAll(async () => {
    expect(app.reports.filter(({ code }) => code === "internal")).toEqual([]);
    await app.close();
  });

  it("as a body gets a well-formed answer on every path", async () => {
    const paths = fc.constantFrom(
      "/jsonRPC",
      "/",
      "/api/v2/jsonRPC",
      "/api/v2/packAddress",
      "/api/v2/detectHash",
    );
    await fc.assert(
      fc.asyncProperty(paths, bodyText, async (path, body) => {
        const { status, text } = await app.post(path, body);
        expect([200, 204, 413, 422]).toContain(status);
        const answers = text === "" ? [] : [JSON.parse(text)].flat();
        expect(answers.length > 0).toBe(status !== 204);
        for (const answer of answers) expect(typeof answer.ok).toBe("boolean");
        const strict = path === "/jsonRPC" || text.startsWith("[");
        if (strict) for (const answer of answers) expect(answer).toMatchObject({ jsonrpc: "2.0" });
        if (strict) for (const answer of answers) expect("result" in answer).toBe(!("error" in answer));
      }),
      { numRuns: runs },
    );
  });

  it("as a batch is answered entry by entry, ids in order", async () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.constant(null));
    const entry = fc.record({ jsonrpc: fc.constant("2.0"), id, method: methodName, params });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 5 }), async (entries) => {
        const { status, json } = await app.post("/jsonRPC", entries);
        expect(status).toBe(200);
        expect((json as { id: unknown }[]).map((answer) => answer.id)).toEqual(
          entries.map((each) => each.id),
        );
      }),
      { numRuns: runs },
    );
  });

  it("as bytes gets an answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const body = new Uint8Array(bytes);
        const { status } = await app.ask("/jsonRPC", { method: "POST", body });
        expect([200, 204]).toContain(status);
      }),
      { numRuns: runs },
    );
  });

  it("as a query gets a result or a refusal", async () => {
    const part = fc.string({ unit: fc.constantFrom(..."aAdresh=&[]%+,:-_/0123456789é\u0000") });
    const paths = fc.constantFrom("packAddress", "detectHash", "detectAddress", "nope");
    await fc.assert(
      fc.asyncProperty(paths, part, part, async (path, name, value) => {
        const query = `${encodeURI(name)}=${encodeURI(value)}&address=${encodeURI(value)}`;
        const { status, json } = await app.ask(`/api/v2/${path}?${query}`);
        expect([200, 404, 422]).toContain(status);
        expect(json).toMatchObject({ ok: status === 200 });
      }),
      { numRuns: runs },
    );
  });

  it("as headers gets an answer", async () => {
    const value = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const names = fc.constantFrom(
      "X-API-Key",
      "Accept",
      "Accept-Encoding",
      "Content-Type",
      "Content-Encoding",
      "X-Forwarded-For",
      "X-Timeout",
      "X-Actions-Version",
      "Origin",
    );
    const body = JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "rpc.ping" }]);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value), async (headers) => {
        const { status } = await app.ask("/jsonRPC", { method: "POST", headers, body });
        expect([200, 401, 415]).toContain(status);
      }),
      { numRuns: runs },
    );
  });

  it("as a whole request line and head never stops the service", async () => {
    const port = Number(new URL(app.url).port);
    const line = fc.string({ unit: "binary-ascii", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        await sendRaw(port, `POST /jsonRPC HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
        await sendRaw(port, lines.join(" "));
      }),
      { numRuns: sized(40, 100) },
    );
    expect((await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "rpc.ping" })).status).toBe(200);
  });
});

/** Sends data, half-closes, and waits until the server closes the connection. */
function sendRaw(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    socket.on("error", () => {}).on("close", () => resolve());
    socket.resume();
  });
}
