import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveFramed } from "../../server/debug-adapter/framed-session.js";
import { framed } from "../../server/debug-adapter/framing.js";
import { noLocalSources } from "../../server/debug-adapter/local-sources.js";
import { type Counter, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";
import { projectWith } from "../helpers/debug/project.js";
import { CommandHere, tonwireHere } from "../helpers/services/command-here.js";

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

/** In the project each line of the contract is one further down. */
const sources = Object.fromEntries(
  funcCounter.snapshot.map(({ filename, content }) => [
    filename,
    filename === "counter.fc" ? `#include "stdlib.fc";\n${content}` : content,
  ]),
);

async function portOf(...args: string[]): Promise<number> {
  const command = new CommandHere(["debug", "--port", "0", "--url", counter.service.url, ...args]);
  return Number(await command.printed(/listens on 127\.0\.0\.1:(\d+)/));
}

/** What an adapter answers to bytes until it closes the connection. */
async function answerTo(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  // A connection that is cut while it is written to.
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

describe("tonwire debug --port", () => {
  it("has the lines and functions of a project, in the files of this machine", async () => {
    const project = projectWith(sources, ["@ton-community/func-js"]);
    const editor = await Editor.open(counter.service, "--project", project);
    const path = join(project, "counter.fc");
    const line = lineOf("i += twice(i) + 1") + 1;
    await editor.launch({ transaction: counter.transactions.loops, stopOn: "entry" }, async () => {
      const asked = { source: { path }, breakpoints: [{ line }] };
      const { body } = await editor.client.setBreakpointsRequest(asked);
      expect(body.breakpoints).toMatchObject([{ verified: true, line, source: { path } }]);
    });
    expect(editor.output.join("")).toMatch(/^counter\.fc, recompiled here by @ton-community\/func-js/m);
    await editor.move("continue");
    expect((await editor.frames())[0]).toMatchObject({ name: "recv_internal", line, source: { path } });
    await editor.move("stepIn");
    expect(await editor.frames()).toMatchObject([{ name: "twice" }, { name: "recv_internal", line }]);
  });

  it("has paths of a map in the launch, and those that an editor names", async () => {
    const editor = await Editor.open(counter.service);
    const path = "/home/ann/contracts/counter.fc";
    const launched = {
      transaction: counter.transactions.fails,
      pathMap: { "counter.": "/home/bob/counter." },
    };
    await editor.launch(launched);
    expect((await editor.frames())[0]!.source).toEqual({ name: "counter.fc", path: "/home/bob/counter.fc" });
    const other = await Editor.open(counter.service);
    await other.launch({ transaction: counter.transactions.fails }, () =>
      other.client.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: lineOf("int op") }] }),
    );
    expect((await other.frames())[0]!.source).toEqual({ name: "counter.fc", path });
  });

  it("reads no requests of pages, and no long or malformed messages", async () => {
    const port = await portOf();
    const body = JSON.stringify({ seq: 1, type: "request", command: "initialize" });
    const length = `Content-Length: ${body.length}`;
    expect(await answerTo(port, `POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n${body}`)).toBe("");
    expect(await answerTo(port, `${"x".repeat(500)}`)).toBe("");
    expect(await answerTo(port, "Content-Length: 99999999\r\n\r\n")).toBe("");
    expect(await answerTo(port, framed("{"))).toBe("");
    expect(await answerTo(port, framed('{"seq":1,"type":"request","command":7}'))).toBe("");
    const editor = await Editor.connect(port);
    expect((await editor.client.initializeRequest()).success).toBe(true);
  });

  it("bounds its connections", async () => {
    const port = await portOf();
    await Promise.all(Array.from({ length: 8 }, () => Editor.connect(port)));
    expect(await answerTo(port, "")).toBe("");
  });

  it("takes no hash, and names what is missing", async () => {
    const hash = counter.transactions.fails;
    expect(await tonwireHere(["debug", "--port", "0", "--", hash])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("leave out the hash"),
    });
    expect(await tonwireHere(["debug"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("name a transaction"),
    });
    expect(await tonwireHere(["debug", "--port", "0", "--stdio"])).toMatchObject({ code: 2 });
    const editor = await Editor.connect(await portOf());
    await editor.client.initializeRequest();
    const service = { service: "http://127.0.0.1:1", transaction: hash };
    await expect(editor.client.launchRequest(service as object)).rejects.toThrow("no service answers");
  });
});

describe("framed messages", () => {
  it("are read however they are cut, and answered in their order", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const call = () => Promise.reject(new Error("not asked"));
    const served = serveFramed({ input, output }, { serviceOf: () => call, local: noLocalSources });
    const asked = ["initialize", "threads", "disconnect"].map((command, at) =>
      framed(JSON.stringify({ seq: at + 1, type: "request", command })),
    );
    for (const byte of Buffer.concat(asked)) input.write(Buffer.from([byte]));
    await served;
    const text = String(output.read());
    const answers = text
      .split(/Content-Length: \d+\r\n\r\n/)
      .slice(1)
      .map((each) => JSON.parse(each));
    expect(answers).toMatchObject([
      { request_seq: 1, success: true },
      { event: "initialized" },
      { request_seq: 2, success: false, message: expect.stringContaining("launch") },
      { request_seq: 3, success: true },
    ]);
  });
});
