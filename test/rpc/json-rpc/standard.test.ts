import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../helpers/http/app.js";
import { arithmetic } from "../../helpers/http/arithmetic.js";

const failure = (id: unknown, code: number, message: string, data: object) => ({
  jsonrpc: "2.0",
  id,
  ok: false,
  error: { code, message, data },
});
const invalidRequest = (reason: string, id: unknown = null) =>
  failure(id, -32600, "Invalid Request", { code: 422, kind: "invalid-request", reason });
const notFound = (id: unknown) =>
  failure(id, -32601, "Method not found", { code: 422, kind: "unknown-method" });
const parseError = failure(null, -32700, "Parse error", { code: 422, kind: "parse-error" });
const success = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, ok: true, result });

describe("the examples of the JSON-RPC 2.0 standard", () => {
  const seen: string[] = [];
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(arithmetic(seen));
  });
  afterAll(() => app.close());
  beforeEach(() => {
    seen.length = 0;
  });

  const answer = async (body: string) => {
    const { status, text } = await app.post("/jsonRPC", body);
    return { status, answer: text === "" ? undefined : JSON.parse(text) };
  };

  it.each([
    ['{"subtrahend": 23, "minuend": 42}', 3],
    ['{"minuend": 42, "subtrahend": 23}', 4],
  ])("takes named parameters in any order: %s", async (params, id) => {
    expect(
      await answer(`{"jsonrpc": "2.0", "method": "subtract", "params": ${params}, "id": ${id}}`),
    ).toEqual({
      status: 200,
      answer: success(id, 19),
    });
  });

  it.each([
    ["[42, 23]", 1, 19],
    ["[23, 42]", 2, -19],
  ])("takes parameters by position: %s", async (params, id, result) => {
    expect(
      await answer(`{"jsonrpc": "2.0", "method": "subtract", "params": ${params}, "id": ${id}}`),
    ).toEqual({ status: 200, answer: success(id, result) });
  });

  it.each([
    '{"jsonrpc": "2.0", "method": "update", "params": [1]}',
    '{"jsonrpc": "2.0", "method": "foobar"}',
  ])("gives a notification no answer: %s", async (body) => {
    expect(await answer(body)).toEqual({ status: 204, answer: undefined });
    expect(seen).toEqual(body.includes("update") ? ["update"] : []);
  });

  it("does not know other methods", async () => {
    expect(await answer('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}')).toEqual({
      status: 200,
      answer: notFound("1"),
    });
  });

  it.each([
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '[{"jsonrpc": "2.0", "method": "sum", "params": {"a":1}, "id": "1"}, {"jsonrpc": "2.0", "method"',
    "",
  ])("cannot parse %j", async (body) => {
    expect(await answer(body)).toEqual({ status: 200, answer: parseError });
  });

  it("refuses JSON that is no request", async () => {
    expect(await answer('{"jsonrpc": "2.0", "method": 1, "params": "bar"}')).toEqual({
      status: 200,
      answer: invalidRequest("method must be a string"),
    });
    expect(await answer("[]")).toEqual({
      status: 200,
      answer: invalidRequest("a batch needs at least one call"),
    });
  });

  it("answers every invalid entry of a batch", async () => {
    const invalid = invalidRequest("a call must be an object");
    expect(await answer("[1]")).toEqual({ status: 200, answer: [invalid] });
    expect(await answer("[1,2,3]")).toEqual({ status: 200, answer: [invalid, invalid, invalid] });
  });

  it("answers a mixed batch in the order asked, notifications left out", async () => {
    const batch = `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`;
    expect(await answer(batch)).toEqual({
      status: 200,
      answer: [
        success("1", 7),
        success("2", 19),
        invalidRequest('jsonrpc must be "2.0"'),
        notFound("5"),
        success("9", ["hello", 5]),
      ],
    });
    expect(seen).toEqual(["sum", "notify_hello", "subtract", "get_data"]);
  });

  it("gives a batch of notifications no answer", async () => {
    const batch = `[
      {"jsonrpc": "2.0", "method": "update"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`;
    expect(await answer(batch)).toEqual({ status: 204, answer: undefined });
    expect(seen).toEqual(["update", "notify_hello"]);
  });
});
