import { describe, expect, it } from "vitest";
import { createCaller, createClient, http } from "../../client/index.js";
import {
  answerAll,
  asSent,
  clientOf,
  echo,
  outcomes,
  type Received,
  type RpcRequest,
  sendJson,
  serve,
} from "../helpers/peers/rpc-server.js";

const address = (n: number) => ({ address: `address ${n}` });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const sizes = (requests: readonly Received[]) =>
  asSent(requests).map(({ body }) => (Array.isArray(body) ? body.length : "plain"));

describe("batches", () => {
  it("carry the calls of a moment, fifty to a request, each with its own answer", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url);
    const answers = await Promise.all(numbers(120).map((n) => client.call("getAddressBalance", address(n))));
    expect(answers).toEqual(numbers(120).map((n) => ({ method: "getAddressBalance", params: address(n) })));
    expect(sizes(requests)).toEqual([50, 50, 20]);
    const ids = asSent(requests).flatMap(({ body }) => (body as RpcRequest[]).map(({ id }) => id));
    expect(ids).toEqual(numbers(120).map((n) => n + 1));
  });

  it("of one are plain calls", async () => {
    const { url, requests } = await serve(answerAll());
    await clientOf(url).getMasterchainInfo();
    expect(requests.map(({ verb, path, text }) => ({ verb, path, text }))).toEqual([
      {
        verb: "POST",
        path: "/jsonRPC",
        text: '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{}}',
      },
    ]);
  });

  it("carry big numbers as text", async () => {
    const { url } = await serve(answerAll());
    const params = { address: "a", lt: 2n ** 63n - 1n, limit: 5 };
    const asText = { method: "getTransactions", params: { ...params, lt: "9223372036854775807" } };
    expect(await clientOf(url).call("getTransactions", params)).toEqual(asText);
    const caller = createCaller({ transport: http(url) });
    expect(await caller.call("getTransactions", params)).toEqual(asText);
    expect(await clientOf(url).call("a.b", { lt: 5n })).toEqual({ method: "a.b", params: { lt: "5" } });
  });

  it("are bounded by the length of their text", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url, { batch: { maxBytes: 1000 } });
    const long = "x".repeat(300);
    await Promise.all(numbers(7).map((n) => client.call("detectHash", { hash: long + n })));
    expect(sizes(requests)).toEqual([2, 2, 2, "plain"]);
    for (const { text } of requests) expect(text.length).toBeLessThan(1000);
  });

  it("can be switched off", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url, { batch: false });
    await Promise.all(numbers(3).map((n) => client.call("detectHash", { hash: `${n}` })));
    expect(sizes(requests)).toEqual(["plain", "plain", "plain"]);
  });

  it("never contain calls with side effects", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url);
    await Promise.all([
      client.call("getMasterchainInfo"),
      client.call("sendBoc", { boc: "a" }),
      client.call("rpc.ping"),
      client.call("packAddress", address(1)),
      client.call("devnet.mine", { blocks: 1 }),
    ]);
    const methods = requests.map(({ body }) => [body].flat().map(({ method }) => method));
    expect(methods.sort()).toEqual([
      ["devnet.mine"],
      ["getMasterchainInfo"],
      ["rpc.ping", "packAddress"],
      ["sendBoc"],
    ]);
  });

  it("belong to one client: two keys on one URL never travel together", async () => {
    const { url, requests } = await serve(answerAll());
    const clients = ["key one", "key two"].map((apiKey) => clientOf(url, { apiKey }));
    const calls = numbers(20).map((n) => clients[n % 2]!.call("getAddressBalance", address(n)));
    await Promise.all(calls);
    const seen = requests.map(({ headers, body }) => ({
      key: headers["x-api-key"],
      addresses: (body as RpcRequest[]).map(({ params }) => Number(String(params["address"]).slice(8))),
    }));
    expect(seen.sort((a, b) => (a.key! < b.key! ? -1 : 1))).toEqual([
      { key: "key one", addresses: numbers(20).filter((n) => n % 2 === 0) },
      { key: "key two", addresses: numbers(20).filter((n) => n % 2 === 1) },
    ]);
  });

  it("may have another key for each endpoint, or none", async () => {
    const { url, requests } = await serve(answerAll());
    for (const apiKey of [undefined, "", "own"]) {
      const client = createClient({ transport: http(url, { apiKey }), apiKey: "usual" });
      await client.rpc.ping();
      client.close();
    }
    expect(requests.map(({ headers }) => headers["x-api-key"])).toEqual(["usual", undefined, "own"]);
  });
});

