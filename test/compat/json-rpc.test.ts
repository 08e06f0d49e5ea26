import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const noServers = "1700000000:_:0";

describe.each(["/api/v2/jsonRPC", "/"])("TON Center's JSON-RPC dialect on %s", (path) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
  });
  afterAll(() => app.close());

  const ask = async (body: unknown) => {
    const { status, json } = await app.post(path, body);
    return [status, json];
  };
  const packed = { ok: true, result: friendly, "@extra": noServers, jsonrpc: "2.0" };
  const pack = (more: object) => ({
    jsonrpc: "2.0",
    method: "packAddress",
    params: { address: raw },
    ...more,
  });

  it.each([7, "1", "x", null, 0, -1.5])("returns the id %j with its type", async (id) => {
    expect(await ask(pack({ id }))).toEqual([200, { ...packed, id }]);
  });

  it("returns an id above 2^53 digit by digit", async () => {
    const ask = async (method: string) =>
      (await app.post(path, `{"id":18446744073709551617,"method":"${method}","params":{}}`)).text;
    expect(await ask("rpc.ping")).toContain('"ok":true,"result":"pong"');
    for (const method of ["rpc.ping", "nope"])
      expect(await ask(method)).toMatch(/"jsonrpc":"2.0","id":18446744073709551617\}$/);
  });

  it("leaves out an id that was not sent or has a wrong type", async () => {
    expect(await ask(pack({}))).toEqual([200, packed]);
    for (const id of [{ a: 1 }, [1], true]) expect(await ask(pack({ id }))).toEqual([200, packed]);
  });

  it.each([undefined, null, "1.0", 2, { a: 1 }])("ignores the member jsonrpc (%j)", async (jsonrpc) => {
    expect(await ask(pack({ id: 1, jsonrpc }))).toEqual([200, { ...packed, id: 1 }]);
  });

  it("accepts the text id and the headers that @ton/ton sends", async () => {
    const { status, json } = await app.post(path, pack({ id: "1" }), {
      "X-Ton-Client-Version": "16.3.0",
      Accept: "application/json, text/plain, */*",
    });
    expect([status, json]).toEqual([200, { ...packed, id: "1" }]);
  });

  it("answers an error as a text, which tonweb reads", async () => {
    expect(
      await ask({ id: 1, jsonrpc: "2.0", method: "packAddress", params: { address: "nowhere" } }),
    ).toEqual([
      422,
      {
        ok: false,
        error: "failed to parse post request: Failed to parse ton_addr: 'nowhere'",
        code: 422,
        "@extra": noServers,
        jsonrpc: "2.0",
        id: 1,
      },
    ]);
  });

  it("refuses positional parameters", async () => {
    expect(await ask(pack({ id: 1, params: ["x"] }))).toEqual([
      422,
      {
        ok: false,
        error: "params must contain an object",
        code: 422,
        "@extra": "_",
        jsonrpc: "2.0",
        id: 1,
      },
    ]);
  });

  it.each([{}, { params: null }, { params: {} }, { params: [] }, { params: 5 }, { params: "x" }])(
    "treats %j as a call without parameters",
    async (params) => {
      expect(await ask({ id: 1, method: "rpc.ping", ...params })).toEqual([
        200,
        { ok: true, result: "pong", "@extra": noServers, jsonrpc: "2.0", id: 1 },
      ]);
    },
  );

  it.each(["nope", "toString", "packaddress", "jsonRPC", ""])(
    "does not know the method %j",
    async (method) => {
      expect(await ask({ id: 3, method, params: {} })).toEqual([
        422,
        { ok: false, error: "Unknown method", code: 422, "@extra": "_", jsonrpc: "2.0", id: 3 },
      ]);
    },
  );

  it.each([
    ["{}", "method must be a string"],
    ['{"method":5}', "method must be a string"],
    ["5", "request must be an object"],
    ["null", "request must be an object"],
    ['{"method"', "failed to parse post request: invalid JSON"],
    ["", "failed to parse post request: invalid JSON"],
  ])("refuses the body %j", async (body, error) => {
    expect(await ask(body)).toEqual([422, { ok: false, error, code: 422, "@extra": "_", jsonrpc: "2.0" }]);
  });

  it("ignores unknown names, and treats null as not given", async () => {
    const params = { address: raw, seqno: null, whatever: { deep: [1] }, __proto__: 1 };
    expect(await ask(pack({ id: 1, params }))).toEqual([200, { ...packed, id: 1 }]);
    expect(await ask(pack({ id: 1, params: { address: null } }))).toMatchObject([
      422,
      { error: "failed to parse post request: address is required" },
    ]);
  });

  it("answers a batch in the strict dialect", async () => {
    expect(await ask([pack({ id: 1 }), { id: 2, method: "rpc.ping" }])).toEqual([
      200,
      [
        { jsonrpc: "2.0", id: 1, ok: true, result: friendly },
        {
          jsonrpc: "2.0",
          id: 2,
          ok: false,
          error: {
            code: -32600,
            message: "Invalid Request",
            data: { code: 422, kind: "invalid-request", reason: 'jsonrpc must be "2.0"' },
          },
        },
      ],
    ]);
  });
});
