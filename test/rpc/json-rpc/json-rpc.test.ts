import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../server/errors.js";
import type { CallReport } from "../../../server/observe/log.js";
import { bind } from "../../../server/rpc/bind.js";
import { AnswerCache, noHead } from "../../../server/rpc/cache.js";
import { Cancellation } from "../../../server/rpc/cancellation.js";
import { type CallContext, Dispatcher, type FinishedCall, noOptions } from "../../../server/rpc/dispatch.js";
import { internalCalls } from "../../../server/rpc/internal-calls.js";
import { type Grant, JsonRpc } from "../../../server/rpc/json-rpc/json-rpc.js";
import type { Message } from "../../../server/rpc/json-rpc/message.js";
import { RefusedBatch } from "../../../server/rpc/json-rpc/refused-batch.js";
import { strictError } from "../../../server/rpc/json-rpc/strict-dialect.js";
import { callTonCenter } from "../../../server/rpc/json-rpc/ton-center-dialect.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import { budgetWith } from "../../helpers/http/answer-limits.js";

const text = z.string().describe("A text.");
const method = <Extra extends object>(extra: Extra) => ({
  ...defineMethod({
    group: "Test",
    summary: "Is a test.",
    params: z.object({ a: text.optional(), b: text.optional(), password: text.optional() }),
    result: z.unknown().describe("Anything."),
    verbs: [],
    freshness: { kind: "none" },
    examples: [{ params: {}, result: null }],
  }),
  ...extra,
});
const change = { network: "devnet", freshness: { kind: "effect" } } as const;
const definitions = {
  echo: method({ aliases: ["again"] }),
  late: method({}),
  free: method({ free: true }),
  keyed: method({ needsKey: true }),
  secret: method({ secrets: ["password"] }),
  runs: method({ runsTransactions: true }),
  v3: { list: method({ params: z.object({ a: text.optional(), limit: z.number().optional() }) }) },
  devnet: {
    change: method(change),
    look: method({ network: "devnet" }),
    own: method({ network: "devnet", forOwner: true }),
  },
  rpc: { ping: method({}) },
};

type World = {
  injectFault?: () => Promise<void>;
  maxBatch?: number;
  network?: string;
};

function setUp({ injectFault, maxBatch = 3, network = "devnet" }: World = {}) {
  const ran: string[] = [];
  const reports: CallReport[] = [];
  const finished: FinishedCall[] = [];
  const answer = (name: string) => (params: { a?: string }) => {
    ran.push(name);
    if (params.a === "fail")
      throw new ServiceError("absent", undefined, { data: { exit_meaning: "no gas" } });
    if (params.a === "defect") throw new TypeError("a defect");
    if (params.a === "nothing") return undefined;
    return name === "late" ? Promise.resolve(params) : params;
  };
  const answers = (group: object) =>
    Object.fromEntries(Object.keys(group).map((name) => [name, answer(name)]));
  const { v3, devnet, rpc: own, ...flat } = definitions;
  const implementations = {
    ...answers(flat),
    v3: answers(v3),
    devnet: answers(devnet),
    rpc: answers(own),
  };
  const methods = bind(definitions, implementations as never, network);
  const dispatcher = new Dispatcher({
    cache: new AnswerCache({ maxBytes: 10_000, chain: noHead, index: noHead }),
    callTimeoutMs: 10_000,
    now: () => 1_700_000_000_000,
    newRequestId: () => "r1",
    report: (report) => reports.push(report),
    cacheRead: () => {},
    faults: () => injectFault,
    record: (call) => finished.push(call),
  });
  const rpc = new JsonRpc({ methods, dispatcher, maxBatch, batchParallel: 2 });
  return { rpc, methods, ran, reports, finished };
}

const context = (special: Partial<CallContext> = {}): CallContext => ({
  callerId: "someone",
  options: noOptions,
  gone: new Cancellation(),
  devnetRefusal: undefined,
  allowance: budgetWith().open("someone"),
  ...special,
});
const all: Grant = { granted: 1000 };
const call = (name: string, more: object = { id: 1 }) => ({ jsonrpc: "2.0", method: name, ...more });
const result = (id: unknown, value: unknown) => ({ jsonrpc: "2.0", id, ok: true, result: value });
const failure = (id: unknown, error: object) => ({ jsonrpc: "2.0", id, ok: false, error });

