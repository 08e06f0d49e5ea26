import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as afterMs } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { AllImplementations } from "../../../server/rpc/bind.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../../helpers/http/app.js";

const base = { group: "Test", verbs: [], freshness: { kind: "none" } } as const;
const anything = z.unknown().describe("Anything.");
const definitions = {
  fail: defineMethod({
    ...base,
    summary: "Has a result that is no JSON.",
    params: z.object({ kind: z.string().describe("Which one.") }),
    result: anything,
    examples: [{ params: { kind: "bigint" }, result: null }],
  }),
};
const handlers: AllImplementations<typeof definitions> = {
  fail: ({ kind }) => (kind === "bigint" ? { amount: 5n } : undefined),
};

describe("the strict dialect over HTTP", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      registry: { ...plainRegistry, ...definitions },
      implementations: { ...plainImplementations, ...handlers },
    });
  });
  afterAll(() => app.close());
  const ask = async (body: unknown) => (await app.post("/jsonRPC", body)).json;
  const invalid = (reason: string) => ({
    jsonrpc: "2.0",
    id: null,
    ok: false,
    error: {
      code: -32600,
      message: "Invalid Request",
      data: { code: 422, kind: "invalid-request", reason },
    },
  });

  it.each(["null", "0", "false", '""'])("calls %s an invalid request, not a parse error", async (body) => {
    expect(await ask(body)).toEqual(invalid("a call must be an object"));
  });

  it.each(["undefined", "bigint"])("treats a result that is no JSON (%s) as a defect", async (kind) => {
    expect(await ask({ jsonrpc: "2.0", id: 1, method: "fail", params: { kind } })).toMatchObject({
      ok: false,
      error: { code: -32603, message: "Internal error" },
    });
  });

  it("echoes integers above 2^53 digit by digit, in results and errors", async () => {
    const id = "-123456789012345678901234567890";
    const textOf = async (body: string) => (await app.post("/jsonRPC", body)).text;
    const known = `{"jsonrpc":"2.0","id":${id},"method":"rpc.ping"}`;
    const unknown = `{"jsonrpc":"2.0","id":9007199254740993,"method":"nope"}`;
    expect(await textOf(known)).toBe(`{"jsonrpc":"2.0","id":${id},"ok":true,"result":"pong"}`);
    const refusal = `{"jsonrpc":"2.0","id":9007199254740993,"ok":false,"error":{"code":-32601,`;
    expect(await textOf(unknown)).toContain(refusal);
    const batch = await textOf(`[${known},${unknown}]`);
    expect(batch).toContain(`[{"jsonrpc":"2.0","id":${id},"ok":true,`);
    expect(batch).toContain(refusal);
    const badVersion = await textOf(`{"jsonrpc":"1.0","id":${id},"method":"rpc.ping"}`);
    expect(badVersion).toContain(`"id":${id},"ok":false`);
  });

  it("quotes a long integer in the text of an error", async () => {
    const errorOf = async (address: string) => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"packAddress","params":{"address":${address}}}`;
      const { json } = await app.post("/jsonRPC", body);
      return (json as { error: { message: string } }).error.message;
    };
    const prefix = "failed to parse post request: Failed to parse ton_addr: ";
    expect(await errorOf("9007199254740993")).toBe(`${prefix}'9007199254740993'`);
    expect(await errorOf('{"a":9007199254740993}')).toBe(`${prefix}'{"a":"9007199254740993"}'`);
  });

  it.each(["1e400", "-1e300", "9007199254740993.0"])(
    "refuses the id %s, which would come back changed",
    async (id) => {
      expect(await ask(`{"jsonrpc":"2.0","id":${id},"method":"rpc.ping"}`)).toEqual(
        invalid("id must be a string, an integer, or a number up to 2^53 - 1"),
      );
    },
  );
});

describe("bounds of a batch", () => {
  const slow = {
    wait: defineMethod({
      ...base,
      summary: "Waits to be let go.",
      params: z.object({ name: z.string().describe("Whose turn.") }),
      result: anything,
      examples: [{ params: { name: "a" }, result: "a" }],
    }),
  };
  const call = (name: string) => ({ jsonrpc: "2.0", id: name, method: "wait", params: { name } });
  const answered = (name: string) => ({ jsonrpc: "2.0", id: name, ok: true, result: name });

  /** Calls wait at a gate; `open(name)` releases one, even before it arrives. */
  async function startGated(options: { batchParallel?: number } = {}) {
    const opened = new Set<string>();
    const waiting = new Map<string, () => void>();
    const started: string[] = [];
    const aborted: string[] = [];
    const app = await startApp({
      registry: slow,
      implementations: {
        wait: ({ name }, { signal }) =>
          new Promise((resolve, reject) => {
            started.push(name);
            if (opened.has(name)) resolve(name);
            waiting.set(name, () => resolve(name));
            signal.addEventListener("abort", () => {
              aborted.push(name);
              reject(signal.reason);
            });
          }),
      },
      ...options,
    });
    onTestFinished(() => app.close());
    const open = (name: string) => {
      opened.add(name);
      waiting.get(name)?.();
    };
    return { app, started, aborted, open };
  }
  const turn = () => afterMs(0);
  const until = async (met: () => boolean) => {
    while (!met()) await turn();
  };

  it("streams each answer as it is ready if lines are requested", async () => {
    const { app, started, open } = await startGated();
    const response = fetch(`${app.url}/api/v2/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/jsonl, application/json;q=0.9" },
      body: JSON.stringify([call("a"), call("b"), { jsonrpc: "2.0", method: "wait", params: {} }]),
    });
    await until(() => started.length === 2);
    open("b");
    const { status, headers, body } = await response;
    expect([status, headers.get("content-type"), headers.get("x-accel-buffering")]).toEqual([
      200,
      "application/jsonl",
      "no",
    ]);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: `${JSON.stringify(answered("b"))}\n` });
    open("a");
    expect(await reader.read()).toEqual({ done: false, value: `${JSON.stringify(answered("a"))}\n` });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it("does not take it for a defect when the lines are not read to their end", async () => {
    const implementations = { wait: () => Promise.resolve("x".repeat(4_000_000)) };
    const app = await startApp({ registry: slow, implementations });
    onTestFinished(() => app.close());
    const body = JSON.stringify(["a", "b", "c", "d"].map(call));
    const head = `POST /jsonRPC HTTP/1.1\r\nHost: x\r\nAccept: application/jsonl\r\nContent-Length: ${body.length}`;
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1").pause();
    socket.write(`${head}\r\n\r\n${body}`);
    await until(() => app.reports.length === 4);
    await once(socket.resume(), "data");
    socket.destroy();
    const open = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));
    while ((await open()) > 0) await turn();
    await turn();
    expect(app.reports.map(({ method, code }) => [method, code])).toEqual(Array(4).fill(["wait", undefined]));
  });

  it("names the other media type of lines when that was asked for", async () => {
    const { app } = await startGated();
    const { headers, text } = await app.post("/jsonRPC", [{ jsonrpc: "2.0", id: 1, method: "nope" }], {
      Accept: "application/x-ndjson",
    });
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(text.endsWith("}\n")).toBe(true);
  });

  it("drops entries that have not begun and aborts running ones when the caller disconnects", async () => {
    const { app, started, aborted } = await startGated({ batchParallel: 2 });
    const leave = new AbortController();
    const gone = fetch(`${app.url}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify([call("a"), call("b"), call("c")]),
      signal: leave.signal,
    }).catch(() => "gone");
    await until(() => started.length === 2);
    leave.abort();
    expect(await gone).toBe("gone");
    await until(() => aborted.length === 2);
    expect([started, aborted]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });
});
