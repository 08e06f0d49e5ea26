import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient, http } from "../../client/index.js";
import { plainImplementations, plainRegistry, startApp } from "../helpers/http/app.js";
import { clientOf, echo, outcomes, type RpcRequest, serve } from "../helpers/peers/rpc-server.js";
import { until } from "../helpers/until.js";

const ask = (client: ReturnType<typeof clientOf>, count: number) =>
  Array.from({ length: count }, (_, n) => client.packAddress({ address: `${n}` }));

describe("streamed answers", () => {
  it("are requested, and arrive one by one as they are ready, in any order", async () => {
    let response: ServerResponse | undefined;
    let calls: RpcRequest[] = [];
    const { url, requests } = await serve(({ body }, opened) => {
      opened.writeHead(200, { "Content-Type": "application/jsonl" }).flushHeaders();
      [response, calls] = [opened, body as RpcRequest[]];
    });
    const arrived: number[] = [];
    const answers = ask(clientOf(url, { stream: true }), 3).map((answer, n) =>
      answer.then(() => arrived.push(n)),
    );
    await until("the request", () => response);
    const line = (n: number) => `${JSON.stringify(echo(calls[n]!))}\n`;
    response!.write(`${line(2)}\n${line(0).slice(0, 20)}`);
    await until("the first answer", () => arrived.length === 1);
    response!.end(`${line(0).slice(20)}${line(1).trim()}`);
    await Promise.all(answers);
    expect(arrived).toEqual([2, 0, 1]);
    expect(requests[0]!.headers.accept).toBe("application/jsonl, application/json;q=0.9");
  });

  it("that end too early fail the calls without one", async () => {
    const { url } = await serve(({ body }, response) => {
      const [first] = body as RpcRequest[];
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      response.end(`${JSON.stringify(echo(first!))}\nnonsense\nnull\n[]\n`);
    });
    const [first, ...others] = await outcomes(ask(clientOf(url, { stream: true }), 3));
    expect([first, others]).toEqual([
      { method: "packAddress", params: { address: "0" } },
      ["missing-answer", "missing-answer"],
    ]);
  });

  it("that are too long in all are cut off", async () => {
    let rest = () => {};
    const { url } = await serve(({ body }, response) => {
      const [first] = body as RpcRequest[];
      response.writeHead(200, { "Content-Type": "application/jsonl" });
      response.write(`${JSON.stringify(echo(first!))}\n`);
      rest = () => response.end("x".repeat(100_000));
    });
    const [first, second] = ask(clientOf(url, { stream: true, maxAnswerBytes: 50_000 }), 2);
    const late = outcomes([second!]);
    expect(await first).toEqual({ method: "packAddress", params: { address: "0" } });
    rest();
    expect(await late).toEqual(["answer-too-large"]);
  });

  it("come from the service of this package", async () => {
    const app = await startApp({ registry: plainRegistry, implementations: plainImplementations });
    onTestFinished(() => app.close());
    const types: (string | null)[] = [];
    const noted: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      types.push(response.headers.get("content-type"));
      return response;
    };
    const client = createClient({ transport: http(`${app.url}/jsonRPC`, { stream: true, fetch: noted }) });
    onTestFinished(() => client.close());
    const raw = (n: number) => `0:${String(n).padStart(64, "0")}`;
    const packed = await Promise.all(
      Array.from({ length: 60 }, (_, n) => client.packAddress({ address: raw(n) })),
    );
    const unpacked = await Promise.all(packed.map((address) => client.unpackAddress({ address })));
    expect(unpacked).toEqual(packed.map((_, n) => raw(n)));
    expect(new Set(types)).toEqual(new Set(["application/jsonl"]));
    expect(types).toHaveLength(4);
  });
});