/** The parsed answer to a message. */
async function ask(
  { rpc }: ReturnType<typeof setUp>,
  value: unknown,
  grant = all,
  special: Partial<CallContext> = {},
) {
  const message = rpc.read(JSON.stringify(value), { byPosition: true }) as Message;
  const answer = await rpc.answer(message, grant, context(special));
  return answer === undefined ? undefined : JSON.parse(answer as string);
}

describe("a message", () => {
  it("is one call, answered with its id", async () => {
    const world = setUp();
    for (const id of [1, 0, -5, "x", "", null, 2 ** 53 - 1, 'quo"te'])
      expect(await ask(world, call("echo", { id, params: { a: "x" } }))).toEqual(result(id, { a: "x" }));
    expect(await ask(world, call("late", { id: 7, params: { b: "y" } }))).toEqual(result(7, { b: "y" }));
    expect(await ask(world, call("again"))).toEqual(result(1, {}));
  });

  it("is not answered without an id, but run", async () => {
    const world = setUp();
    expect(await ask(world, call("echo", {}))).toBeUndefined();
    expect(await ask(world, [call("echo", {}), call("late", {})])).toBeUndefined();
    expect(await ask(world, [call("echo", {}), call("late", { id: 2 })])).toEqual([result(2, {})]);
    expect(world.ran).toEqual(["echo", "echo", "late", "echo", "late"]);
  });

  it.each([
    [1, null, "a call must be an object"],
    [null, null, "a call must be an object"],
    [[[]], null, "a call must be an object"],
    [{ ...call("echo"), id: {} }, null, "id must be a string, a number or null"],
    [{ ...call("echo"), id: true }, null, "id must be a string, a number or null"],
    [{ method: "echo", id: 5 }, 5, 'jsonrpc must be "2.0"'],
    [{ method: "echo", jsonrpc: "1.0" }, null, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: "2.0", method: 3, id: "x" }, "x", "method must be a string"],
    [{ jsonrpc: "2.0" }, null, "method must be a string"],
  ])("is refused as %j", async (value, id, reason) => {
    const refusal = failure(id, {
      code: -32600,
      message: "Invalid Request",
      data: { code: 422, kind: "invalid-request", reason },
    });
    expect(await ask(setUp(), value)).toEqual(Array.isArray(value) ? [refusal] : refusal);
  });

  it("takes ids of any length, but no number that has lost digits", () => {
    const { rpc } = setUp();
    const idOf = (id: string) =>
      (rpc.read(`{"jsonrpc":"2.0","method":"echo","id":${id}}`, { byPosition: false }) as Message)
        .entries[0]!;
    expect(idOf("9007199254740993").id).toBe(9007199254740993n);
    expect(idOf("9007199254740993.0").error?.message).toBe(
      "id must be a string, an integer, or a number up to 2^53 - 1",
    );
    expect(idOf("1.5").id).toBe(1.5);
  });

  it("has no call of a name that is no method", async () => {
    const world = setUp();
    const unknown = failure(1, {
      code: -32601,
      message: "Method not found",
      data: { code: 422, kind: "unknown-method" },
    });
    for (const name of ["nothing", "toString", "__proto__", "v3", ""])
      expect(await ask(world, call(name))).toEqual(unknown);
    expect(world.reports.map((report) => report.method)).toEqual(new Array(5).fill("unknown"));
    expect(world.ran).toEqual([]);
  });

  it.each([
    [undefined, {}],
    [null, {}],
    [[], {}],
    [{}, {}],
    [["x", "y"], { a: "x", b: "y" }],
    [[{ a: "x" }], { a: "x" }],
  ])("has parameters %j", async (params, read) => {
    expect(await ask(setUp(), call("echo", { id: 1, params }))).toEqual(result(1, read));
  });

  it.each([[5], ["text"], [true]])("has no parameters %j", async (params) => {
    expect(await ask(setUp(), call("echo", { id: 1, params }))).toMatchObject({
      error: { code: -32602, message: "params must contain an object" },
    });
  });

  it("may have parameters by position only where that is allowed", async () => {
    const { rpc } = setUp();
    const message = rpc.messageOf(call("echo", { id: 1, params: ["x"] }), { byPosition: false });
    expect(JSON.parse((await rpc.answer(message, all, context())) as string)).toMatchObject({
      error: { message: "params must contain an object" },
    });
  });

  it("is refused with more parameters than its method has", async () => {
    const world = setUp();
    expect(await ask(world, call("echo", { id: 1, params: ["1", "2", "3", "4"] }))).toEqual(
      failure(1, {
        code: -32602,
        message: "too many parameters: the method takes a, b, password",
        data: { code: 422, kind: "invalid-params", max: 3 },
      }),
    );
    expect([world.ran, world.reports.map((report) => report.method)]).toEqual([[], ["echo"]]);
  });

  it("is empty or too long as a batch", () => {
    const { rpc } = setUp();
    expect(() => rpc.messageOf([], { byPosition: true })).toThrow("a batch needs at least one call");
    expect(() => rpc.messageOf(new Array(4).fill(call("echo")), { byPosition: true })).toThrow(
      expect.objectContaining({ code: "too-large" }),
    );
    expect(rpc.messageOf(new Array(3).fill(call("echo")), { byPosition: true })).toMatchObject({
      batch: true,
    });
  });

  it("tells the outcome of a single call before its answer", async () => {
    const { rpc } = setUp();
    const message = rpc.messageOf(call("echo"), { byPosition: false });
    const outcomes: unknown[] = [];
    const answer = await rpc.answerSingle(message, all, context(), (outcome) => outcomes.push(outcome));
    expect(outcomes).toEqual([expect.objectContaining({ json: "{}" })]);
    expect(JSON.parse(String(answer))).toEqual(result(1, {}));
  });

  it("is answered in lines as its calls end", async () => {
    const { rpc } = setUp();
    const read = async (value: unknown) => {
      const lines = await rpc.lines(rpc.messageOf(value, { byPosition: false }), all, context());
      if (!lines) return undefined;
      let joined = "";
      for await (const piece of lines) joined += piece;
      return joined
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    expect(await read([call("late", { id: 1 }), call("echo", { id: 2 })])).toEqual([
      result(2, {}),
      result(1, {}),
    ]);
    expect(await read([call("late", {}), call("echo", {})])).toBeUndefined();
  });
});

