import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../server/errors.js";
import type { CallReport } from "../../server/observe/log.js";
import { bind } from "../../server/rpc/bind.js";
import { AnswerCache } from "../../server/rpc/cache.js";
import { Cancellation } from "../../server/rpc/cancellation.js";
import { type CallContext, Dispatcher, noOptions, type Outcome } from "../../server/rpc/dispatch.js";
import { v2Answer } from "../../server/rpc/json-rpc/v2-envelope.js";
import { type Call, defineMethod, type Freshness } from "../../shared/methods/define.js";
import { accountAddress, int32, int64 } from "../../shared/schema/v2/params.js";
import { budgetWith } from "../helpers/http/answer-limits.js";

const method = (freshness: Freshness) =>
  defineMethod({
    summary: "Answers what the test wants.",
    group: "Test",
    params: z.object({
      address: accountAddress.optional().describe("An address."),
      seqno: int32().optional().describe("A number."),
      lt: int64().optional().describe("A number."),
    }),
    result: z.unknown().describe("Anything."),
    verbs: [],
    freshness,
    examples: [{ params: {}, result: null }],
  });
const definitions = {
  none: method({ kind: "none" }),
  head: method({ kind: "head", pinnedBy: ["seqno", "lt"] }),
  immutable: method({ kind: "immutable" }),
  effect: method({ kind: "effect" }),
  slow: { ...method({ kind: "effect" }), timeoutMs: 60_000 },
  both: method({ kind: "both" }),
  v3: { index: method({ kind: "index" }) },
};

type Handler = (params: object, call: Call) => unknown;

/** A dispatcher over methods that all run `handler`, with everything around it in the test's hands. */
function setUp(handler: Handler, { callTimeoutMs = 10_000, maxBytes = 100_000, isChainLocal = false } = {}) {
  const { v3, ...flat } = definitions;
  const all = Object.fromEntries(Object.keys(flat).map((name) => [name, run]));
  const chain = { current: undefined as string | undefined };
  const index = { current: undefined as string | undefined };
  const time = { now: 1_700_000_000_000 };
  const reports: CallReport[] = [];
  const reads: string[] = [];
  const runs: object[] = [];
  function run(params: object, call: Call) {
    runs.push(params);
    return handler(params, call);
  }
  const methods = bind(
    definitions,
    {
      ...all,
      v3: { index: run },
    } as never,
    "testnet",
  );
  const dispatcher = new Dispatcher({
    cache: new AnswerCache({ maxBytes, chain, index, isChainLocal }),
    callTimeoutMs,
    now: () => time.now,
    newRequestId: () => "r1",
    report: (report) => reports.push(report),
    cacheRead: (outcome) => reads.push(outcome),
  });
  const call = (name: string, object = {}, context: Partial<CallContext> = {}) =>
    dispatcher.call(methods.get(name)!, { object }, { ...somebody(), ...context });
  const begin = (name: string, object = {}) => dispatcher.begin(methods.get(name)!, { object }, somebody());
  return { call, begin, chain, index, time, reports, reads, runs };
}

function somebody(): CallContext {
  return {
    callerId: "someone",
    options: noOptions,
    gone: new Cancellation(),
    devnetRefusal: undefined,
    allowance: budgetWith().open("someone"),
  };
}

/** The value of `@extra` for clients. */
const extra = (outcome: Outcome) => JSON.parse(String(v2Answer(outcome, "v2")))["@extra"];
const json = (outcome: Outcome) => ("json" in outcome ? outcome.json : outcome.error.code);
const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

/** A handler that answers on the test's command. */
function gate() {
  const calls: { open: (value: unknown) => void; fail: (error: unknown) => void; call: Call }[] = [];
  const handler: Handler = (_, call) =>
    new Promise((open, fail) => {
      calls.push({ open, fail, call });
    });
  return { calls, handler };
}

