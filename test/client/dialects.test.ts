import { describe, expect, it } from "vitest";
import { isEffect } from "../../client/call.js";
import { isRpcError, RpcError } from "../../client/index.js";
import { codesOfRpc, codesOfStatus } from "../../client/transports/answer.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type ErrorCode, errorTable } from "../../shared/rpc/errors.js";
import {
  clientOf,
  outcomes,
  type Received,
  type RpcRequest,
  sendJson,
  serve,
} from "../helpers/peers/rpc-server.js";

/** The error of a single call with this answer. */
async function errorOf(answer: unknown, status = 200, headers = {}): Promise<RpcError> {
  const { url } = await serve((_, response) => {
    if (typeof answer === "string") response.writeHead(status, headers).end(answer);
    else sendJson(response, answer, status, headers);
  });
  const error = await clientOf(url)
    .getMasterchainInfo()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(RpcError);
  return error;
}

describe("an error of the strict dialect", () => {
  it("has its code, status, exit code and the whole answer", async () => {
    const data = {
      code: 500,
      kind: "message-rejected",
      reason: "not-accepted",
      exit_code: 33,
      exit_name: "wrong-seqno",
      exit_meaning: "The seqno is not the one expected.",
    };
    const answer = {
      jsonrpc: "2.0",
      id: 1,
      ok: false,
      error: { code: -32000, message: "LITE_SERVER_UNKNOWN: refused", data },
    };
    const error = await errorOf(answer);
    expect({ ...error }).toEqual({
      code: "message-rejected",
      shortMessage: "LITE_SERVER_UNKNOWN: refused: not-accepted",
      status: 500,
      rpcCode: -32000,
      method: "getMasterchainInfo",
      endpoint: expect.stringMatching(/^http:.*\/jsonRPC$/),
      exitCode: 33,
      exitName: "wrong-seqno",
      exitMeaning: "The seqno is not the one expected.",
      retryAfterMs: undefined,
      retryable: false,
      body: answer,
    });
    expect(error.name).toBe("RpcError");
  });

  it("has the service's sentence as its message, and the hint, in each dialect", async () => {
    const [sentence, hint, error] = [
      "Ann refused the message.",
      "Sign anew.",
      "LITE_SERVER_UNKNOWN: exitcode=33, x",
    ];
    const data = { code: 500, kind: "message-rejected", reason: "not-accepted", exit_code: 33, error, hint };
    for (const [answer, status] of [
      [{ jsonrpc: "2.0", id: 1, ok: false, error: { code: -32000, message: sentence, data } }, 200],
      [{ ok: false, error: `cannot apply external message: ${error}`, code: 500, sentence, hint }, 500],
    ] as const)
      expect(await errorOf(answer, status)).toMatchObject({
        ...{ code: "message-rejected", shortMessage: sentence, hint, status: 500, exitCode: 33 },
      });
  });

  it("has a sentence about refused parameters, and the service's text below it", async () => {
    const message = 'failed to decode: schema: error converting value for "limit" (and 2 other errors)';
    const wanted = "an integer from 1 to 1000";
    const all = [
      { param: "limit", wanted, given: "many" },
      { param: "account", index: 2, wanted: "an address", given: { a: 1 } },
      { param: "hash", wanted: "a hash" },
      { param: "offset", wanted, given: -1, reason: "offset is below 0" },
    ];
    const of = (data: object) =>
      errorOf({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32602, message, data: { kind: "invalid-params", ...data } },
      });
    expect(await of({ param: "limit", refused: all })).toMatchObject({
      code: "invalid-params",
      shortMessage:
        'limit must be an integer from 1 to 1000, not "many"; account[2] must be an address, not {"a":1}; hash is required: a hash; offset is below 0',
      details: message,
    });
    // A service that says nothing of use is taken by its text.
    const odd = { toString: 1, valueOf: 1 };
    for (const refused of [
      undefined,
      null,
      5,
      "x",
      {},
      [],
      [null, 5, { wanted: 5 }],
      odd,
      [{ param: odd, wanted: "a" }],
    ])
      expect(await of({ refused, hint: odd, exit_name: odd })).toMatchObject({
        shortMessage: message,
        message: expect.not.stringContaining("Hint"),
        details: undefined,
      });
    expect((await of({ refused: [{ param: "a", wanted: "b", index: odd, given: odd }] })).shortMessage).toBe(
      'a must be b, not {"toString":1,"valueOf":1}',
    );
  });

  it("without data has a code by its number", async () => {
    const codes = [-32700, -32600, -32601, -32602, -32603, -32000, "odd", undefined];
    const errors = await Promise.all(
      codes.map((code) => errorOf({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } })),
    );
    expect(errors.map(({ code }) => code)).toEqual([
      "parse-error",
      "invalid-request",
      "unknown-method",
      "invalid-params",
      "internal",
      "internal",
      "internal",
      "internal",
    ]);
  });

  it("is an error even if it is made of nonsense", async () => {
    for (const error of [
      {},
      [],
      { code: {}, message: 5, data: "x" },
      { message: {}, data: { kind: 7, code: "a" } },
    ])
      expect((await errorOf({ jsonrpc: "2.0", id: 1, error })).code).toBe("internal");
  });
});

