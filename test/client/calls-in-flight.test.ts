import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createCaller, http } from "../../client/index.js";
import { answerAll, clientOf, outcomes, type Received, serve } from "../helpers/peers/rpc-server.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";

/** A server that answers on the test's command. */
async function patientServer() {
  const open: { request: Received; response: ServerResponse }[] = [];
  const gone: Received[] = [];
  const server = await serve((request, response) => {
    open.push({ request, response });
    response.on("close", () => response.writableFinished || gone.push(request));
  });
  const answer = () => {
    for (const { request, response } of open.splice(0))
      answerAll()(request, response, response.socket as never);
  };
  return {
    ...server,
    gone,
    answer,
    asked: (count: number) => until("the request", () => server.requests.length === count),
  };
}

const pack = { method: "packAddress", params: { address: "1" } };

describe("equal reads in flight", () => {
  it("are one call, with parameters in any order", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url);
    const ask = (params: object) => client.call("a.b", params);
    const answers = await Promise.all([
      ask({ x: 1, y: { b: [1, { d: 1, c: 2 }], a: 2 } }),
      ask({ y: { a: 2, b: [1, { c: 2, d: 1 }] }, x: 1 }),
      ask({ x: 2, y: { a: 2 } }),
    ]);
    expect(requests.flatMap(({ body }) => body)).toHaveLength(2);
    expect(answers[0]).toBe(answers[1]);
  });

  it("are asked again once they are answered", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url);
    for (let i = 0; i < 3; i++) await client.rpc.ping();
    expect(requests).toHaveLength(3);
  });

  it("are separate if wished, and sends always are", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url, { dedupe: false });
    await Promise.all([client.rpc.ping(), client.rpc.ping()]);
    await Promise.all(
      [clientOf(url), clientOf(url)].flatMap((each) => [
        each.sendBoc({ boc: "a" }),
        each.sendBoc({ boc: "a" }),
      ]),
    );
    expect(requests.flatMap(({ body }) => body)).toHaveLength(6);
  });

  it("fail together", async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(500).end());
    const client = clientOf(url);
    expect(await outcomes([client.rpc.ping(), client.rpc.ping()])).toEqual(["internal", "internal"]);
    expect(requests).toHaveLength(1);
  });
});

describe("a caller's signal", () => {
  it("ends its own waiting; the request goes on for the others", async () => {
    const { url, asked, answer, gone } = await patientServer();
    const client = clientOf(url);
    const controller = new AbortController();
    const mine = client.packAddress({ address: "1" }, { signal: controller.signal });
    const other = client.packAddress({ address: "1" });
    await asked(1);
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await expect(mine).rejects.toMatchObject({ code: "aborted", cause: reason });
    answer();
    expect(await other).toEqual(pack);
    expect(gone).toEqual([]);
  });

  it("ends the request when no other caller waits for any of its calls", async () => {
    const { url, asked, gone, requests } = await patientServer();
    const client = clientOf(url);
    const controllers = [new AbortController(), new AbortController()];
    const calls = outcomes(
      controllers.map(({ signal }, n) => client.packAddress({ address: `${n}` }, { signal })),
    );
    await asked(1);
    controllers[0]!.abort();
    expect(gone).toEqual([]);
    controllers[1]!.abort();
    expect(await calls).toEqual(["aborted", "aborted"]);
    await until("the end of the request", () => gone.length === 1);
    expect(requests).toHaveLength(1);
  });

  it("takes a call out of the queue before it is sent", async () => {
    const { url, requests } = await serve(answerAll());
    const client = clientOf(url);
    const controller = new AbortController();
    const left = outcomes([client.packAddress({ address: "2" }, { signal: controller.signal })]);
    const stays = client.packAddress({ address: "1" });
    await Promise.resolve();
    controller.abort();
    expect([await left, await stays]).toEqual([["aborted"], pack]);
    expect(requests.map(({ body }) => Array.isArray(body))).toEqual([false]);
  });

  it("that has fired already lets nothing be sent", async () => {
    const { url, requests } = await serve(answerAll());
    expect(await outcomes([clientOf(url).rpc.ping({}, { signal: AbortSignal.abort() })])).toEqual([
      "aborted",
    ]);
    expect(requests).toEqual([]);
  });

  it("may be shared by hundreds of calls without a warning, and is let go of", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on("warning", listen);
    const { url } = await serve(answerAll());
    const client = clientOf(url);
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    const calls = Array.from({ length: 200 }, (_, n) => client.packAddress({ address: `${n}` }, { signal }));
    await Promise.resolve();
    expect(listeners()).toBe(1);
    await Promise.all(calls);
    expect(listeners()).toBe(0);
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });

  it("of the whole client closes it", async () => {
    const { url, asked } = await patientServer();
    const controller = new AbortController();
    const client = clientOf(url, { signal: controller.signal });
    const calls = outcomes([client.rpc.ping(), client.getMasterchainInfo()]);
    await asked(1);
    controller.abort("the page is gone");
    expect(await calls).toEqual(["aborted", "aborted"]);
    await expect(client.rpc.ping()).rejects.toMatchObject({ code: "aborted", cause: "the page is gone" });
    const late = clientOf(url, { signal: AbortSignal.abort() });
    expect(await outcomes([late.rpc.ping()])).toEqual(["aborted"]);
  });
});

