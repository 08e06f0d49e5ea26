import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveFramed } from "../../server/debug-adapter/framed-session.js";
import { framed } from "../../server/debug-adapter/framing.js";
import { noLocalSources } from "../../server/debug-adapter/local-sources.js";
import { TcpTable } from "../../server/os/tcp-table.js";
import { type Counter, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";
import { projectWith } from "../helpers/debug/project.js";
import { canChangeUser, otherUser } from "../helpers/other-users.js";
import { CommandHere, tonwireHere } from "../helpers/services/command-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

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

const serving = () => ["debug", "--port", "0", "--url", counter.service.url];
const listening = /listens on 127\.0\.0\.1:(\d+)/;

async function portOf(...args: string[]): Promise<number> {
  const command = new CommandHere([...serving(), ...args]);
  return Number(await command.printed(listening));
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

/** As a program of a user: sends bytes, and prints what comes first. */
const ask = `
const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1");
socket.on("error", () => {});
socket.on("data", (answer) => { process.stdout.write(answer); socket.destroy(); });
socket.write(Buffer.from(process.argv[2], "base64"));
`;

async function answerAs(user: number, port: number, bytes: Buffer): Promise<string> {
  const program = spawn(process.execPath, ["--eval", ask, String(port), bytes.toString("base64")], {
    stdio: ["ignore", "pipe", "inherit"],
    ...{ cwd: "/", uid: user, gid: user },
  });
  let text = "";
  program.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await once(program, "close");
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

  it.skipIf(!canChangeUser)("disconnects the programs of other users", async () => {
    const command = new CommandHere(serving());
    const port = await command.printed(listening);
    const asking = framed(JSON.stringify({ seq: 1, type: "request", command: "initialize" }));
    expect(await answerAs(otherUser, Number(port), asking)).toBe("");
    await until("the line about it", () =>
      command.stderr.includes(`a program of the user ${otherUser} was disconnected`),
    );
    expect(String(await answerAs(0, Number(port), asking))).toContain('"success":true');
  });

  it("needs its token where the kernel does not show whose connections these are", async () => {
    const command = new CommandHere(serving(), { tcpTable: new TcpTable([]) });
    const port = Number(await command.printed(listening));
    const token = await command.printed(/"token": "([0-9a-f]{32})"/);
    const asked = { transaction: counter.transactions.fails, abi: join(temporaryFolder(), "none.json") };
    const { client } = await Editor.connect(port);
    await client.initializeRequest();
    for (const wrong of [{}, { token: "" }, { token: "0".repeat(32) }])
      await expect(client.launchRequest({ ...asked, ...wrong } as object)).rejects.toThrow("needs the token");
    await expect(client.launchRequest({ ...asked, token } as object)).rejects.toThrow("cannot be read");
    const { abi: _, ...launched } = asked;
    expect((await client.launchRequest({ ...launched, token } as object)).success).toBe(true);
  });

  it("reads no file of another folder by a link", async () => {
    const folder = temporaryFolder();
    const elsewhere = join(temporaryFolder(), "private.txt");
    writeFileSync(elsewhere, "a secret first line");
    symlinkSync(elsewhere, join(folder, "abi.json"));
    const { client } = await Editor.connect(await portOf("--project", folder));
    await client.initializeRequest();
    for (const abi of ["abi.json", join(folder, "abi.json")]) {
      const launched = client.launchRequest({ transaction: counter.transactions.fails, abi } as object);
      await expect(launched).rejects.toThrow("it is a link to a file of another folder");
    }
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
