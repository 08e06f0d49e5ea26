import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { CallReport } from "../../../server/observe/log.js";
import { type AnswerLimits, longBytes } from "../../../server/rpc/answers/answer-budget.js";
import { bind } from "../../../server/rpc/bind.js";
import { AnswerCache, noHead } from "../../../server/rpc/cache.js";
import { Cancellation } from "../../../server/rpc/cancellation.js";
import { type CallContext, Dispatcher, noOptions } from "../../../server/rpc/dispatch.js";
import { type Call, defineMethod } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import { budgetWith } from "../../helpers/http/answer-limits.js";

const method = (freshness: { kind: "none" | "effect" | "immutable" | "head" }) =>
  defineMethod({
    group: "Test",
    summary: "Is a test.",
    params: z.object({ a: z.string().optional().describe("A text.") }),
    result: z.unknown().describe("Anything."),
    verbs: [],
    freshness,
    examples: [{ params: {}, result: null }],
  });
const definitions = {
  none: method({ kind: "none" }),
  effect: method({ kind: "effect" }),
  immutable: method({ kind: "immutable" }),
  head: method({ kind: "head" }),
  slow: { ...method({ kind: "none" }), timeoutMs: 60_000 },
};

/** A dispatcher whose methods all answer by `handler`. */
function setUp(handler: (call: Call) => unknown, limits: Partial<AnswerLimits> = {}) {
  const reports: CallReport[] = [];
  const calls: Call[] = [];
  const run = (_: object, call: Call) => {
    calls.push(call);
    return handler(call);
  };
  const implementations = Object.fromEntries(Object.keys(definitions).map((name) => [name, run]));
  const methods = bind(definitions, implementations as never, "testnet");
  const chain = { current: "block 1" };
  const cache = new AnswerCache({ maxBytes: 1_000_000, chain, index: noHead });
  const dispatcher = new Dispatcher({
    cache,
    callTimeoutMs: 10_000,
    now: () => 0,
    newRequestId: () => "r1",
    report: (report) => reports.push(report),
    cacheRead: () => {},
  });
  const budget = budgetWith(limits);
  const ask = (name: keyof typeof definitions, special: Partial<CallContext> = {}) =>
    dispatcher.call(
      methods.get(name)!,
      { object: {} },
      {
        callerId: "someone",
        options: noOptions,
        gone: new Cancellation(),
        devnetRefusal: undefined,
        allowance: budget.open("someone"),
        ...special,
      },
    );
  return { ask, budget, cache, calls, chain, reports };
}

describe("a long result", () => {
  // With its quotes.
  const long = "x".repeat(longBytes - 2);

  it("is counted from 64 KB on, in bytes", async () => {
    const sized = async (text: string) => {
      const { ask, budget } = setUp(() => text);
      const outcome = await ask("none");
      return [outcome.longBytes, budget.held];
    };
    expect(await sized(long.slice(1))).toEqual([undefined, 0]);
    expect(await sized(long)).toEqual([longBytes, longBytes]);
    expect(await sized("é".repeat(longBytes - 2))).toEqual([2 * longBytes - 2, 2 * longBytes - 2]);
  });

  it("is refused if the answer may not be that long, and reported so", async () => {
    const { ask, budget, reports } = setUp(() => long, { maxAnswerBytes: longBytes - 1 });
    const outcome = await ask("none");
    expect(outcome).toMatchObject({ error: { code: "too-large" }, longBytes });
    expect([budget.held, reports.map(({ code }) => code)]).toEqual([0, ["too-large"]]);
  });

  it("of an effect is never refused: it happened", async () => {
    const { ask, budget, reports } = setUp(() => long, { maxAnswerBytes: 10 });
    expect(await ask("effect")).toMatchObject({ json: JSON.stringify(long), longBytes });
    expect([budget.held, reports.map(({ code }) => code)]).toEqual([longBytes, [undefined]]);
  });

  it("is text already, if the handler says so", async () => {
    const { ask } = setUp(() => new JsonText('{"a":1}'));
    expect(await ask("none")).toMatchObject({ json: '{"a":1}' });
  });
});

