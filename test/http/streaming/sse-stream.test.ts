import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { SseStream } from "../../../server/http/streaming/sse-stream.js";
import { SentEvent } from "../../../server/stream/subscriptions/sent-event.js";
import { until } from "../../helpers/until.js";

it("a stream is full while its client does not read, and has room again once it has read", async () => {
  const streams: SseStream[] = [];
  let drained = 0;
  let spent = 0;
  const server = createServer((_, response) => {
    response.writeHead(200);
    const plan = { name: "unlimited", limit: undefined };
    const caller = { id: "somebody", plan, devnetRefusal: undefined };
    const spend = (bytes: number) => {
      spent += bytes;
    };
    const place = { isSlowed: false, spend };
    const stream = new SseStream({ response, caller, place, maxUnsentBytes: 100_000 });
    response.on("drain", () => drained++);
    streams.push(stream);
    stream.begin(undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.pause();
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await until("the stream", () => streams.length === 1);
  const [stream] = streams as [SseStream];
  const json = JSON.stringify("x".repeat(50_000));
  // The operating system takes some megabytes.
  let sent = 0;
  for (; !stream.isFull; sent++) {
    stream.send(new SentEvent({ json }));
    await new Promise(setImmediate);
  }
  expect(sent).toBeGreaterThan(1);
  expect(spent).toBeGreaterThan(sent * json.length);
  let received = 0;
  client.on("data", ({ length }) => {
    received += length;
  });
  client.resume();
  await until("room", () => drained > 0 && !stream.isFull);
  stream.end();
  await until("all of it", () => received > sent * json.length);
});
