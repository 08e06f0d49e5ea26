import { expect, it } from "vitest";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { openSocket } from "../../helpers/http/socket.js";
import { TestSubscriber } from "../../helpers/http/test-subscriber.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

it("Streams and sockets of both protocols end when a service stops, with the place to resume", async () => {
  const service = await startDevnetService({ index: true });
  await streamsReady(service);
  const { key, url } = service;
  const stream = RawEventStream.open(url, undefined, {
    method: "GET",
    path: "/api/streaming/events?kind=blocks",
    key,
  });
  const socket = await TestSubscriber.open(url, key);
  const { subscription } = await socket.subscribe({ kind: "blocks" });
  const watching = { types: ["transactions"], addresses: [`0:${"5A".repeat(32)}`] };
  const tonCenterStream = RawEventStream.open(url, watching, { key });
  const tonCenterSocket = await openSocket(url, { path: `/api/streaming/v2/ws?api_key=${key}` });
  tonCenterSocket.send({ operation: "subscribe", ...watching });
  expect(await tonCenterSocket.next()).toEqual({ status: "subscribed" });
  await until("the streams", () => stream.frames.length === 1 && tonCenterStream.frames.length === 1);

  await service.close();
  for (const { closed } of [socket.socket, tonCenterSocket])
    expect(await closed).toEqual({ code: 1001, reason: "Service is stopping" });
  expect(socket.of(subscription).at(-1)).toMatchObject({
    event: { type: "closing" },
    cursor: expect.any(String),
  });
  for (const each of [stream, tonCenterStream]) {
    await until("its end", () => each.isClosed);
    expect(each.isEnded).toBe(true);
  }
  expect(stream.frames.at(-1)).toMatch(/^id: [A-Za-z0-9_-]+\nevent: closing\ndata: \{"type":"closing"\}$/);
});
