import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { currentAnswer } from "../../server/http/node-members.js";

const request = "GET / HTTP/1.1\r\nHost: x\r\n";
const upgrade = `${request}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

/** Sends the requests together; resolves with the received bytes when the connection closes. */
async function answersOf(server: Server, ...requests: string[]): Promise<string> {
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    let answers = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(requests.join("")));
    socket.setEncoding("utf8").on("data", (text) => {
      answers += text;
    });
    socket.on("close", () => resolve(answers));
  });
}

it("a connection knows the answer that it is sending, and has none once that is sent", async () => {
  let held: ServerResponse | undefined;
  const seen: boolean[] = [];
  const server = createServer((_, response) => {
    held = response;
  });
  server.on("upgrade", (_, socket) => {
    seen.push(currentAnswer(socket) === held);
    held!.once("close", () => {
      seen.push(currentAnswer(socket) === null);
      socket.destroy();
    });
    held!.end();
  });
  await answersOf(server, `${request}\r\n`, upgrade);
  expect(seen).toEqual([true, true]);
});

it("a connection that has sent no answer has none", async () => {
  const seen: unknown[] = [];
  const server = createServer().on("upgrade", (_, socket) => {
    seen.push(currentAnswer(socket) ?? "none");
    socket.destroy();
  });
  await answersOf(server, upgrade);
  expect(seen).toEqual(["none"]);
});
