import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createListener } from "../../server/http/listener.js";
import { freePort } from "../helpers/free-port.js";
import { until } from "../helpers/until.js";

async function listen(
  handler: RequestListener,
  options: { port?: number; slowReaderMs?: number; idleMs?: number; newMs?: number } = {},
) {
  const listener = createListener({ host: "127.0.0.1", port: 0, handler, ...options });
  const url = await listener.listen();
  onTestFinished(async () => void (await listener.close(0)));
  return { listener, url };
}

/** A call that stays unanswered until `answer` is called. */
function heldBack() {
  let answer = () => {};
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const handler: RequestListener = (_, response) => {
    answer = () => response.end("late");
    arrive();
  };
  return { handler, arrived, answer: () => answer() };
}

describe("a listener", () => {
  it("cuts a connection that does not read its answer, and none whose call takes long", async () => {
    let cut = () => {};
    const isCut = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const handler: RequestListener = async (request, response) => {
      if (request.url === "/large") {
        response.on("close", cut);
        response.end(Buffer.alloc(64 * 1024 * 1024));
        return;
      }
      response.write("slow");
      await isCut;
      response.end("ly");
    };
    const { url } = await listen(handler, { slowReaderMs: 30 });
    const slow = fetch(url).then((answer) => answer.text());
    const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
    socket.on("error", () => {}).write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    await isCut;
    expect(await slow).toBe("slowly");
    socket.destroy();
  });
});

describe("a listener that closes", () => {
  it("answers the call in flight and takes no other", async () => {
    const { handler, arrived, answer } = heldBack();
    const { listener, url } = await listen(handler, { port: await freePort() });
    const call = fetch(url);
    await arrived;
    const closed = listener.close(60_000);
    await expect(fetch(url)).rejects.toThrow();
    answer();
    expect(await (await call).text()).toBe("late");
    await closed;
  });

  it("does not wait for connections without a call", async () => {
    const { listener, url } = await listen((_, response) => response.end("ok"));
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const gone = once(socket, "close");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    await listener.close(60_000);
    await gone;
  });

  it("answers requests on connections that a proxy has open already, and ends them with the answer", async () => {
    const { listener, url } = await listen((_, response) => response.end("ok"), { idleMs: 60_000 });
    const port = Number(new URL(url).port);
    const open = async () => {
      const socket = connect(port, "127.0.0.1").setEncoding("utf8");
      await once(listener.server, "connection");
      return socket;
    };
    const request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
    const [used, spare] = [await open(), await open()];
    used.write(request);
    expect((await once(used, "data"))[0]).toContain("Connection: keep-alive");
    const closed = listener.close(120_000);
    await until("the end of listening", () => !listener.server.listening);
    await expect(fetch(url)).rejects.toThrow();
    for (const socket of [used, spare]) {
      const gone = once(socket, "close");
      socket.write(request);
      const [answer] = await once(socket, "data");
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*ok/);
      await gone;
    }
    expect(await closed).toBe(0);
  });

  it("closes connections that a proxy does not use any more", async () => {
    const { listener, url } = await listen((_, response) => response.end("ok"), { idleMs: 50, newMs: 50 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const gone = once(socket, "close");
    await once(listener.server, "connection");
    expect(await listener.close(120_000)).toBe(0);
    await gone;
  });

  it("answers the request of a connection that was accepted the moment before", async () => {
    const { listener, url } = await listen((_, response) => response.end("ok"), { newMs: 60_000 });
    const fresh = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
    await once(listener.server, "connection");
    const closed = listener.close(120_000);
    await until("the end of listening", () => !listener.server.listening);
    // Timers end in the order of their times: the listener has looked for idle connections before.
    await new Promise((resolve) => setTimeout(resolve, 100));
    fresh.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await once(fresh, "data"))[0]).toMatch(/^HTTP\/1.1 200 OK/);
    expect(await closed).toBe(0);
  });

  it("does not wait for connections that were opened ahead of a call", async () => {
    const { listener, url } = await listen((_, response) => response.end("ok"), { newMs: 50 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const gone = once(socket, "close");
    await once(listener.server, "connection");
    await listener.close(60_000);
    await gone;
  });

  it("cuts calls that take longer than it is willing to wait", async () => {
    const { handler, arrived } = heldBack();
    const { listener, url } = await listen(handler);
    const call = fetch(url).then(
      () => "answered",
      () => "cut",
    );
    await arrived;
    expect(await listener.close(50)).toBe(1);
    expect(await call).toBe("cut");
  });
});

it("a listener reports a port that is taken", async () => {
  const { url } = await listen((_, response) => response.end());
  const second = createListener({ host: "127.0.0.1", port: Number(new URL(url).port), handler: () => {} });
  await expect(second.listen()).rejects.toThrow("EADDRINUSE");
  await second.close(0);
});