describe("an error of TON Center's dialect", () => {
  it.each([
    [{ ok: false, error: "Incorrect address", code: 416 }, 416, "internal", "Incorrect address"],
    [
      { ok: false, error: "failed to parse", code: 422, jsonrpc: "2.0", id: "1" },
      422,
      "invalid-params",
      "failed to parse",
    ],
    [
      { ok: false, error: "Unknown method", jsonrpc: "2.0", id: "1" },
      422,
      "unknown-method",
      "Unknown method",
    ],
    [{ ok: false, result: "Ratelimit exceed", code: 429 }, 429, "rate-limited", "Ratelimit exceed"],
    [
      { ok: false, error: "Ratelimit exceeded", result: "other", code: 429 },
      200,
      "rate-limited",
      "Ratelimit exceeded",
    ],
    [
      { ok: false, error: "transaction was not found", code: 404 },
      404,
      "absent",
      "transaction was not found",
    ],
    [{ ok: false, error: "Not Found", code: 404 }, 404, "unknown-route", "Not Found"],
    [{ ok: false, error: "API key does not exist", code: 401 }, 401, "unknown-key", "API key does not exist"],
    [{ ok: false, error: "Network not allowed", code: 403 }, 403, "wrong-network", "Network not allowed"],
    [
      { ok: false, error: "devnet.mine needs an API key for this request: its Origin is null", code: 403 },
      403,
      "forbidden",
      "devnet.mine needs an API key for this request: its Origin is null",
    ],
    [
      { ok: false, error: "LITE_SERVER_UNKNOWN: lt not in db", code: 500 },
      500,
      "liteserver-error",
      "LITE_SERVER_UNKNOWN: lt not in db",
    ],
    [{ ok: false, code: 542 }, 542, "unavailable", "HTTP 542: no JSON-RPC: check the URL"],
    [{ error: "wrong value for sort parameter" }, 422, "invalid-params", "wrong value for sort parameter"],
  ])("%j", async (answer, status, code, message) => {
    const error = await errorOf(answer, status);
    expect({ code: error.code, message: error.shortMessage, body: error.body }).toEqual({
      code,
      message,
      body: answer,
    });
  });

  it("has the contract's exit code, read from its text", async () => {
    const text =
      "LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\n" +
      "Cannot run message on account: inbound external message rejected by transaction AB:\nexitcode=33, steps=22, gas_used=0";
    expect(await errorOf({ ok: false, error: text, code: 500 }, 500)).toMatchObject({
      code: "message-rejected",
      exitCode: 33,
    });
    for (const text of ["exit code: -13", "exitcode=-13, steps=2", "exit code -13"])
      expect((await errorOf({ ok: false, error: text, code: 500 }, 500)).exitCode).toBe(-13);
  });

  it("is worth another try when the liteserver lags behind", async () => {
    const text = (name: string) => ({ ok: false, error: `LITE_SERVER_${name}: seqno not in db`, code: 500 });
    const errors = await Promise.all(
      ["NOTREADY", "TIMEOUT", "UNKNOWN"].map((name) => errorOf(text(name), 500)),
    );
    expect(errors.map(({ retryable }) => retryable)).toEqual([true, true, false]);
  });
});

describe("an invalid answer", () => {
  it.each([
    ["", 200, "bad-answer"],
    ["<html>hello</html>", 200, "bad-answer"],
    ["5", 200, "bad-answer"],
    ["null", 200, "bad-answer"],
    ["[]", 200, "missing-answer"],
    ["{}", 200, "bad-answer"],
    ['{"jsonrpc":"2.0","id":1,"ok":true', 200, "bad-answer"],
    ["<html>bad gateway</html>", 502, "unavailable"],
    ["", 503, "unavailable"],
    ["<html>", 504, "timeout"],
    ["<html>", 404, "unknown-route"],
    ["oops", 500, "internal"],
  ])("%j with status %i is %s", async (text, status, code) => {
    const error = await errorOf(text, status);
    expect(error.code).toBe(code);
    expect(error.status).toBe(code === "missing-answer" ? undefined : status);
  });

  it("is an answer to another call", async () => {
    expect((await errorOf({ jsonrpc: "2.0", id: 99, result: "of somebody else" })).code).toBe(
      "missing-answer",
    );
    expect((await errorOf({ jsonrpc: "2.0", id: null, result: "of nobody" })).code).toBe("bad-answer");
  });
});

