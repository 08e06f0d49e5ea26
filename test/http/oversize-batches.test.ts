import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineMethod } from "../../shared/methods/define.js";
import { sized } from "../helpers/effort.js";
import { plainImplementations, plainRegistry, startApp, type TestApp } from "../helpers/http/app.js";
import { openSocket, type TestSocket } from "../helpers/http/socket.js";
import { until } from "../helpers/until.js";

const maxBatch = 3;
const frameBytes = 1_048_576;
const ping = (id?: unknown) => ({ jsonrpc: "2.0", ...(id !== undefined && { id }), method: "rpc.ping" });
const tooMany = (id: unknown, calls: number) => ({
  jsonrpc: "2.0",
  id,
  ok: false,
  error: {
    code: -32600,
    message: `batch is too large: ${calls} calls, at most ${maxBatch}`,
    data: { code: 413, kind: "too-large", max: maxBatch, limit: "batch" },
  },
});
const refusals = (ids: readonly unknown[], kind: string, data: object) =>
  ids.map((id) => ({ id, error: { code: -32000, data: { kind, ...data } } }));
const held = defineMethod({
  summary: "Waits until the test lets it go.",
  group: "Test",
  params: z.object({}),
  result: z.string(),
  verbs: [],
  freshness: { kind: "none" },
  examples: [{ params: {}, result: "done" }],
});
type Refusal = { id: unknown; error: { code: number; data: { kind: string } } };

let app: TestApp;
afterEach(() => app.close(0));

async function open(options: Partial<Parameters<typeof startApp>[0]> = {}): Promise<TestSocket> {
  app = await startApp({
    registry: plainRegistry,
    implementations: plainImplementations,
    maxBatch,
    ...options,
  } as Parameters<typeof startApp>[0]);
  return openSocket(app.url);
}

/** The largest number of calls with an id that fit a frame. */
function fullFrame(): { text: string; calls: number } {
  let text = "[";
  let calls = 0;
  for (; text.length < frameBytes - 20; calls++) text += `${calls === 0 ? "" : ","}{"id":${calls}}`;
  return { text: `${text}]`, calls };
}

describe("a batch of too many calls over a WebSocket", () => {
  it("is answered by an error for each id, and the connection goes on", async () => {
    const socket = await open();
    socket.send([ping(1), ping("two"), ping(), ping(3.5), ping("1")]);
    expect(await socket.next()).toEqual([1, "two", 3.5, "1"].map((id) => tooMany(id, 5)));
    socket.send([ping(1), ping(2), ping(3)]);
    expect(await socket.next()).toEqual(
      [1, 2, 3].map((id) => ({ ...ping(id), method: undefined, ok: true, result: "pong" })),
    );
  });

  it("keeps ids unchanged, doubles and those beyond 2^53 included", async () => {
    const socket = await open();
    const texts: string[] = [];
    socket.raw.on("message", (data) => texts.push(String(data)));
    const ids = ["7", "7", "9007199254740993", '"\\n\\"\\u2028"'];
    socket.send(`[${ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"rpc.ping"}`)}]`);
    await socket.next();
    for (const id of ids.slice(0, 3)) expect(texts[0]).toContain(`"id":${id},`);
    expect((JSON.parse(texts[0]!) as Refusal[]).map(({ id }) => id).at(-1)).toBe('\n"\u2028');
    expect(JSON.parse(texts[0]!)).toHaveLength(4);
  });

  it("is refused as a whole by POST, on every path", async () => {
    await open();
    for (const path of ["/jsonRPC", "/api/v2/jsonRPC", "/"]) {
      const { status, json } = await app.post(path, [1, 2, 3, 4].map(ping));
      expect([status, json]).toEqual([413, tooMany(null, 4)]);
    }
  });

  it("is refused for each id without points, too", async () => {
    const socket = await open({ spend: () => ({ granted: 0, retryAfterSec: 2, headers: {} }) });
    socket.send([ping(1), ping(), ping(2), ping(3)]);
    expect(await socket.next()).toMatchObject(refusals([1, 2, 3], "rate-limited", { retry_after: 2 }));
  });

  it("is refused for each id while the service stops", async () => {
    let answerHeld: (() => void) | undefined;
    const socket = await open({
      registry: { ...plainRegistry, held },
      implementations: {
        ...plainImplementations,
        held: () =>
          new Promise<string>((resolve) => {
            answerHeld = () => resolve("done");
          }),
      },
    } as never);
    socket.send({ ...ping("held"), method: "held" });
    const answer = await until("the call to run", () => answerHeld);
    const closing = app.close(60_000);
    socket.send([ping(1), ping(), ping(2), ping(3)]);
    expect(await socket.next()).toMatchObject(refusals([1, 2, 3], "unavailable", {}));
    answer();
    expect(await socket.next()).toMatchObject({ id: "held", result: "done" });
    await closing;
  });
});

describe("a frame full of calls that are hardly more than an id", () => {
  it("is answered for each, and occupies only its own length while its answer is unread, and delays the next one", async () => {
    const socket = await open();
    const { text, calls } = fullFrame();
    socket.raw.pause();
    const frames = sized(2, 5);
    for (let frame = 0; frame < frames; frame++) socket.send(text);
    await until("an answer to wait for its reader", () => app.budget.held > 0);
    let most = app.budget.held;
    socket.raw.resume();
    for (let frame = 0; frame < frames; frame++) {
      const answer = (await socket.next()) as Refusal[];
      expect(answer).toHaveLength(calls);
      expect(answer.every(({ id, error }, at) => id === at && error.data.kind === "too-large")).toBe(true);
      most = Math.max(most, app.budget.held);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(text.length);
    await until("nothing to be held", () => app.budget.held === 0);
    socket.send(ping("after"));
    expect(await socket.next()).toMatchObject({ id: "after", result: "pong" });
  });

  it("of more bytes than a message may have closes the connection with 1009", async () => {
    const socket = await open({ maxBodyBytes: 1000 });
    socket.send(Array.from({ length: 100 }, (_, id) => ping(id)));
    expect((await socket.closed).code).toBe(1009);
  });

  it("closes the connection of a caller whose other answers wait for their readers", async () => {
    const socket = await open({ answers: { maxCallerBytes: 100_000 } });
    socket.send(fullFrame().text);
    expect(await socket.closed).toEqual({ code: 1008, reason: "answers are not read" });
    expect(app.budget.held).toBe(0);
  });
});
