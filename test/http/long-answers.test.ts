import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnswerLimits } from "../../server/rpc/answers/answer-budget.js";
import { defineMethod } from "../../shared/methods/define.js";
import { sized } from "../helpers/effort.js";
import { startApp, type TestApp } from "../helpers/http/app.js";
import { openSocket } from "../helpers/http/socket.js";
import { until } from "../helpers/until.js";

const text = defineMethod({
  summary: "A text of so many bytes.",
  group: "Test",
  params: z.object({ bytes: z.coerce.number().describe("How many.") }),
  result: z.string(),
  verbs: ["GET"],
  freshness: { kind: "none" },
  examples: [{ params: { bytes: 1 }, result: "x" }],
});
const change = defineMethod({
  ...text,
  summary: "A change that is answered with a text.",
  freshness: { kind: "effect" },
});
const registry = { text, change, v3: { text: defineMethod({ ...text }) } };

const megabyte = 1_000_000;
const call = (bytes: number, id: number, method = "text") => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { bytes },
});
const batch = (calls: number, bytes = megabyte) => Array.from({ length: calls }, (_, id) => call(bytes, id));
const answer = (bytes: number, id: number) => ({
  jsonrpc: "2.0",
  id,
  ok: true,
  result: "ä".repeat(bytes / 2),
});
const answers = (calls: number, bytes = megabyte) =>
  Array.from({ length: calls }, (_, id) => answer(bytes, id));

let app: TestApp;
let runs = 0;
afterEach(() => app.close(0));

async function start(limits: Partial<AnswerLimits> = {}, settings: { batchParallel?: number } = {}) {
  runs = 0;
  const run = async ({ bytes }: { bytes: number }) => {
    runs++;
    await turn();
    return "ä".repeat(bytes / 2);
  };
  app = await startApp({
    registry,
    implementations: { text: run, change: run, v3: { text: run } },
    answers: limits,
    // Every key is a caller.
    identify: ({ key = "somebody" }) => ({ id: key, plan: { name: "unlimited", limit: undefined } }),
    ...settings,
  });
}

/** Sends a request on a connection that is not read. */
async function sendUnread(body: unknown, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.on("error", () => {}).pause();
  await once(socket, "connect");
  socket.write(requestOf(body, headers));
  return socket;
}