describe("a single answer", () => {
  it.each([
    ["strict", { jsonrpc: "2.0", id: 1, result: "r" }],
    ["with the id as text", { ok: true, result: "r", jsonrpc: "2.0", id: "1" }],
    ["without an id", { ok: true, result: "r", "@extra": "1700000000:0:1.5" }],
    ["bare", { result: "r" }],
    ["in an array", [{ jsonrpc: "2.0", id: 1, result: "r" }]],
  ])("is taken %s", async (_, answer) => {
    const { url } = await serve((__, response) => sendJson(response, answer));
    expect(await clientOf(url).call("unpackAddress", { address: "a" })).toBe("r");
  });

  it("may be null, zero or false", async () => {
    for (const result of [null, 0, false, ""]) {
      const { url } = await serve((_, response) => sendJson(response, { jsonrpc: "2.0", id: 1, result }));
      expect(await clientOf(url).call("x.y", {})).toBe(result);
    }
  });
});

/** A service like TON Center's own: single calls only, no ids, errors as strings, v3 over REST. */
function tonCenter(
  { verb, path, body }: Received,
  response: Parameters<Parameters<typeof serve>[0]>[1],
): void {
  if (/^\/api\/(v3|emulate\/v1)\//.test(path)) {
    if (path.startsWith("/api/v3/jetton/wallets?")) sendJson(response, { jetton_wallets: [], asked: path });
    else if (verb === "POST") sendJson(response, { posted: body, path });
    else sendJson(response, { error: `Cannot GET ${path}` }, 404);
  } else if (Array.isArray(body)) {
    sendJson(
      response,
      { ok: false, error: "failed to parse request: expected an object", code: 422, "@extra": "_" },
      422,
    );
  } else if (body.method === "getAddressBalance") {
    sendJson(response, { ok: true, result: "1000", "@extra": "1700000000:1:2" });
  } else sendJson(response, { ok: false, error: `method ${body.method} is not known here`, code: 404 }, 404);
}