describe("the points of a message", () => {
  const points = (value: unknown) => {
    const { rpc } = setUp();
    return rpc.points(rpc.read(JSON.stringify(value), { byPosition: true }));
  };

  it("are those of its calls", () => {
    expect(points(call("echo"))).toBe(1);
    expect(points(call("free"))).toBe(0);
    expect(points([call("echo"), call("free"), call("nothing")])).toBe(2);
    expect(points([1, null, {}])).toBe(3);
    expect(points([call("v3.list", { id: 1, params: "text" })])).toBe(1);
  });

  it("are counted once", () => {
    const { rpc } = setUp();
    const message = rpc.messageOf([call("echo"), call("echo")], { byPosition: false });
    expect([rpc.points(message), message.points, rpc.points(message)]).toEqual([2, 2, 2]);
  });

  it("of a refused batch are one for each batch that it could have been", () => {
    const batchOf = (count: number) => new Array(count).fill(0).map((_, id) => call("echo", { id }));
    expect([4, 6, 8, 9].map((count) => points(batchOf(count)))).toEqual([1, 2, 2, 3]);
    expect(points(new Array(4).fill(call("echo", {})))).toBe(1);
  });

  it("count for any JSON value", () => {
    const { rpc } = setUp();
    expect(
      [null, undefined, 5, "x", {}, call("free"), { method: 1 }].map((each) => rpc.callPoints(each)),
    ).toEqual([1, 1, 1, 1, 1, 0, 1]);
  });

  const limited = (id: unknown, data: object = {}) =>
    failure(id, {
      code: -32000,
      message: "Ratelimit exceeded",
      data: { code: 429, kind: "rate-limited", ...data },
    });
  const batch = ["echo", "free", "echo", "echo"].map((name, id) => call(name, { id }));

  it("that are not granted refuse the last calls, free ones aside", async () => {
    const world = setUp({ maxBatch: 5 });
    expect(await ask(world, batch, { granted: 1, retryAfterSec: 7 })).toEqual([
      result(0, {}),
      result(1, {}),
      limited(2, { retry_after: 7 }),
      limited(3, { retry_after: 7 }),
    ]);
    expect(world.ran).toEqual(["echo", "free"]);
    expect(await ask(world, batch, { granted: 3 })).toEqual([0, 1, 2, 3].map((id) => result(id, {})));
    expect(await ask(world, batch, { granted: 0 })).toEqual([
      limited(0),
      result(1, {}),
      limited(2),
      limited(3),
    ]);
    expect(await ask(world, call("echo"), { granted: 0 })).toEqual(limited(1));
  });

  it("cover a call of several points while one is left, unless the caller had none", async () => {
    const world = setUp({ maxBatch: 5 });
    const dear = [call("echo", { id: 0 }), call("v3.list", { id: 1, params: { limit: 250 } })];
    expect(world.rpc.points(world.rpc.messageOf(dear, { byPosition: false }))).toBe(4);
    expect(world.rpc.callPoints(dear[1])).toBe(3);
    const answered = [result(0, {}), result(1, { limit: 250 })];
    expect(await ask(world, dear, { granted: 4, overdrawn: true })).toEqual(answered);
    expect(await ask(world, dear, { granted: 2 })).toEqual(answered);
    expect(await ask(world, dear, { granted: 1 })).toEqual([answered[0], limited(1)]);
    expect(await ask(world, dear, { granted: 2, overdrawn: true })).toEqual([answered[0], limited(1)]);
    const two = [call("echo", { id: 0 }), call("echo", { id: 1 })];
    expect(await ask(world, two, { granted: 1, overdrawn: true })).toEqual([result(0, {}), limited(1)]);
    expect(await ask(world, two, { granted: 0, overdrawn: true })).toEqual([limited(0), limited(1)]);
  });

  it("that served calls cost beyond the granted ones are owed, not those of refused calls", () => {
    const { rpc } = setUp({ maxBatch: 5 });
    const list = (limit: number) => call("v3.list", { params: { limit } });
    const owed = (calls: unknown, grant: Grant) =>
      rpc.owed(rpc.messageOf(calls, { byPosition: false }), grant);
    expect(owed(list(1000), { granted: 11 })).toBe(0);
    expect(owed(list(1000), { granted: 1 })).toBe(10);
    expect(owed(list(1000), { granted: 0 })).toBe(0);
    expect(owed(list(1000), { granted: 5, overdrawn: true })).toBe(0);
    expect(owed([call("echo"), list(1000)], { granted: 1 })).toBe(0);
    expect(owed([call("echo"), list(1000), call("free"), list(500)], { granted: 2 })).toBe(10);
    expect(owed([call("free"), call("free")], { granted: 0 })).toBe(0);
  });

  it("do not matter for what is no call", async () => {
    const answers = await ask(setUp(), [1, call("echo", { id: 2 })], { granted: 0 });
    expect(answers[0].error.message).toBe("Invalid Request");
    expect(answers[1]).toEqual(limited(2));
  });
});

