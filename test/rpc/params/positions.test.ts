import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineMethod } from "../../../shared/methods/define.js";
import { registry as everyMethod } from "../../../shared/methods/registry.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../../helpers/http/app.js";
import { inOrder } from "../../helpers/http/positions.js";
import { openSocket } from "../../helpers/http/socket.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

const echo = defineMethod({
  summary: "Returns its parameters, of which the first may be an object.",
  group: "Test",
  params: z.object({ first: z.union([z.looseObject({}), z.string()]), second: z.string().optional() }),
  result: z.unknown(),
  verbs: [],
  freshness: { kind: "none" },
  examples: [{ params: { first: "a" }, result: { first: "a" } }],
});
const { blocks } = everyMethod.v3;

let app: TestApp;
const spent: number[] = [];
beforeAll(async () => {
  app = await startApp({
    registry: { ...plainRegistry, echo, v3: { blocks } },
    implementations: {
      ...plainImplementations,
      echo: (params: object) => params,
      v3: { blocks: () => ({ blocks: [] }) },
    },
    spend: (points) => {
      spent.push(points);
      return { granted: points, headers: {} };
    },
  });
});
afterAll(() => app.close());
beforeEach(() => {
  spent.length = 0;
});

type Answer = { result?: unknown; error?: { code: number; message: string; data: object } };
const callOf = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const post = async (path: string, body: unknown) => (await app.post(path, body)).json;
const overSocket = async (path: string, message: unknown) => {
  const socket = await openSocket(app.url, { path });
  socket.send(message);
  const answer = await socket.next();
  socket.close();
  return answer;
};

/** How a call reaches the service at a path of the strict dialect, alone and in a batch. */
const ways: [title: string, ask: (path: string, call: object) => Promise<Answer>][] = [
  ["by POST", async (path, call) => (await post(path, call)) as Answer],
  ["in a batch by POST", async (path, call) => ((await post(path, [call])) as Answer[])[0]!],
  ["over a WebSocket", async (path, call) => (await overSocket(path, call)) as Answer],
  ["in a batch over a WebSocket", async (path, call) => ((await overSocket(path, [call])) as Answer[])[0]!],
];

describe.each(ways)("parameters by position %s", (_, ask) => {
  const run = (method: string, params: unknown) => ask("/jsonRPC", callOf(method, params));

  it("are taken in the order of the definition", async () => {
    expect((await run("packAddress", [raw])).result).toBe(friendly);
    expect((await run("echo", ["a", "b"])).result).toEqual({ first: "a", second: "b" });
    expect((await run("echo", ["a"])).result).toEqual({ first: "a" });
  });

  it("may be null where by name they would be absent", async () => {
    expect((await run("echo", ["a", null])).result).toEqual({ first: "a" });
    expect((await run("packAddress", [null])).error).toMatchObject({
      code: -32602,
      message: "failed to parse post request: address is required",
    });
  });

  it("are refused with the same text as by name", async () => {
    for (const address of [5, "nowhere", [raw], "x".repeat(1000)]) {
      const byName = await run("packAddress", { address });
      expect(byName.error).toMatchObject({ code: -32602, data: { param: "address" } });
      expect(await run("packAddress", [address])).toEqual(byName);
    }
  });

  it("are taken as by name if they are one object, unless that may be the first one", async () => {
    expect((await run("packAddress", [{ address: raw }])).result).toBe(friendly);
    expect((await run("rpc.ping", [{}])).result).toBe("pong");
    expect((await run("packAddress", [{ adress: raw }])).error).toMatchObject({
      message: "unknown parameter adress: did you mean address?",
    });
    expect((await run("echo", [{ first: "a" }])).result).toEqual({ first: { first: "a" } });
  });

  it.each([
    ["packAddress", [raw, 1], "too many parameters: the method takes address", 1],
    ["packAddress", [raw, null], "too many parameters: the method takes address", 1],
    ["packAddress", [{ address: raw }, {}], "too many parameters: the method takes address", 1],
    ["rpc.ping", [1], "too many parameters: the method takes none", 0],
    ["echo", Array(100_000).fill(1), "too many parameters: the method takes first, second", 2],
  ])("are refused where %s has fewer", async (method, params, message, max) => {
    expect((await run(method, params)).error).toEqual({
      code: -32602,
      message,
      data: { code: 422, kind: "invalid-params", max },
    });
    expect(app.reports.at(-1)).toMatchObject({ method, code: "invalid-params" });
  });

  it("cost as many points as by name", async () => {
    const params = { workchain: 0, limit: 1000 };
    await run("v3.blocks", params);
    const byName = spent.splice(0);
    expect(byName.reduce((sum, points) => sum + points)).toBeGreaterThan(1);
    await run("v3.blocks", inOrder(blocks, params));
    expect(spent).toEqual(byName);
  });

  it("leave a method unknown that is", async () => {
    expect((await run("toString", [1, 2])).error).toMatchObject({ code: -32601 });
  });
});

describe("parameters by position at the paths of TON Center", () => {
  const refused = { code: -32602, message: "params must contain an object" };

  it.each(ways.slice(1))("are refused %s", async (_, ask) => {
    expect((await ask("/api/v2/jsonRPC", callOf("packAddress", [raw]))).error).toMatchObject(refused);
    expect((await ask("/api/v2/jsonRPC", callOf("packAddress", [{ address: raw }]))).error).toMatchObject(
      refused,
    );
  });

  it.each(["/api/v2/jsonRPC", "/"])("are refused with 422 at %s", async (path) => {
    const { status, json } = await app.post(path, callOf("packAddress", [raw]));
    expect([status, json]).toEqual([422, expect.objectContaining({ error: refused.message, code: 422 })]);
  });
});

describe("a batch", () => {
  const mixed = [
    { ...callOf("packAddress", [raw]), id: 1 },
    { ...callOf("packAddress", { address: raw }), id: 2 },
    { ...callOf("packAddress", [raw, raw]), id: 3 },
    { ...callOf("packAddress", "text"), id: 4 },
    { ...callOf("packAddress", []), id: 5 },
    { jsonrpc: "2.0", method: "packAddress", params: [raw, raw] },
  ];
  const message = "params must contain an object";
  const answers = [
    { id: 1, result: friendly },
    { id: 2, result: friendly },
    { id: 3, error: { code: -32602 } },
    { id: 4, error: { code: -32602, message } },
    { id: 5, error: { code: -32602, message: "failed to parse post request: address is required" } },
  ];

  it("may have both forms; the refusal of one leaves the others", async () => {
    for (const answered of [await post("/jsonRPC", mixed), await overSocket("/jsonRPC", mixed)]) {
      expect(answered).toHaveLength(answers.length);
      expect(answered).toMatchObject(answers);
    }
  });
});