describe("TON Center's own service", () => {
  const balances = (client: ReturnType<typeof clientOf>, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => client.getAddressBalance({ address: `${n}` })));

  it("is found out by its answer to a batch, which is then sent again call by call, for good", async () => {
    const { url, requests } = await serve(tonCenter);
    const client = clientOf(url);
    expect(await balances(client, 3)).toEqual(["1000", "1000", "1000"]);
    expect(requests.map(({ body }) => Array.isArray(body))).toEqual([true, false, false, false]);
    expect(await balances(client, 2)).toEqual(["1000", "1000"]);
    expect(requests.length).toBe(6);
  });

  it.each([
    ["status 500 and a page", 500, "<html>"],
    ["status 405 and nothing", 405, ""],
    ["status 400 in the body alone", 200, '{"ok":false,"error":"no","code":400}'],
    ["status 404", 404, '{"detail":"Not Found"}'],
  ])("may refuse batches with %s", async (_, status, text) => {
    const { url, requests } = await serve(({ body }, response) => {
      if (Array.isArray(body)) response.writeHead(status).end(text);
      else sendJson(response, { ok: true, result: "1000" });
    });
    expect(await balances(clientOf(url), 2)).toEqual(["1000", "1000"]);
    expect(requests.length).toBe(3);
  });

  it("is asked v3 methods over REST", async () => {
    const { url, requests } = await serve(tonCenter);
    const client = clientOf(url, { apiKey: "key" });
    const params = { owner_address: ["0:a", "0:b"], limit: 5, exclude_zero_balance: true };
    expect(await client.call("v3.jetton.wallets", params)).toEqual({
      jetton_wallets: [],
      asked:
        "/api/v3/jetton/wallets?exclude_zero_balance=true&limit=5&owner_address=0%3Aa&owner_address=0%3Ab",
    });
    const run = { address: "0:a", method: "seqno", stack: [] };
    expect(await client.call("v3.runGetMethod", run)).toEqual({ posted: run, path: "/api/v3/runGetMethod" });
    for (const [method, path] of [
      ["trace", "/api/emulate/v1/emulateTrace"],
      ["tonConnect", "/api/emulate/v1/emulateTonConnect"],
    ] as const)
      expect(await client.call(`v3.emulate.${method}`, { boc: "x" })).toEqual({ posted: { boc: "x" }, path });
    expect(await outcomes([client.call("v3.nonsense")])).toEqual(["unknown-route"]);
    // One probe, then one request per call.
    expect(requests.map(({ verb }) => verb)).toEqual(["POST", "GET", "POST", "POST", "POST", "GET"]);
    expect(requests.every(({ headers }) => headers["x-api-key"] === "key")).toBe(true);
  });

  it("gets a message once, by REST as soon as there is certainly no other way", async () => {
    const { url, requests } = await serve(tonCenter);
    expect(await clientOf(url).call("v3.message", { boc: "x" })).toEqual({
      posted: { boc: "x" },
      path: "/api/v3/message",
    });
    expect(requests.map(({ path, body }) => [path, Array.isArray(body)])).toEqual([
      ["/jsonRPC", false],
      ["/api/v3/message", false],
    ]);
  });

  it("that fails with a message is not sent it again", async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(500).end("<html>"));
    expect(await outcomes([clientOf(url, { retry: {} }).v3.message({ boc: "x" })])).toEqual(["internal"]);
    expect(requests).toHaveLength(1);
  });

  it("that accepts batches gets v3 methods in them", async () => {
    const { url, requests } = await serve(({ body }, response) => {
      const answer = ({ id }: RpcRequest) => ({ jsonrpc: "2.0", id, ok: true, result: "r" });
      sendJson(response, Array.isArray(body) ? body.map(answer) : answer(body));
    });
    const client = clientOf(url);
    expect(await client.call("v3.blocks")).toBe("r");
    expect(await client.call("v3.blocks")).toBe("r");
    expect(requests.map(({ path, body }) => [path, Array.isArray(body)])).toEqual([
      ["/jsonRPC", true],
      ["/jsonRPC", false],
    ]);
  });

  it("keeps its refusals of keys and of too many calls", async () => {
    const { url } = await serve((_, response) =>
      sendJson(response, { ok: false, error: "API key does not exist", code: 401 }, 401),
    );
    const client = clientOf(url);
    expect(await outcomes([client.rpc.ping(), client.getMasterchainInfo()])).toEqual([
      "unknown-key",
      "unknown-key",
    ]);
  });
});

describe("the client's own tables", () => {
  it("agree with the service's", () => {
    for (const [status, code] of Object.entries(codesOfStatus))
      if (status !== "502" && status !== "542")
        expect([code, errorTable[code].http]).toEqual([code, Number(status)]);
    for (const [rpcCode, code] of Object.entries(codesOfRpc))
      expect(errorTable[code].jsonRpc).toBe(Number(rpcCode));
  });

  it("know every method with an effect", () => {
    const effects = flatten(registry).filter(([, { freshness }]) => freshness.kind === "effect");
    expect(effects.map(([name]) => name).filter((name) => !isEffect(name))).toEqual([]);
    const reads = flatten(registry).filter(([, { freshness }]) => freshness.kind !== "effect");
    expect(reads.map(([name]) => name).filter(isEffect)).toEqual([]);
    expect(["v3.message", "sendAnything"].map(isEffect)).toEqual([true, true]);
  });

  it("mark the retryable errors", async () => {
    for (const [kind, { retry, http: status, jsonRpc }] of Object.entries(errorTable)) {
      const error = { code: jsonRpc, message: "text", data: { code: status, kind } };
      expect([kind, (await errorOf({ jsonrpc: "2.0", id: 1, error })).retryable]).toEqual([
        kind,
        retry === "yes",
      ]);
    }
  });
});

describe("an RpcError", () => {
  it("is recognised by instanceof and by its code, from any copy of the package", async () => {
    // With a query it is another module.
    const copy = (await import(
      "../../client/errors.js?copy" as string
    )) as typeof import("../../client/errors.js");
    expect(copy.RpcError).not.toBe(RpcError);
    const error = new copy.RpcError("timeout", "late", { status: 504 });
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toBeInstanceOf(Error);
    expect([isRpcError(error), isRpcError(error, "timeout"), isRpcError(error, "network")]).toEqual([
      true,
      true,
      false,
    ]);
    for (const other of [undefined, null, 5, "x", {}, new Error("timeout"), { code: "timeout" }])
      expect(isRpcError(other)).toBe(false);
  });

  it("takes every code of the service", () => {
    const code: ErrorCode = "stack-too-deep";
    expect(new RpcError(code, "deep", { cause: "why" })).toMatchObject({
      code,
      shortMessage: "deep",
      cause: "why",
    });
  });
});