describe("a refused batch", () => {
  const read = (value: unknown) =>
    setUp().rpc.read(JSON.stringify(value), { byPosition: true }) as RefusedBatch;

  it("answers each id once, and what has none together", () => {
    const refused = read([
      call("echo", { id: 1 }),
      call("echo", { id: "x" }),
      {},
      call("echo", {}),
      5,
      { id: {} },
    ]);
    expect(refused).toBeInstanceOf(RefusedBatch);
    expect([refused.count, refused.length]).toEqual([3, '1\n"x"\nnull'.length]);
    const answers = JSON.parse(refused.answer() as string);
    expect(answers.map(({ id }: { id: unknown }) => id)).toEqual([1, "x", null]);
    expect(answers[0]).toMatchObject({ ok: false, error: { data: { kind: "too-large" } } });
    const other = JSON.parse(refused.answer(new ServiceError("rate-limited")) as string);
    expect(other[2]).toMatchObject({ id: null, error: { data: { kind: "rate-limited" } } });
  });

  it("has no answer if it has notifications only", () => {
    const refused = read(new Array(4).fill(call("echo", {})));
    expect([refused.count, refused.answer()]).toEqual([0, undefined]);
  });

  it("is answered in pieces if the answer is long", async () => {
    const refused = read(Array.from({ length: 2000 }, (_, id) => call("echo", { id })));
    const pieces: string[] = [];
    for await (const piece of refused.answer() as AsyncIterable<string>) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.slice(0, -1).every(({ length }) => length >= 65_536 && length < 66_000)).toBe(true);
    const answers = JSON.parse(pieces.join("")) as { id: number }[];
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 2000 }, (_, id) => id));
  });
});

