import { describe, expect, it } from "vitest";
import { type ClientOptions, http } from "../../client/index.js";
import {
  answerAll,
  clientOf,
  echo,
  nowhere,
  outcomes,
  type RpcRequest,
  sendJson,
  serve,
} from "../helpers/peers/rpc-server.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";

type Refusal = { status: number; headers?: Record<string, string>; body?: object };
const unavailable: Refusal = { status: 503, body: { ok: false, error: "Service is starting", code: 503 } };

/** A server that refuses some calls and then answers, and a client with a fake clock and fixed randomness. */
async function setUp(refusals: readonly Refusal[], options: Partial<ClientOptions> = {}) {
  const left = [...refusals];
  const server = await serve((request, response, socket) => {
    const refusal = left.shift();
    if (!refusal) answerAll()(request, response, socket);
    else if (refusal.status === 0) socket.destroy();
    else sendJson(response, refusal.body ?? "no", refusal.status, refusal.headers);
  });
  const clock = new FakeClock();
  const client = clientOf(server.url, { clock, random: () => 0.5, retry: {}, timeoutMs: 0, ...options });
  const waits = (count: number) => until("a wait", () => clock.waits.length === count && clock.waits);
  return { ...server, client, clock, waits };
}

describe("a failed read", () => {
  it("is retried three times with exponential backoff and jitter", async () => {
    const { client, clock, waits, requests } = await setUp(Array(4).fill(unavailable));
    const call = outcomes([client.rpc.ping()]);
    const seen: number[] = [];
    for (let i = 0; i < 3; i++) {
      seen.push(...(await waits(1)));
      clock.advance(seen.at(-1)!);
      await until("the next try", () => requests.length === i + 2);
    }
    expect(await call).toEqual(["unavailable"]);
    expect(seen).toEqual([100, 200, 400]);
    expect(clock.waits).toEqual([]);
    const ids = requests.map(({ body }) => (body as RpcRequest).id);
    expect(ids).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["the connection broke", { status: 0 }],
    ["a gateway failed", { status: 502 }],
    ["a gateway waited too long", { status: 504 }],
    [
      "the liteserver was behind",
      { status: 500, body: { ok: false, error: "LITE_SERVER_NOTREADY: seqno not in db", code: 500 } },
    ],
  ])("is tried again when %s", async (_, refusal) => {
    const { client, clock, waits } = await setUp([refusal]);
    const call = client.packAddress({ address: "1" });
    await waits(1);
    clock.advance(100);
    expect(await call).toMatchObject({ method: "packAddress" });
  });

  it.each([400, 401, 403, 404, 409, 413, 422, 500, 533])("with status %i is not", async (status) => {
    const { client, requests } = await setUp([{ status, body: { ok: false, error: "no", code: status } }]);
    await expect(client.rpc.ping()).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it("waits as long as the service asks, in seconds or until a date", async () => {
    const { client, clock, waits } = await setUp([]);
    const date = new Date(clock.now() + 7000).toUTCString();
    for (const [header, ms] of [
      ["3", 3000],
      [date, 7000],
      ["nonsense", 100],
      ["-1", 100],
      ["0", 100],
    ] as const) {
      const {
        client: each,
        clock: time,
        waits: wait,
      } = await setUp([{ ...unavailable, headers: { "Retry-After": header } }]);
      const call = each.rpc.ping();
      expect([header, await wait(1)]).toEqual([header, [ms]]);
      time.advance(ms);
      await call;
    }
    await Promise.all([client.rpc.ping(), waits(0)]);
  });

  it("fails at once when the retry would miss the deadline", async () => {
    const refusal = { ...unavailable, headers: { "Retry-After": "20" } };
    const { client, clock } = await setUp([refusal], { timeoutMs: 15_000 });
    await expect(client.rpc.ping()).rejects.toMatchObject({ code: "unavailable", retryAfterMs: 20_000 });
    expect(clock.waits).toEqual([]);
  });

  it("is not retried once no caller waits", async () => {
    const { client, clock, waits, requests } = await setUp([unavailable]);
    const controller = new AbortController();
    const call = outcomes([client.rpc.ping({}, { signal: controller.signal })]);
    await waits(1);
    controller.abort();
    expect([await call, clock.waits, requests.length]).toEqual([["aborted"], [], 1]);
  });

  it("is retried alone: successful calls of its batch are not repeated", async () => {
    let first = true;
    const { url, requests } = await serve(({ body }, response) => {
      const refuse = first;
      first = false;
      const answer = (call: RpcRequest) =>
        refuse && call.params["address"] === "2"
          ? {
              jsonrpc: "2.0",
              id: call.id,
              error: { code: -32000, message: "late", data: { code: 504, kind: "timeout" } },
            }
          : echo(call);
      sendJson(response, Array.isArray(body) ? body.map(answer) : answer(body));
    });
    const clock = new FakeClock();
    const client = clientOf(url, { clock, random: () => 1, retry: {}, timeoutMs: 0 });
    const calls = Promise.all(["1", "2", "3"].map((address) => client.packAddress({ address })));
    await until("the wait", () => clock.waits.length === 1);
    clock.advance(200);
    await calls;
    expect(requests.map(({ body }) => [body].flat().length)).toEqual([3, 1]);
  });
});

describe("a call with side effects", () => {
  it("is not repeated when it may have happened", async () => {
    for (const status of [0, 502, 503, 504]) {
      const { client, requests } = await setUp([{ status }]);
      await expect(client.sendBoc({ boc: "a" })).rejects.toMatchObject({ retryable: true });
      expect(requests).toHaveLength(1);
    }
  });

  it("is repeated when it was rate limited", async () => {
    const { client, clock, waits, requests } = await setUp([
      { status: 429, headers: { "Retry-After": "2" } },
    ]);
    const call = client.sendBoc({ boc: "a" });
    expect(await waits(1)).toEqual([2000]);
    clock.advance(2000);
    await call;
    expect(requests).toHaveLength(2);
  });

  it("is repeated when nothing was sent", async () => {
    const clock = new FakeClock();
    const client = clientOf(await nowhere(), { clock, random: () => 1, retry: { tries: 1 }, timeoutMs: 0 });
    const call = outcomes([client.sendBoc({ boc: "a" })]);
    await until("the wait", () => clock.waits.length === 1);
    clock.advance(200);
    expect(await call).toEqual(["network"]);
  });
});

describe("a limit", () => {
  it("that is given is kept", async () => {
    const { url, requests } = await serve(answerAll());
    const clock = new FakeClock();
    const client = clientOf(url, { clock, rateLimit: { rps: 10, burst: 20 }, timeoutMs: 0 });
    const calls = Promise.all(Array.from({ length: 50 }, (_, n) => client.packAddress({ address: `${n}` })));
    const sent = () => requests.map(({ body }) => [body].flat().length);
    await until("the first burst", () => requests.length === 1 && clock.waits.length === 1);
    expect([sent(), clock.waits]).toEqual([[20], [2000]]);
    clock.advance(1999);
    clock.advance(1);
    await until("the second burst", () => requests.length === 2);
    clock.advance(2000);
    await calls;
    expect(sent()).toEqual([20, 20, 10]);
  });

  it("is learned from a storm of refusals, which ends after one of them", async () => {
    // Two calls in any second, counted by the service in its own windows.
    const clock = new FakeClock();
    let refused = 0;
    let opened = 0;
    let used = 0;
    const { url } = await serve((request, response, socket) => {
      if (clock.now() - opened >= 1000) [opened, used] = [clock.now(), 0];
      if (++used <= 2) return answerAll()(request, response, socket);
      refused++;
      const headers = { "Retry-After": "1", "RateLimit-Policy": '"standard";q=2;w=1' };
      sendJson(
        response,
        { ok: false, error: "Ratelimit exceeded", result: "Ratelimit exceeded", code: 429 },
        429,
        headers,
      );
    });
    const client = clientOf(url, { clock, batch: false, retry: {}, timeoutMs: 0 });
    let done = 0;
    const calls = Array.from({ length: 12 }, (_, n) =>
      client.packAddress({ address: `${n}` }).then(() => done++),
    );
    // Wait until all are refused: later refusals would wait for a later second.
    await until("the storm", () => refused === 10 && clock.waits.length === 10);
    for (let expected = 4; expected <= 12; expected += 2) {
      clock.advance(1000);
      await until("the next two", () => done === expected);
    }
    await Promise.all(calls);
    expect(refused).toBe(10);
  });

  it("is learned from entries of a batch, too", async () => {
    const { url, requests } = await serve(({ body }, response) => {
      const answer = (call: RpcRequest, n: number) =>
        n < 2
          ? echo(call)
          : {
              jsonrpc: "2.0",
              id: call.id,
              error: {
                code: -32000,
                message: "Ratelimit exceeded",
                data: { code: 429, kind: "rate-limited", retry_after: 1 },
              },
            };
      sendJson(response, [body].flat().map(answer), 200, { "RateLimit-Policy": '"standard";q=2;w=1' });
    });
    const clock = new FakeClock();
    const client = clientOf(url, { clock, random: () => 0, retry: {}, timeoutMs: 0 });
    const calls = Promise.all(Array.from({ length: 6 }, (_, n) => client.packAddress({ address: `${n}` })));
    await until("the refusals", () => clock.waits.length === 4);
    for (const expected of [2, 3]) {
      clock.advance(1000);
      await until("the next portion", () => requests.length === expected);
    }
    await calls;
    expect(requests.map(({ body }) => [body].flat().length)).toEqual([6, 2, 2]);
  });
});

it("another fetch can be given", async () => {
  const asked: unknown[] = [];
  const own: typeof fetch = async (url, init) => {
    asked.push([url, init?.body]);
    return new Response('{"jsonrpc":"2.0","id":1,"result":"own"}');
  };
  const client = clientOf("", { transport: http("https://nowhere.invalid/jsonRPC", { fetch: own }) });
  expect(await client.rpc.ping()).toBe("own");
  expect(asked).toEqual([
    ["https://nowhere.invalid/jsonRPC", '{"jsonrpc":"2.0","id":1,"method":"rpc.ping","params":{}}'],
  ]);
});

it("answers need not be readable as a stream", async () => {
  const whole = {
    status: 200,
    ok: true,
    headers: new Headers(),
    text: async () => '{"jsonrpc":"2.0","id":1,"result":"whole"}',
  };
  const own = (async () => whole) as unknown as typeof fetch;
  const client = clientOf("", { transport: http("https://nowhere.invalid/jsonRPC", { fetch: own }) });
  expect(await client.rpc.ping()).toBe("whole");
});
