import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, refusedHandshake } from "../helpers/http/socket.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ index: true, anonymousRps: "unlimited" });
});
afterAll(() => service.close());

const path = "/api/v3/debug/dap";
type Message = {
  type: string;
  event?: string;
  request_seq?: number;
  success?: boolean;
  message?: string;
  body?: unknown;
};

async function open() {
  const socket = await openSocket(service.url, { path });
  let seq = 0;
  const events: Message[] = [];
  /** The response to a request; events that came before are kept. */
  const ask = async (command: string, args: object = {}): Promise<Message> => {
    socket.send({ seq: ++seq, type: "request", command, arguments: args });
    for (;;) {
      const message = (await socket.next()) as Message;
      if (message.type === "response") return message;
      events.push(message);
    }
  };
  return { socket, ask, events };
}

describe("/api/v3/debug/dap", () => {
  it("debugs a get-method over a WebSocket, a message per frame", async () => {
    const { socket, ask } = await open();
    const { body } = await ask("initialize", { adapterID: "tolk" });
    expect(body).toMatchObject({ supportsStepBack: true });
    expect(await socket.next()).toMatchObject({ event: "initialized" });
    const { giver } = await service.run<{ giver: string }>("devnet.info").catch(() => ({ giver: "" }));
    const address = giver || `-1:${"3".repeat(64)}`;
    const launched = await ask("launch", {
      getMethod: { address, method: "active_election_id" },
      stopOn: "entry",
    });
    expect(launched).toMatchObject({ success: true });
    await ask("configurationDone");
    expect(await socket.next()).toMatchObject({ event: "stopped", body: { reason: "entry" } });
    const trace = await ask("stackTrace", { threadId: 1 });
    expect(trace.body).toMatchObject({ stackFrames: [{ line: 0, presentationHint: "subtle" }] });
    expect(await ask("stepIn", { threadId: 1 })).toMatchObject({ success: true });
    expect(await socket.next()).toMatchObject({ event: "stopped", body: { reason: "step" } });
    const value = await ask("evaluate", { expression: "step" });
    expect(value.body).toMatchObject({ result: "1" });
    expect(await ask("disconnect")).toMatchObject({ success: true });
    expect(await socket.closed).toMatchObject({ code: 1000 });
  });

  it("refuses what it cannot do, and goes on", async () => {
    const { ask, socket } = await open();
    expect(await ask("threads")).toMatchObject({
      success: false,
      message: expect.stringContaining("launch"),
    });
    for (const [args, text] of [
      [{}, "exactly one of"],
      [{ transaction: "ab".repeat(32) }, "transaction was not found"],
      [{ transaction: "x" }, "hash"],
      [{ transaction: "ab".repeat(32), service: "http://127.0.0.1:1" }, "those of the connection"],
      [{ getMethod: { address: "nobody", method: "x" } }, "address"],
      [{ transaction: 5 }, "transaction"],
      [{ transaction: "ab".repeat(32), sourcemap: "x" }, "sourcemap is no argument of launch; allowed: "],
      [{ transaction: "ab".repeat(32), abi: "/etc/passwd" }, "a service reads no files"],
      [{ transaction: "ab".repeat(32), abi: { abi_schema_version: "9" } }, "abi is not used: the schema"],
      [
        { transaction: "ab".repeat(32), sourceMap: '{"a":1}' },
        "sourceMap is not used: its format is not known",
      ],
      [{ transaction: "ab".repeat(32), network: "mainnet" }, "the service is of devnet, not of mainnet"],
      [{ transaction: "ab".repeat(32), network: "ton" }, "network"],
    ] as const)
      expect(await ask("launch", args)).toMatchObject({
        success: false,
        message: expect.stringContaining(text),
      });
    expect(await ask("setVariable", {})).toMatchObject({ success: false });
    expect(await ask("__proto__", {})).toMatchObject({ success: false });
    expect(await ask("initialize")).toMatchObject({ success: true });
    socket.close();
  });

  it.each([
    ["text that is no JSON", "{"],
    ["an event", '{"seq":1,"type":"event","event":"x"}'],
    ["a request without a number", '{"type":"request","command":"threads"}'],
    [
      "nested arguments",
      `{"seq":1,"type":"request","command":"x","arguments":${'{"a":'.repeat(40)}1${"}".repeat(41)}`,
    ],
  ])("closes the connection after %s", async (_, text) => {
    const { socket } = await open();
    socket.send(text);
    expect(await socket.closed).toMatchObject({ code: 1008 });
  });

  it("bounds connections, breakpoints and expressions", async () => {
    const opened = await Promise.all(Array.from({ length: 16 }, open));
    expect((await refusedHandshake(service.url, { path })).status).toBe(429);
    const { ask } = opened[0]!;
    await ask("launch", {
      getMethod: { address: `-1:${"3".repeat(64)}`, method: "active_election_id" },
    });
    const breakpoints = Array.from({ length: 900 }, (_, line) => ({ line }));
    const source = { name: "a.fc" };
    expect(await ask("setBreakpoints", { source, breakpoints })).toMatchObject({
      success: false,
      message: expect.stringContaining("breakpoints"),
    });
    const decodes = ["decode(c4, Storage)", "decode(1, A)", "decode(c4", "decode()", "decode(c4, )"];
    for (const expression of [
      "1+",
      "x".repeat(2000),
      "(".repeat(500),
      "s0.x.y",
      "a".repeat(200_000),
      ...decodes,
    ])
      expect(await ask("evaluate", { expression })).toMatchObject({ success: false });
    expect(await ask("evaluate", { expression: "(1 < 2) && !(null == 3)" })).toMatchObject({
      body: { result: "true" },
    });
    expect(await ask("variables", { variablesReference: 999 })).toMatchObject({ success: false });
    expect(await ask("disassemble", { memoryReference: "x", instructionCount: 1_000_000 })).toMatchObject({
      body: { instructions: expect.objectContaining({ length: 2000 }) },
    });
    const closed = opened.map(({ socket }) => socket.closed);
    for (const { socket } of opened) socket.close();
    await Promise.all(closed);
  });

  it("answers a plain request with what it needs", async () => {
    expect((await fetch(service.url + path)).status).toBe(426);
  });
});