describe("TON Center's dialect", () => {
  const tell = async (value: unknown, world = setUp()) => {
    const outcomes: unknown[] = [];
    const { status, body } = await callTonCenter(world.rpc, value, context(), (outcome) =>
      outcomes.push(outcome),
    );
    return { status, body: JSON.parse(String(body)), outcomes: outcomes.length };
  };
  const extra = "1700000000:_:0";

  it("has the result, where it came from, and the id", async () => {
    expect(await tell({ method: "echo", params: { a: "x" }, id: "7" })).toEqual({
      status: 200,
      body: { ok: true, result: { a: "x" }, "@extra": extra, jsonrpc: "2.0", id: "7" },
      outcomes: 1,
    });
    expect((await tell({ method: "echo", params: 5, id: { not: "an id" } })).body).toEqual({
      ok: true,
      result: {},
      "@extra": extra,
      jsonrpc: "2.0",
    });
  });

  it("has the status and the text of an error", async () => {
    expect(await tell({ method: "echo", params: { a: "fail" }, id: 1 })).toEqual({
      status: 404,
      body: {
        ok: false,
        error: "transaction was not found",
        code: 404,
        "@extra": extra,
        jsonrpc: "2.0",
        id: 1,
      },
      outcomes: 1,
    });
    expect(await tell({ method: "v3.list", params: { a: "defect" } })).toMatchObject({
      status: 500,
      body: { error: "internal server error", code: 500 },
    });
  });

  it.each([
    [5, "request must be an object"],
    [null, "request must be an object"],
    ["x", "request must be an object"],
    [{}, "method must be a string"],
    [{ method: 5, id: 3 }, "method must be a string"],
  ])("refuses %j", async (value, error) => {
    const { status, body, outcomes } = await tell(value);
    expect([status, outcomes]).toEqual([422, 0]);
    const id = (value as { id?: number } | null)?.id;
    expect(body).toEqual({ ok: false, error, code: 422, "@extra": "_", jsonrpc: "2.0", ...(id && { id }) });
  });
});