describe("a call that runs contracts", () => {
  it("costs its first caller more points when it took long, also after its end", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler);
    const charged: number[] = [];
    const settle = (points: number) => charged.push(points);
    const outcome = call("none", {}, { settle });
    const another = call("none", {}, { settle: () => charged.push(-1) });
    const { spent } = calls[0]!.call;
    for (const ms of [10, 10, 10, 100, 3]) spent?.(ms);
    expect(charged).toEqual([1, 4]);
    calls[0]!.open(1);
    await Promise.all([outcome, another]);
    calls[0]!.call.spent?.(1000);
    expect(charged).toEqual([1, 4, 40]);
  });
});

describe("the cache", () => {
  it("keeps nothing of a head before there is one", async () => {
    const { call, runs, reads } = setUp(() => 1);
    await call("head");
    await call("head");
    expect([runs.length, reads]).toEqual([2, []]);
  });

  it("keeps head answers until the next block", async () => {
    let answer = 1;
    const { call, chain, reads } = setUp(() => answer++);
    chain.current = "block 1";
    expect(json(await call("head"))).toBe("1");
    const again = await call("head");
    expect([json(again), extra(again)]).toEqual(["1", "1700000000:_:0:c"]);
    chain.current = "block 2";
    expect(json(await call("head"))).toBe("2");
    chain.current = "block 1";
    expect(json(await call("head"))).toBe("3");
    expect(reads).toEqual(["miss", "hit", "miss", "miss"]);
  });

  it("keeps head answers of a chain in this process once they are asked for again", async () => {
    const { call, chain, reads } = setUp(() => 1, { isChainLocal: true });
    const ask = async (times: number) => {
      for (let i = 0; i < times; i++) await call("head");
      return reads.splice(0);
    };
    chain.current = "block 1";
    expect(await ask(3)).toEqual(["miss", "miss", "hit"]);
    // Under the next head the question is known.
    chain.current = "block 2";
    expect(await ask(2)).toEqual(["miss", "hit"]);
  });

  it("keeps other answers at once, with a chain in this process too", async () => {
    const { call, chain, index, reads } = setUp(() => 1, { isChainLocal: true });
    chain.current = "block 1";
    index.current = "1";
    for (const name of ["immutable", "both", "v3.index"]) for (let i = 0; i < 2; i++) await call(name);
    await call("head", { seqno: 1, lt: 1 });
    await call("head", { seqno: 1, lt: 1 });
    expect(reads).toEqual(Array(4).fill(["miss", "hit"]).flat());
  });

  it("keeps answers that depend on chain and index until either of them has a new block", async () => {
    let answer = 1;
    const { call, chain, index } = setUp(() => answer++);
    const heads: [string | undefined, string | undefined][] = [
      ["1", undefined],
      ["1", undefined],
      ["1", "1"],
      ["1", "1"],
      ["2", "1"],
      ["2", "2"],
      ["2", "2"],
      [undefined, "2"],
    ];
    const answers: string[] = [];
    for (const [ofChain, ofIndex] of heads) {
      chain.current = ofChain;
      index.current = ofIndex;
      answers.push(String(json(await call("both"))));
    }
    expect(answers).toEqual(["1", "2", "3", "3", "4", "5", "5", "6"]);
  });

  it("returns cached answers without a run, and a miss has no effect until it is run", async () => {
    const { call, begin, chain, reports, reads, runs } = setUp(() => "answer");
    chain.current = "block 1";
    for (const name of ["none", "head", "immutable", "effect"]) expect(begin(name)).toBeTypeOf("function");
    expect([reports, reads, runs]).toEqual([[], [], []]);

    await call("head");
    await call("effect");
    expect(begin("head")).toMatchObject({ json: '"answer"', call: { cached: true } });
    expect(begin("effect")).toBeTypeOf("function");
    expect(reads).toEqual(["miss", "hit"]);
    expect(reports.map(({ method }) => method)).toEqual(["head", "effect", "head"]);
    expect(runs).toHaveLength(2);
    expect(begin("head", { address: "nonsense" })).toMatchObject({ error: { code: "invalid-params" } });
    expect(runs).toHaveLength(2);
  });

  it("keeps an answer for good when every pinning parameter is given", async () => {
    let answer = 1;
    const { call, chain } = setUp(() => answer++);
    chain.current = "block 1";
    const pinned = { seqno: 5, lt: 6 };
    expect(json(await call("head", pinned))).toBe("1");
    expect(json(await call("head", { seqno: 5 }))).toBe("2");
    chain.current = "block 2";
    expect(json(await call("head", pinned))).toBe("1");
    expect(json(await call("head", { seqno: 5 }))).toBe("3");
  });

  it("does not keep an answer that a block overtook", async () => {
    const { calls, handler } = gate();
    const { call, chain } = setUp(handler);
    chain.current = "block 1";
    const first = call("head");
    chain.current = "block 2";
    const second = call("head");
    expect(calls.length).toBe(2);
    calls[0]!.open("old");
    calls[1]!.open("new");
    expect([json(await first), json(await second)]).toEqual(['"old"', '"new"']);
    expect(json(await call("head"))).toBe('"new"');
    chain.current = "block 1";
    void call("head");
    expect(calls.length).toBe(3);
  });

  it("knows equal parameters in any form and order", async () => {
    const { call, runs } = setUp(() => 1);
    await call("immutable", { address: raw, seqno: "7" });
    await call("immutable", { seqno: 7, address: friendly, lt: null, other: 1 });
    expect(runs.length).toBe(1);
    await call("immutable", { seqno: 8, address: friendly });
    await call("immutable", { lt: 7, address: friendly });
    expect(runs.length).toBe(3);
  });

  it("distinguishes v3 calls with other options", async () => {
    const { call, index, runs } = setUp(() => 1);
    index.current = "block 1";
    await call("v3.index");
    await call("v3.index", {}, { options: { noMetadata: true } });
    await call("v3.index", {}, { options: { noMetadata: true } });
    expect(runs.length).toBe(2);
    await call("immutable", {}, { options: { noMetadata: true } });
    await call("immutable");
    expect(runs.length).toBe(3);
  });

  it("never keeps errors", async () => {
    let fail = true;
    const { call, runs } = setUp(async () => {
      if (fail) throw new ServiceError("absent");
      return 1;
    });
    expect(json(await call("immutable"))).toBe("absent");
    fail = false;
    expect(json(await call("immutable"))).toBe("1");
    expect(json(await call("immutable"))).toBe("1");
    expect(runs.length).toBe(2);
  });

  it("stays within its bytes, dropping the least recently used answers", async () => {
    const { call, runs } = setUp(() => "x".repeat(1000), { maxBytes: 5000 });
    await call("immutable", { seqno: 1 });
    await call("immutable", { seqno: 2 });
    await call("immutable", { seqno: 1 });
    await call("immutable", { seqno: 3 });
    expect(runs.length).toBe(3);
    await call("immutable", { seqno: 1 });
    expect(runs.length).toBe(3);
    await call("immutable", { seqno: 2 });
    expect(runs.length).toBe(4);
  });

  it("passes on answers larger than the whole cache", async () => {
    const { call, runs } = setUp(() => "x".repeat(1000), { maxBytes: 500 });
    expect(json(await call("immutable"))).toHaveLength(1002);
    await call("immutable");
    expect(runs.length).toBe(2);
  });
});

