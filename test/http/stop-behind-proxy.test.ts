import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { plainImplementations, plainRegistry, startApp } from "../helpers/http/app.js";
import { until } from "../helpers/until.js";

it("a service that stops answers a call on a proxy's idle connection, and ends the connection with the answer", async () => {
  const app = await startApp({
    registry: plainRegistry,
    implementations: plainImplementations,
    idleMs: 60_000,
  });
  const { port } = new URL(app.url);
  const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
  const gone = once(socket, "close");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
  const head = [
    "POST /jsonRPC HTTP/1.1",
    "Host: x",

    `Content-Length: ${body.length}`,
  ];
  const ask = async () => {
    let answer = "";
    const add = (text: string) => {
      answer += text;
    };
    socket.on("data", add).write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await until("the answer", () => answer.endsWith("}"));
    socket.off("data", add);
    return answer;
  };
  expect(await ask()).toMatch(/^HTTP\/1.1 200 OK[\s\S]*\r\nConnection: keep-alive\r\n[\s\S]*"pong"/);
  const closed = app.close(120_000);
  await until("the end of listening", () => !app.server.listening);
  expect(await ask()).toMatch(/^HTTP\/1.1 200 OK[\s\S]*\r\nConnection: close\r\n[\s\S]*"pong"/);
  await gone;
  await closed;
});
