import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
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

const two = (client: ReturnType<typeof clientOf>) => [
  client.call("packAddress", { address: "1" }),
  client.call("packAddress", { address: "2" }),
];

describe("a server that", () => {
  it("takes the connection and hangs up, is a failure of the network", async () => {
    const { url } = await serve((_, __, socket) => socket.destroy());
    const error = await clientOf(url)
      .rpc.ping()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "network", retryable: true, unsent: false });
    expect(error.message).toMatch(/^no answer from /);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it("hangs up after the head, within the body or within a line fails the calls without an answer only", async () => {
    const starts = ["", '[{"jsonrpc":"2.0","id":1,', '[{"jsonrpc":"2.0","id":1,"result":1}'];
    for (const start of starts) {
      const { url } = await serve((_, response, socket) => {
        response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
        response.write(start, () => socket.destroy());
        if (start === "") response.flushHeaders();
      });
      expect(await outcomes(two(clientOf(url)))).toEqual(["network", "network"]);
    }
    let hangUp = () => {};
    const { url } = await serve(({ body }, response, socket) => {
      response.writeHead(200, { "Content-Type": "application/jsonl" });
      response.write(`${JSON.stringify(echo((body as RpcRequest[])[1]!))}\n{"jsonrpc":"2.0","id`);
      hangUp = () => socket.destroy();
    });
    const [first, second] = two(clientOf(url, { stream: true }));
    const missing = outcomes([first!]);
    expect(await second).toEqual({ method: "packAddress", params: { address: "2" } });
    hangUp();
    expect(await missing).toEqual(["network"]);
  });

  it("is not there, is reported as not reached", async () => {
    await expect(clientOf(await nowhere()).rpc.ping()).rejects.toMatchObject({
      code: "network",
      unsent: true,
    });
  });

  it("sends ten megabytes, is read", async () => {
    const { url } = await serve((_, response) =>
      sendJson(response, { jsonrpc: "2.0", id: 1, result: "x".repeat(10_000_000) }),
    );
    expect((await clientOf(url, { timeoutMs: 0 }).call("a.b")) as string).toHaveLength(10_000_000);
  });

  it("sends too much, is cut off, compressed or not", async () => {
    let written = 0;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const flood = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) written += 65_536;
      };
      response.on("drain", flood);
      flood();
    });
    const client = clientOf(url, { maxAnswerBytes: 1_000_000 });
    await expect(client.rpc.ping()).rejects.toMatchObject({
      code: "answer-too-large",
      shortMessage: "answer above 1000000 bytes",
    });
    expect(written).toBeLessThan(50_000_000);
    const bomb = await serve((_, compressed) => {
      compressed.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(20_000_000, "x")));
    });
    expect(await outcomes([clientOf(bomb.url).rpc.ping()])).toEqual(["answer-too-large"]);
  });

  it("drips forever, is abandoned at the deadline", async () => {
    const clock = new FakeClock();
    let left = false;
    let dripping = false;
    const { url } = await serve((_, response) => {
      response.on("close", () => {
        left = true;
      });
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write("[ ", () => {
        dripping = true;
      });
    });
    const calls = outcomes(two(clientOf(url, { clock })));
    await until("the first drop", () => dripping);
    clock.advance(14_999);
    expect(clock.waits).toEqual([1]);
    clock.advance(1);
    expect(await calls).toEqual(["timeout", "timeout"]);
    await until("the end of the request", () => left);
    expect(clock.waits).toEqual([]);
  });

  it("never answers, costs nothing once the client is closed", async () => {
    let left = false;
    const { url, requests } = await serve((_, response) => {
      response.on("close", () => {
        left = true;
      });
    });
    const clock = new FakeClock();
    const client = clientOf(url, { clock });
    const calls = outcomes(two(client));
    await until("the request", () => requests.length === 1);
    client.close();
    expect(await calls).toEqual(["closed", "closed"]);
    await until("the end of the request", () => left);
    expect(await outcomes(two(client))).toEqual(["closed", "closed"]);
    expect([requests.length, clock.waits]).toEqual([1, []]);
  });

  it("sends broken UTF-8 and deep nesting, is read or refused in words", async () => {
    const { url } = await serve((_, response) => {
      response.end(
        Buffer.concat([
          Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
          Buffer.from([0xff]),
          Buffer.from('"}'),
        ]),
      );
    });
    expect(await clientOf(url).call("a.b")).toBe("\ufffd");
    const deep = await serve((_, response) => response.end("[".repeat(100_000)));
    expect(await outcomes([clientOf(deep.url).rpc.ping()])).toEqual(["bad-answer"]);
  });
});