describe("answers to a batch", () => {
  const ask = async (answer: (calls: RpcRequest[]) => unknown) => {
    const { url } = await serve(({ body }, response) => sendJson(response, answer(body as RpcRequest[])));
    const client = clientOf(url);
    return outcomes(numbers(3).map((n) => client.call("packAddress", address(n))));
  };
  const results = numbers(3).map((n) => ({ method: "packAddress", params: address(n) }));

  it("are matched by id, in any order", async () => {
    expect(await ask((calls) => calls.map(echo).reverse())).toEqual(results);
  });

  it("are matched by the text of the id", async () => {
    expect(await ask((calls) => calls.map((call) => ({ ...echo(call), id: String(call.id) })))).toEqual(
      results,
    );
  });

  it("that are missing fail their own calls only", async () => {
    expect(await ask(([first, , third]) => [third!, first!].map(echo))).toEqual([
      results[0],
      "missing-answer",
      results[2],
    ]);
  });

  it("that come twice count once", async () => {
    const wrong = (call: RpcRequest) => ({ ...echo(call), result: "second" });
    expect(await ask((calls) => [...calls.map(echo), ...calls.map(wrong)])).toEqual(results);
  });

  it("with unknown ids, null ids and no ids are ignored", async () => {
    const strays = [
      null,
      77,
      { ...echo({ id: 9, method: "x", params: {} }) },
      { id: null, result: 1 },
      { result: 2 },
      [],
      "?",
    ];
    expect(await ask((calls) => [...strays, ...calls.map(echo)])).toEqual(results);
    expect(await ask(() => strays)).toEqual(["missing-answer", "missing-answer", "missing-answer"]);
  });

  it("can be errors of some calls", async () => {
    const failed = (call: RpcRequest) => ({
      jsonrpc: "2.0",
      id: call.id,
      error: { code: -32601, message: "Method not found" },
    });
    expect(await ask(([a, b, c]) => [echo(a!), failed(b!), echo(c!)])).toEqual([
      results[0],
      "unknown-method",
      results[2],
    ]);
  });

  it("that are one object without an id apply to every call, if they are a refusal", async () => {
    const error = { code: -32000, message: "Ratelimit exceeded", data: { code: 429, kind: "rate-limited" } };
    expect(await ask(() => ({ jsonrpc: "2.0", id: null, ok: false, error }))).toEqual(
      Array(3).fill("rate-limited"),
    );
    expect(await ask(() => ({ jsonrpc: "2.0", id: null, result: "whose?" }))).toEqual(
      Array(3).fill("bad-answer"),
    );
    expect(await ask(() => "OK")).toEqual(Array(3).fill("bad-answer"));
    expect(await ask(() => null)).toEqual(Array(3).fill("bad-answer"));
  });

  it("that are one object with an id hold for that call", async () => {
    expect(await ask(([, second]) => echo(second!))).toEqual([
      "missing-answer",
      results[1],
      "missing-answer",
    ]);
  });
});

describe("an endpoint that accepts smaller batches than the client sends", () => {
  it("gets halves until they fit, and no more large ones later", async () => {
    const { url, requests } = await serve(({ body }, response) => {
      if (Array.isArray(body) && body.length > 6) {
        const error = { code: -32600, message: "batch is too large", data: { code: 413, kind: "too-large" } };
        sendJson(response, { jsonrpc: "2.0", id: null, ok: false, error }, 413);
      } else sendJson(response, Array.isArray(body) ? body.map(echo) : echo(body));
    });
    const client = clientOf(url);
    const ask = async () => {
      const answers = await outcomes(numbers(20).map((n) => client.call("packAddress", address(n))));
      expect(answers).toEqual(numbers(20).map((n) => ({ method: "packAddress", params: address(n) })));
      return sizes(requests.splice(0)).sort();
    };
    expect(await ask()).toEqual([10, 10, 20, 5, 5, 5, 5]);
    expect(await ask()).toEqual([5, 5, 5, 5]);
  });

  it("fails a single call that is too large", async () => {
    const refusal = {
      ok: false,
      error: "request is too large: at most 10 bytes",
      code: 413,
      "@extra": "_",
      jsonrpc: "2.0",
    };
    const { url } = await serve((_, response) => sendJson(response, refusal, 413));
    await expect(clientOf(url).rpc.ping()).rejects.toMatchObject({ code: "too-large", status: 413 });
    const [one, two] = numbers(2).map((n) => clientOf(url).call("packAddress", address(n)));
    expect(await outcomes([one!, two!])).toEqual(["too-large", "too-large"]);
  });
});