function requestOf(body: unknown, headers: Record<string, string>): string {
  const bytes = JSON.stringify(body);
  const all = { Host: "x", "Content-Type": "application/json", "Content-Length": bytes.length, ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /jsonRPC HTTP/1.1\r\n${head.join("")}\r\n${bytes}`;
}

const allReleased = () => until("nothing is held", () => app.budget.held === 0);

describe("a long answer", () => {
  it("is written in one piece with its length if the whole is short", async () => {
    await start();
    const { headers, json } = await app.post("/jsonRPC", batch(10, 1000));
    expect([headers.has("content-length"), headers.get("transfer-encoding")]).toEqual([true, null]);
    expect(json).toEqual(answers(10, 1000));
  });

  it("lists the responses of a batch in their order, with notifications left out", async () => {
    await start();
    const mixed = [
      call(10, 0),
      call(megabyte, 1),
      { ...call(10, 2), id: undefined },
      call(megabyte, 3),
      call(20, 4),
    ];
    const { headers, json } = await app.post("/jsonRPC", mixed);
    expect(headers.get("transfer-encoding")).toBe("chunked");
    expect(json).toEqual([answer(10, 0), answer(megabyte, 1), answer(megabyte, 3), answer(20, 4)]);
    await allReleased();
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
    ["identity", (bytes: Buffer) => bytes],
  ])("is compressed as it is written: %s", async (encoding, unpack) => {
    await start();
    for (const body of [batch(5), call(megabyte, 7)]) {
      const socket = await sendUnread(body, { "Accept-Encoding": encoding, Connection: "close" });
      const chunks = await socket.toArray();
      const [head, bytes] = bodyOf(Buffer.concat(chunks));
      expect(/content-encoding: (\S+)/i.exec(head)?.[1] ?? "identity").toBe(encoding);
      expect(JSON.parse(String(unpack(bytes)))).toEqual(
        Array.isArray(body) ? answers(5) : answer(megabyte, 7),
      );
    }
    await allReleased();
  });

  it("is one message of a WebSocket, between those sent before and after it", async () => {
    await start();
    const socket = await openSocket(app.url);
    socket.send(call(10, 1));
    expect(await socket.next()).toEqual(answer(10, 1));
    socket.send(batch(5));
    expect(await socket.next()).toEqual(answers(5));
    socket.send(call(megabyte, 2));
    expect(await socket.next()).toEqual(answer(megabyte, 2));
    socket.send(call(10, 3));
    expect(await socket.next()).toEqual(answer(10, 3));
    await allReleased();
    socket.close();
  });

  it("is refused above the limit of one answer, with the advice to page", async () => {
    await start({ maxAnswerBytes: megabyte / 2 });
    const message = "answer is too large: at most 500000 bytes; use a smaller limit and page";
    const data = { code: 413, kind: "too-large", max: 500_000 };
    expect(await app.post("/jsonRPC", call(megabyte, 1))).toMatchObject({
      json: { id: 1, ok: false, error: { code: -32600, message, data } },
    });
    expect(await app.post("/api/v2/jsonRPC", call(megabyte, 1))).toMatchObject({
      status: 413,
      json: { ok: false, error: message, code: 413, id: 1 },
    });
    const v2 = await app.ask(`/api/v2/text?bytes=${megabyte}`);
    expect(v2).toMatchObject({ status: 413, json: { ok: false, error: message, code: 413 } });
    const v3 = await app.ask(`/api/v3/text?bytes=${megabyte}`);
    expect(v3).toMatchObject({ status: 413, json: { error: message } });
    const socket = await openSocket(app.url);
    socket.send(call(megabyte, 1));
    expect(await socket.next()).toMatchObject({ id: 1, error: { message, data } });
    expect(app.budget.held).toBe(0);
  });

  it("of an effect is never refused", async () => {
    await start({ maxAnswerBytes: 65_536, maxCallerBytes: 65_536 });
    const { json } = await app.post("/jsonRPC", [call(megabyte, 0, "change"), call(10, 1)]);
    expect(json).toEqual([answer(megabyte, 0), answer(10, 1)]);
  });
});

describe("any batch", () => {
  const entry = fc.record({
    bytes: fc.constantFrom(10, 1000, 65_536, 200_000, megabyte),
    isNotification: fc.boolean(),
    method: fc.constantFrom("text", "change", "nope"),
  });
  const limits = fc.record({
    maxAnswerBytes: fc.constantFrom(500_000, 50 * megabyte),
    maxCallerBytes: fc.constantFrom(500_000, 50 * megabyte),
    maxTotalBytes: fc.constantFrom(megabyte, 50 * megabyte),
    waitMs: fc.constant(0),
  });
  type Response = { id: number; ok: boolean; result?: string; error?: { data: { kind: string } } };

  it("is answered whole in every form: with results, or with errors for entries without room", async () => {
    const batches = fc.array(entry, { minLength: 1, maxLength: 40 });
    const property = async (
      entries: { bytes: number; method: string; isNotification: boolean }[],
      max: AnswerLimits,
      batchParallel: number,
    ) => {
      await start(max, { batchParallel });
      const calls = entries.map(({ bytes, method, isNotification }, id) => ({
        ...call(bytes, id, method),
        id: isNotification ? undefined : id,
      }));
      const ids = calls.flatMap(({ id }) => id ?? []);
      const check = (responses: Response[]) => {
        for (const { id, ok, result, error } of responses) {
          if (ok) expect(result?.length).toBe(entries[id]!.bytes / 2);
          else expect(["too-large", "unknown-method"]).toContain(error!.data.kind);
        }
        return responses.map(({ id }) => id);
      };
      const listed = await app.post("/jsonRPC", calls);
      expect(check((listed.json ?? []) as Response[])).toEqual(ids);
      const lines = await app.post("/jsonRPC", calls, { Accept: "application/jsonl" });
      const parsed = lines.text.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Response] : []));
      expect(check(parsed).sort((a, b) => a - b)).toEqual(ids);
      if (ids.length > 0) {
        const socket = await openSocket(app.url);
        socket.send(calls);
        expect(check((await socket.next()) as Response[])).toEqual(ids);
        socket.close();
      }
      await allReleased();
      await app.close(0);
    };
    await fc.assert(fc.asyncProperty(batches, limits, fc.integer({ min: 1, max: 20 }), property), {
      numRuns: sized(10, 40),
    });
  });
});

describe("the budget of an answer", () => {
  it("leaves the entries of a batch that fit, and refuses the others, most of them without running them", async () => {
    await start({ maxAnswerBytes: 5.5 * megabyte }, { batchParallel: 2 });
    const { status, json } = await app.post("/jsonRPC", batch(100));
    const entries = json as { id: number; ok: boolean; error?: { data: unknown } }[];
    expect([status, entries.map(({ id }) => id)]).toEqual([200, Array.from({ length: 100 }, (_, id) => id)]);
    expect(entries.slice(0, 5)).toEqual(answers(5));
    const data = { code: 413, kind: "too-large", max: 5.5 * megabyte };
    for (const entry of entries.slice(5)) expect(entry).toMatchObject({ ok: false, error: { data } });
    expect(runs).toBeLessThan(10);
    await allReleased();
  });

  it("lets entries run that are short", async () => {
    await start({ maxAnswerBytes: megabyte });
    const { json } = await app.post("/jsonRPC", [call(2 * megabyte, 0), ...batch(20, 100).slice(1)]);
    expect((json as unknown[]).slice(1)).toEqual(answers(20, 100).slice(1));
    expect(json).toMatchObject([
      { id: 0, error: { data: { kind: "too-large" } } },
      ...answers(20, 100).slice(1),
    ]);
  });
});

describe("an answer that is not read", () => {
  const crowded = { ok: false, error: { data: { code: 413, kind: "too-large", retry_after: 1 } } };
  const long = 10 * megabyte;
  /** A connection of a caller that leaves a long answer unread. */
  const leaveUnread = async (key: string) => {
    const { held } = app.budget;
    const socket = await sendUnread(call(long, 1), { "X-API-Key": key });
    await until("the answer is held", () => app.budget.held > held);
    return socket;
  };
  const ask = async (key: string, body: unknown = call(long, 1)) =>
    (await app.post("/jsonRPC", body, { "X-API-Key": key })).json;

  it.each([
    ["an array", {}],
    ["lines", { Accept: "application/jsonl" }],
  ])("stops its batch: %s", async (_, headers) => {
    await start({}, { batchParallel: 2 });
    const socket = await sendUnread(batch(100), headers);
    await until("something is held", () => app.budget.held > 0);
    for (let i = 0; i < 1000; i++) await turn();
    expect(runs).toBeLessThan(100);
    socket.destroy();
    await allReleased();
    expect(runs).toBeLessThan(100);
  });

  it("stops its batch on a WebSocket, and other batches of the connection", async () => {
    await start({}, { batchParallel: 2 });
    const { raw } = await openSocket(app.url);
    raw.pause();
    for (let i = 0; i < 10; i++) raw.send(JSON.stringify(batch(100)));
    await until("something is held", () => app.budget.held > 0);
    for (let i = 0; i < 1000; i++) await turn();
    raw.terminate();
    await allReleased();
    expect(runs).toBeLessThan(200);
  });

  it("leaves its caller no room for others, until it is read or given up", async () => {
    await start({ maxCallerBytes: 1.5 * long });
    const socket = await leaveUnread("a");
    expect(await ask("a")).toMatchObject(crowded);
    expect(await ask("a", call(10, 1))).toEqual(answer(10, 1));
    expect(await ask("b")).toEqual(answer(long, 1));
    socket.resume();
    await allReleased();
    expect(await ask("a")).toEqual(answer(long, 1));
    socket.destroy();
    (await leaveUnread("a")).destroy();
    await allReleased();
    expect(await ask("a")).toEqual(answer(long, 1));
  });

  it("leaves other callers as much room as its caller has taken", async () => {
    await start({ maxTotalBytes: 4.1 * long });
    const sockets = [await leaveUnread("a"), await leaveUnread("b"), await leaveUnread("c")];
    expect(await ask("d")).toMatchObject(crowded);
    for (const socket of sockets) socket.destroy();
    await allReleased();
    expect(await ask("d")).toEqual(answer(long, 1));
  });

  it("makes batches of its caller wait", async () => {
    await start({ maxCallerBytes: 1.5 * long, waitMs: 600_000 }, { batchParallel: 1 });
    const socket = await leaveUnread("a");
    const before = runs;
    const waiting = ask("a", batch(3, long));
    // The first entry shows how long the results are.
    await until("the first entry has run", () => runs > before && app.reports.length === 2);
    for (let i = 0; i < 100; i++) await turn();
    expect(runs).toBe(before + 1);
    socket.destroy();
    expect(await waiting).toMatchObject([{ id: 0, ...crowded }, answer(long, 1), answer(long, 2)]);
    await allReleased();
  });

  it("has batches of its caller refused when it is not read in time", async () => {
    await start({ maxCallerBytes: 1.5 * long, waitMs: 1 }, { batchParallel: 1 });
    const socket = await leaveUnread("a");
    const before = runs;
    const entries = await ask("a", batch(100, long));
    expect(entries).toMatchObject(Array.from({ length: 100 }, (_, id) => ({ id, ...crowded })));
    expect(runs).toBe(before + 1);
    socket.destroy();
    await allReleased();
  });

  it("has a connection closed that sends requests on and on", async () => {
    await start({ maxCallerBytes: 5 * megabyte });
    const request = requestOf(call(60_000, 1), {});
    const socket = await sendUnread(call(60_000, 1));
    socket.write(request.repeat(2000));
    await until("the connection is closed", async () => (await openConnections()) === 0);
    expect(app.budget.held).toBe(0);
    socket.destroy();
  });
});

const openConnections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

/** Head and body of an answer on a connection that was closed after it. */
function bodyOf(received: Buffer): [head: string, body: Buffer] {
  const end = received.indexOf("\r\n\r\n");
  const head = received.subarray(0, end).toString("latin1");
  const body = received.subarray(end + 4);
  return [head, /transfer-encoding: chunked/i.test(head) ? unchunked(body) : body];
}

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, line), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