describe("calls in flight", () => {
  it.each(["none", "head", "immutable"])("share one run when they are equal (%s)", async (name) => {
    const { calls, handler } = gate();
    const { call, reads } = setUp(handler);
    const both = [call(name, { seqno: 1 }), call(name, { seqno: "1" })];
    const other = call(name, { seqno: 2 });
    expect(calls.length).toBe(2);
    calls[0]!.call.asked.add(3).add(1);
    calls[0]!.open("a");
    calls[1]!.open("b");
    const [first, second] = await Promise.all(both);
    expect([json(first!), json(second!), json(await other)]).toEqual(['"a"', '"a"', '"b"']);
    expect([extra(first!), extra(second!)]).toEqual(["1700000000:3,1:0", "1700000000:3,1:0"]);
    expect(reads.filter((each) => each === "shared")).toEqual(["shared"]);
  });

  it("share a failure too, and the next call runs anew", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler);
    const both = [call("none"), call("none")];
    calls[0]!.fail(new ServiceError("liteserver-error"));
    expect((await Promise.all(both)).map(json)).toEqual(["liteserver-error", "liteserver-error"]);
    void call("none");
    expect(calls.length).toBe(2);
  });

  it("never share an effect", () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler);
    void call("effect");
    void call("effect");
    expect(calls.length).toBe(2);
  });

  it("are aborted when the last caller has gone, not before", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler);
    const [one, two] = [new Cancellation(), new Cancellation()];
    void call("none", {}, { gone: one });
    void call("none", {}, { gone: two });
    const { signal } = calls[0]!.call;
    one.cancel("gone");
    expect(signal.aborted).toBe(false);
    two.cancel("gone");
    expect(signal.aborted).toBe(true);
    const later = call("none");
    expect(calls.length).toBe(2);
    calls[1]!.open("b");
    expect(json(await later)).toBe('"b"');
  });

  it("run to their end for an effect, even without a caller", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler);
    const gone = new Cancellation();
    const answer = call("effect", {}, { gone });
    gone.cancel("gone");
    expect(calls[0]!.call.signal.aborted).toBe(false);
    calls[0]!.open("sent");
    expect(json(await answer)).toBe('"sent"');
  });

  it("do not count as a defect when they end because no caller waits", async () => {
    const { calls, handler } = gate();
    const { call, reports } = setUp(handler);
    const gone = new Cancellation();
    const answer = call("none", {}, { gone });
    gone.cancel("gone");
    calls[0]!.fail(calls[0]!.call.signal.reason);
    expect(json(await answer)).toBe("unavailable");
    expect(reports).toMatchObject([
      { method: "none", code: "unavailable", caller: "someone", durationMs: 0, requestId: "r1" },
    ]);
    expect(reports[0]?.cause).toBeUndefined();
  });

  it("end at their deadline, in the words of their interface", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler, { callTimeoutMs: 5 });
    const [v2, v3] = await Promise.all([call("none"), call("v3.index")]);
    const told = [v2, v3].map((outcome) => "error" in outcome && outcome.error);
    expect(told.map((error) => error && [error.code, error.statusIn("v2"), error.textIn("v2")])[0]).toEqual([
      "timeout",
      504,
      "Liteserver timeout",
    ]);
    expect(told.map((error) => error && [error.statusIn("v3"), error.textIn("v3")])[1]).toEqual([
      500,
      "query timeout",
    ]);
    expect(calls.map(({ call }) => call.signal.aborted)).toEqual([true, true]);
    void call("none");
    expect(calls.length).toBe(3);
  });

  it("may take longer where their method allows it", async () => {
    const { calls, handler } = gate();
    const { call } = setUp(handler, { callTimeoutMs: 5 });
    const slow = call("slow");
    // Both deadlines would have passed in this order.
    expect(json(await call("none"))).toBe("timeout");
    calls[0]!.open("done");
    expect(json(await slow)).toBe('"done"');
  });
});

describe("reports", () => {
  it("contain method, caller, time and error", async () => {
    const { call, time, reports } = setUp((params) => {
      time.now += 12.4;
      if ("seqno" in params) throw new Error("broken");
      return 1;
    });
    expect(extra(await call("none"))).toBe("1700000000:_:12");
    await call("none", { seqno: 1 });
    await call("none", { seqno: "x" }, { callerId: undefined as never });
    expect(reports.map(({ durationMs, details, ...rest }) => rest)).toEqual([
      { method: "none", caller: "someone" },
      {
        method: "none",
        caller: "someone",
        code: "internal",
        requestId: "r1",
        cause: new Error("broken"),
      },
      { method: "none", code: "invalid-params" },
    ]);
  });
});
