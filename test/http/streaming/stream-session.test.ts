import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { StreamSession } from "../../../server/http/streaming/stream-session.js";
import type { Hub } from "../../../server/stream/hub.js";
import { SentEvent } from "../../../server/stream/subscriptions/sent-event.js";
import { openSocket } from "../../helpers/http/socket.js";
import { until } from "../../helpers/until.js";

const limits = {
  ...{ maxRunning: 64, maxUnsentBytes: 100_000, slowReaderMs: 30_000, silenceMs: 60_000, pongMs: 60_000 },
  ...{ maxRefusals: 10, maxPauses: 5, maxPings: 30 },
};

it("a WebSocket that reads nothing for too long is closed with 1013, and one that reads slowly is not", async () => {
  let time = 0;
  const sessions: StreamSession[] = [];
  const server = createServer().listen(0, "127.0.0.1");
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (webSocket, { socket }) => {
    sessions.push(
      new StreamSession({
        ...{ webSocket, connection: socket, actionsVersion: undefined, limits, now: () => time },
        caller: {
          id: "somebody",
          plan: { name: "unlimited", limit: undefined },
          devnetRefusal: undefined,
        },
        hub: {} as Hub,
        access: { spend: async () => ({ granted: 1, retryAfterSec: 0 }) } as never,
        place: { isSlowed: false, spend() {}, leave() {} } as never,
        refresh: () => undefined,
        onDefect: (error) => {
          throw error;
        },
      }),
    );
  });
  await once(server, "listening");
  onTestFinished(() => {
    sockets.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const socket = await openSocket(url, { path: "/" });
  socket.raw.pause();
  await until("the session", () => sessions.length === 1);
  const [session] = sessions as [StreamSession];
  const json = JSON.stringify("x".repeat(50_000));
  // The operating system takes some megabytes.
  const fill = async () => {
    while (!session.isFull) {
      session.send(new SentEvent({ json }));
      await new Promise(setImmediate);
    }
  };
  await fill();
  session.watch();
  time += 29_999;
  session.watch();
  expect(socket.raw.readyState).toBe(socket.raw.OPEN);
  // It reads some, so that it is not slow for a while.
  socket.raw.resume();
  await until("it to have read", () => !session.isFull);
  socket.raw.pause();
  session.watch();
  await fill();
  session.watch();
  time += 29_999;
  session.watch();
  time += 1;
  session.watch();
  socket.raw.resume();
  expect(await socket.closed).toEqual({ code: 1013, reason: "slow consumer" });
});
