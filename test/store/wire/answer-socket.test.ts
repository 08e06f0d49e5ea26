import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AnswerSocket } from "../../../server/store/wire/answer-socket.js";

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.close();
});

/** Bytes that a socket receives until the other side ends. `isLong` is its answer for each piece. */
async function receive(isLong: (piece: number) => boolean): Promise<Buffer> {
  const socket = new AnswerSocket();
  const received: Buffer[] = [];
  socket.receive = (bytes) => {
    received.push(Buffer.from(bytes));
    return isLong(received.length);
  };
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "close");
  return Buffer.concat(received);
}

async function send(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) if (!socket.write(piece)) await once(socket, "drain");
  socket.end();
}

test.each([
  ["long", () => true],
  ["short", () => false],
  ["long at times", (piece: number) => piece % 3 === 0],
])("several sockets receive all bytes of %s answers", async (_, isLong) => {
  const answers = [1, 700, 8192, 100_000].map((length) =>
    Array.from({ length: Math.ceil(500_000 / length) % 2000 }, () => randomBytes(length)),
  );
  server.on("connection", (socket) => void send(socket, waiting.shift()!));
  const waiting = [...answers];
  const received = await Promise.all(answers.map(() => receive(isLong)));
  const texts = (all: readonly Buffer[]) => all.map((bytes) => bytes.toString("base64")).sort();
  expect(texts(received)).toEqual(texts(answers.map((pieces) => Buffer.concat(pieces))));
});

test("a socket that is destroyed while it waits stays so", async () => {
  server.on("connection", (socket) => void send(socket, [randomBytes(100)]));
  const socket = new AnswerSocket();
  socket.receive = () => {
    socket.destroy();
    return true;
  };
  socket.connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "close");
  expect(socket.destroyed).toBe(true);
});