describe("calls", () => {
  it("of the service to itself have parsed results, and are neither counted nor recorded", async () => {
    const { methods, reports, finished, ran } = setUp();
    const { signal } = new AbortController();
    const rules = { signalOf: () => signal, caller: "itself" };
    const own = internalCalls(methods, rules);
    expect(await own("echo", { a: "x" })).toEqual({ a: "x" });
    await expect(own("nothing", {})).rejects.toMatchObject({ code: "unknown-method" });
    expect([reports, finished, ran]).toEqual([[], [], ["echo"]]);
    const textual = new Map([["text", { ...methods.get("echo")!, run: () => new JsonText('{"b":1}') }]]);
    expect(await internalCalls(textual, rules)("text", {})).toEqual({ b: 1 });
  });

  it("that change a devnet need a key unless the caller may change it", async () => {
    const world = setUp();
    const devnetRefusal = "it came through a proxy";
    const names = ["devnet.change", "devnet.own", "devnet.look", "echo"];
    const outcomes = await Promise.all(names.map((name) => ask(world, call(name), all, { devnetRefusal })));
    expect(outcomes.map(({ error }) => error?.message)).toEqual([
      "devnet.change needs an API key for this request: it came through a proxy",
      "devnet.own needs an API key for this request: it came through a proxy",
      undefined,
      undefined,
    ]);
    expect(outcomes[0].error).toMatchObject({ data: { code: 403, kind: "forbidden" } });
    expect(await ask(world, call("devnet.change"))).toEqual(result(1, {}));
    expect(world.ran).toEqual(["look", "echo", "change"]);
  });

  it("about what a key has need one", async () => {
    const world = setUp();
    expect(await ask(world, call("keyed"))).toMatchObject({
      error: { message: "keyed needs an API key", data: { kind: "forbidden" } },
    });
    expect(await ask(world, call("keyed"), all, { owner: "k1" })).toEqual(result(1, {}));
  });

  it("of a devnet are unknown on other networks", async () => {
    const world = setUp({ network: "testnet" });
    expect(await ask(world, call("devnet.look"))).toMatchObject({
      error: { data: { kind: "unknown-method" } },
    });
    expect([...world.methods.keys()]).toEqual([
      ...["echo", "again", "late", "free", "keyed", "secret", "runs", "v3.list", "rpc.ping"],
    ]);
  });

  it("fail where others are disturbed, those that control the service aside", async () => {
    const error = new ServiceError("timeout", "disturbed");
    const world = setUp({ injectFault: () => Promise.reject(error) });
    const names = ["echo", "v3.list", "devnet.change", "devnet.look", "rpc.ping"];
    const outcomes = await Promise.all(names.map((name) => ask(world, call(name))));
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, true, true, true]);
    expect(outcomes[0].error.message).toBe("disturbed");
    const late = setUp({ injectFault: () => Promise.resolve() });
    expect(await ask(late, call("echo"))).toEqual(result(1, {}));
    expect(await ask(late, call("late"))).toEqual(result(1, {}));
  });

  it("are recorded as they were sent, without secrets, and with what went wrong", async () => {
    const world = setUp();
    await ask(world, call("secret", { id: 1, params: { a: "x", password: "hidden" } }));
    await ask(world, call("secret", { id: 1, params: { a: "fail" } }));
    await ask(world, call("echo", { id: 1, params: { a: 5, password: "shown" } }));
    expect(world.finished).toEqual([
      { method: "secret", params: { a: "x" }, durationMs: 0 },
      { method: "secret", params: { a: "fail" }, durationMs: 0, code: "absent", exitMeaning: "no gas" },
      { method: "echo", params: { a: 5, password: "shown" }, durationMs: 0, code: "invalid-params" },
    ]);
  });

  it("are reported with plan and key, and a defect with its cause", async () => {
    const world = setUp();
    await ask(world, call("echo"), all, { plan: "free", keyId: "k1" });
    const answer = await ask(world, call("echo", { id: 1, params: { a: "defect" } }));
    expect(answer.error).toEqual({
      code: -32603,
      message: "Internal error",
      data: { code: 500, kind: "internal", request_id: "r1" },
    });
    expect(world.reports.map(({ details, ...rest }) => rest)).toEqual([
      { method: "echo", durationMs: 0, caller: "someone", plan: "free", keyId: "k1" },
      {
        method: "echo",
        durationMs: 0,
        caller: "someone",
        code: "internal",
        requestId: "r1",
        cause: new TypeError("a defect"),
      },
    ]);
    await ask(world, call("echo", { id: 1, params: { a: "nothing" } }));
    expect(world.reports.at(-1)?.cause).toEqual(new TypeError("a handler returned nothing"));
  });

  it("have the interface of their method", () => {
    const { rpc } = setUp();
    expect(["echo", "v3.list", "nothing"].map((name) => rpc.api(name))).toEqual(["v2", "v3", "v2"]);
    expect(["runs", "echo", "nothing", 5].map((name) => rpc.runsTransactions(name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("must have a handler each", () => {
    expect(() => bind({ echo: definitions.echo }, {} as never, "devnet")).toThrow(
      "the method echo has no handler",
    );
    expect(() => bind({ v3: definitions.v3 }, {} as never, "devnet")).toThrow(
      "the method v3.list has no handler",
    );
  });
});

describe("an error in the strict form", () => {
  const errorOf = (error: ServiceError, api: "v2" | "v3") => JSON.parse(strictError(null, error, api)).error;

  it("has the code of its kind, and that of its status in v3", () => {
    expect(errorOf(new ServiceError("invalid-params", "wrong"), "v2")).toEqual({
      code: -32602,
      message: "wrong",
      data: { code: 422, kind: "invalid-params" },
    });
    const codes = [
      new ServiceError("invalid-params", undefined, { status: 400 }),
      new ServiceError("absent", undefined, { status: 422 }),
      new ServiceError("absent"),
      new ServiceError("internal"),
    ].map((error) => errorOf(error, "v3").code);
    expect(codes).toEqual([-32602, -32602, -32000, -32603]);
  });

  it("has the message of the standard, and ours as the reason", () => {
    expect(errorOf(new ServiceError("parse-error"), "v2")).toMatchObject({ message: "Parse error" });
    expect(errorOf(new ServiceError("parse-error"), "v2").data).not.toHaveProperty("reason");
    expect(errorOf(new ServiceError("parse-error", "a brace is missing"), "v2")).toMatchObject({
      message: "Parse error",
      data: { reason: "a brace is missing" },
    });
  });

  it("is of v2 unless something else is said", () => {
    const error = new ServiceError("unavailable");
    expect(JSON.parse(strictError(5, error))).toMatchObject({
      id: 5,
      error: { message: "No working liteservers" },
    });
    expect(errorOf(error, "v3").message).toBe("database is not available");
  });
});