describe("a run", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["at once", (call: Call) => Object.assign(call, { provisional: true }) && 1],
    ["later", async (call: Call) => Object.assign(call, { provisional: true }) && 1],
  ])("whose answer is provisional %s is not kept", async (_, handler) => {
    const { ask, calls } = setUp(handler);
    for (let i = 0; i < 2; i++) {
      await ask("immutable");
      await ask("head");
    }
    expect(calls).toHaveLength(4);
  });

  it("knows its caller", async () => {
    const { ask, calls } = setUp(() => 1);
    const subscriber = {} as never;
    await ask("effect");
    await ask("effect", { callerId: "c", owner: "k", unlimited: true, subscriber });
    expect(
      calls.map(({ caller, owner, unlimited, subscriber: own }) => [caller, owner, unlimited, own]),
    ).toEqual([
      ["someone", undefined, false, undefined],
      ["c", "k", true, subscriber],
    ]);
    // No caller is charged: there is no limit.
    expect(() => calls[0]!.spent?.(1000)).not.toThrow();
    expect(calls[0]!.spent).toBe(calls[0]!.spent);
  });

  it.each([
    ["none", 10_000],
    ["slow", 60_000],
  ] as const)("of the method %s ends after %i ms", async (name, timeoutMs) => {
    vi.useFakeTimers();
    const { ask } = setUp(() => new Promise(() => {}));
    const codes: unknown[] = [];
    void Promise.resolve(ask(name)).then((outcome) => codes.push("error" in outcome && outcome.error.code));
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(codes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(codes).toEqual(["timeout"]);
  });

  it("leaves no timer behind, whether it succeeds or fails", async () => {
    vi.useFakeTimers();
    for (const answer of [() => Promise.resolve(1), () => Promise.reject(new Error("a defect"))]) {
      const { ask } = setUp(answer);
      await ask("none");
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it("is not aborted by a caller that goes after its end", async () => {
    for (const answer of [() => Promise.resolve(1), () => Promise.reject(new Error("a defect"))]) {
      const { ask, calls } = setUp(answer);
      const gone = new Cancellation();
      await ask("none", { gone });
      gone.cancel("gone");
      expect(calls[0]!.signal.aborted).toBe(false);
    }
  });

  it("is not taken for a defect if its caller has gone", async () => {
    const gone = new Cancellation();
    const { ask, reports } = setUp(async () => {
      gone.cancel("gone");
      throw new TypeError("aborted");
    });
    const outcome = await ask("effect", { gone });
    expect(outcome).toMatchObject({
      error: { code: "unavailable", message: "the caller has gone", cause: new TypeError("aborted") },
    });
    expect(reports[0]).not.toHaveProperty("cause");
  });
});

describe("the cache", () => {
  it("forgets immutable results, and shares no run that began before", async () => {
    let answer = 0;
    const open: (() => void)[] = [];
    const { ask, cache } = setUp(
      () =>
        new Promise((resolve) => {
          const own = ++answer;
          open.push(() => resolve(own));
        }),
    );
    const before = ask("immutable");
    cache.forget();
    const after = ask("immutable");
    for (const each of open) each();
    expect([await before, await after]).toMatchObject([{ json: "1" }, { json: "2" }]);
    expect(await ask("immutable")).toMatchObject({ json: "2" });
    cache.forget();
    void ask("immutable");
    expect(answer).toBe(3);
  });

  it("takes no result for another head, even if that comes back", async () => {
    const { cache, chain } = setUp(() => 1);
    const slot = () => cache.slot({ kind: "head" }, "key", {})!;
    const early = slot();
    chain.current = "block 2";
    early.write("early");
    expect(slot().read()).toBeUndefined();
    chain.current = "block 1";
    early.write("early");
    expect(slot().read()).toBeUndefined();
    slot().write("late");
    expect([slot().read(), slot().runKey]).toEqual(["late", "block 1 key"]);
    expect(cache.slot({ kind: "none" } as never, "key", {})).toBeUndefined();
    expect(cache.slot({ kind: "both" }, "key", {})).toBeUndefined();
  });
});