describe("a deadline", () => {
  it("is each caller's own, also in a shared call", async () => {
    const { url, asked, answer } = await patientServer();
    const clock = new FakeClock();
    const client = clientOf(url, { clock });
    const hasty = client.packAddress({ address: "1" }, { timeoutMs: 100 });
    const patient = client.packAddress({ address: "1" }, { timeoutMs: 0 });
    await asked(1);
    expect(clock.waits).toEqual([100]);
    clock.advance(100);
    await expect(hasty).rejects.toMatchObject({
      code: "timeout",
      shortMessage: "no answer to packAddress in 100 ms",
      method: "packAddress",
    });
    answer();
    expect(await patient).toEqual(pack);
  });
});

describe("a deadline beyond the range of timers", () => {
  it.each([Number.POSITIVE_INFINITY, 2 ** 31])("%d ms, does not come at once", async (timeoutMs) => {
    // Later than a timer that fires immediately.
    const { url } = await serve((...asked) => setTimeout(() => answerAll()(...asked), 5));
    const caller = createCaller({ transport: http(url), timeoutMs });
    const calls = [caller.call("packAddress", { address: "1" }), clientOf(url, { timeoutMs }).rpc.ping()];
    expect(await outcomes(calls)).toEqual([pack, { method: "rpc.ping", params: {} }]);
    caller.close();
  });
});

describe("the minimal client", () => {
  it("makes calls one by one, with deadline and signal", async () => {
    const { url, requests, asked, answer, gone } = await patientServer();
    const caller = createCaller({ transport: http(url), apiKey: "key" });
    const calls = [
      caller.call("packAddress", { address: "1" }),
      caller.call("packAddress", { address: "1" }),
    ];
    await asked(2);
    answer();
    expect(await Promise.all(calls)).toEqual([pack, pack]);
    expect(requests.map(({ headers, body }) => [headers["x-api-key"], Array.isArray(body)])).toEqual([
      ["key", false],
      ["key", false],
    ]);
    const controller = new AbortController();
    const left = outcomes([caller.call("rpc.ping", {}, { signal: controller.signal })]);
    await asked(3);
    controller.abort();
    expect(await left).toEqual(["aborted"]);
    await until("the end of the request", () => gone.length === 1);
    expect(await outcomes([caller.call("rpc.ping", {}, { signal: controller.signal })])).toEqual(["aborted"]);
    expect(await outcomes([caller.call("rpc.ping", {}, { timeoutMs: 1 })])).toEqual(["timeout"]);
    const last = outcomes([caller.call("rpc.ping")]);
    caller.close();
    expect(await last).toEqual(["closed"]);
  });
});
