import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import {
  type ExecutorOptions,
  ExecutorThreads,
} from "../../../../server/chain/executor/threads/executor-threads.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import type { MethodRequest } from "../../../../shared/ton/run/method-request.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { libraryCell } from "../../../helpers/chain/library-cell.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  otherConfig,
  testConfig,
  testTime,
} from "../../../helpers/chain/sample-chain.js";
import { variants } from "../../../helpers/effort.js";
import { until } from "../../../helpers/until.js";

const pools: ExecutorThreads[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** Threads rank below all other work of the machine, which may be busy for minutes. Nor do those of another test end in one. */
const noTimeouts = { deadlineMs: 1e9, restMs: 1e9 };

/** By default one thread for quick runs, and without timeouts. */
function startPool(options: ExecutorOptions = {}): ExecutorThreads {
  const pool = new ExecutorThreads({ threads: 1, ...noTimeouts, ...options });
  pools.push(pool);
  return pool;
}

const environment = { config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7) };

function method(code: string, more: Partial<MethodRequest> = {}): MethodRequest {
  const subject = {
    code: bytesCell(code),
    data: Cell.empty,
    address: account,
    methodId: 0,
    balance: 5n,
    stack: [],
  };
  return { ...environment, ...subject, ...more };
}

/** PUSHCONT {} AGAIN, for hours. */
const endless = method("90EA", { gasLimit: Number.MAX_SAFE_INTEGER });
const seven = method("77");
/** A builder with an exotic cell, which causes an uncaught C++ exception. */
const crashing: StackValue[] = [{ type: "builder", cell: libraryCell(Cell.empty) }];
/** CPU time that no cheap run takes, not even on a machine that stands still; a trial shows that others are long. */
const patientMs = 1e9;
const sevenResult = { exitCode: 0, stack: [{ value: 0n }, { value: 7n }] };

/** Tests that do not stop the threads share this pool: starting a thread takes time. */
const pool = new ExecutorThreads({ threads: 1, ...noTimeouts });
afterAll(() => pool.close());

describe("the executor pool", () => {
  it("gives the same answers as the executor in the caller's thread", async () => {
    const executor = await Executor.create();
    const shardAccount = activeAccount({ code: bytesCell("F800"), data: Cell.empty });
    const message = internalMessage({ value: 1_000_000_000n });
    const request = { ...environment, shardAccount, message, lt: 5n };
    const hash = (result: ReturnType<Executor["runTransaction"]>) =>
      result.outcome === "done" && [result.transaction.hashHex(), result.shardAccount.hashHex()];
    expect(hash(await pool.runTransaction(request))).toEqual(hash(executor.runTransaction(request)));
    const { cpuMs, ...inThread } = await pool.runMethod(seven);
    expect(inThread).toEqual(executor.runMethod(seven));
    expect(cpuMs).toBeGreaterThan(0);
    const special = { tick: true, tock: true };
    const tick = {
      ...environment,
      shardAccount: activeAccount({ code: bytesCell("F800"), data: Cell.empty, special }),
    };
    const which = "tick" as const;
    expect(hash(await pool.runTickTock({ ...tick, lt: 5n, which }))).toEqual(
      hash(executor.runTickTock({ ...tick, lt: 5n, which })),
    );
  });

  it("uses the configuration of each request", async () => {
    // GLOBALID
    const globalId = async (config: Cell) => (await pool.runMethod(method("F835", { config }))).stack.at(-1);
    const other = otherConfig(-77);
    const seen = await Promise.all([testConfig, other, other, testConfig].map(globalId));
    expect(seen).toEqual([-1n, -77n, -77n, -1n].map((value) => ({ type: "int", value })));
  });

  it("runs each contract in its own state, regardless of the thread's earlier runs", async () => {
    const [eight, sum] = [method("78"), method("A0", { stack: [{ type: "int", value: 5n }] })];
    const broken = method("77", { stack: crashing });
    const left = async (request: MethodRequest) =>
      (await pool.runMethod(request).catch(({ code }) => ({ stack: [code] }))).stack.at(-1);
    const answers = [];
    for (const request of [seven, seven, eight, seven, sum, sum, broken, sum, eight])
      answers.push(await left(request));
    const int = (value: bigint) => ({ type: "int", value });
    const [seventh, eighth, fifth] = [int(7n), int(8n), int(5n)];
    expect(answers).toEqual([
      ...[seventh, seventh, eighth, seventh, fifth, fifth],
      "crashed",
      ...[fifth, eighth],
    ]);
  });

  it("keeps the caller's thread free, and rejects waiting, running and later calls when it is closed", async () => {
    const pool = startPool();
    const abort = new AbortController();
    await expect(pool.runMethod(method("77", { gasLimit: 0 }))).rejects.toMatchObject({ code: "invalid" });
    let ended = 0;
    const calls = [endless, endless, seven].map((request) =>
      pool.runMethod(request, { signal: abort.signal }).finally(() => ended++),
    );
    const outcomes = Promise.allSettled(calls.slice(0, 2));
    expect(await calls[2]).toMatchObject(sevenResult);
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect(ended).toBe(1);
    await pool.close();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    await expect(pool.runMethod(seven)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("reports the CPU time of a run, even of a failed one", async () => {
    // One after the other: what the first run compiles counts for it, too.
    const long = await pool.runMethod({ ...endless, gasLimit: 1_000_000 });
    const short = await pool.runMethod({ ...endless, gasLimit: 3000 });
    expect(long.cpuMs).toBeGreaterThan(short.cpuMs);
    expect(short.cpuMs).toBeGreaterThan(0);
    const failed = await pool.runMethod(method("77", { config: Cell.empty })).catch((error) => error);
    expect(failed.cpuMs).toBeGreaterThan(0);
  });

  it("lets the index and callers take turns", async () => {
    const pool = startPool({ quickMs: patientMs });
    const used = { callers: 0, index: 0 };
    let longest = 0;
    const run = async (lane: "callers" | "index", n: number) => {
      const spent = (cpuMs: number) => {
        used[lane] += cpuMs;
        longest = Math.max(longest, cpuMs);
      };
      await pool.runMethod(seven, { lane, caller: `${n}`, spent });
      return { ...used, longest };
    };
    const callers = Array.from({ length: 200 }, (_, n) => run("callers", n));
    const index = Array.from({ length: 10 }, (_, n) => run("index", n));
    // Half of the time is the index's, until all of its runs have ended.
    for (const then of await Promise.all(index))
      expect(then.callers).toBeLessThanOrEqual(then.index + then.longest);
    await Promise.all(callers);
  });

  it("lets the index and callers take turns in long runs too", async () => {
    const pool = startPool({ quickMs: 1 });
    const order: string[] = [];
    const burn = (lane: "callers" | "index", n: number) =>
      pool
        .runMethod(method("90EA", { gasLimit: 100_000 }), { lane, caller: `${n}` })
        .then(() => order.push(lane));
    await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => burn("callers", n)),
      ...Array.from({ length: 2 }, (_, n) => burn("index", n)),
    ]);
    // How many runs of callers fit beside the first one is a matter of what each takes.
    expect(order.indexOf("index")).toBeLessThan(order.lastIndexOf("callers"));
  });

  it("gives no more calls to a thread that is stopping, though it still answers", async () => {
    const pool = startPool();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { terminate } = Worker.prototype;
    vi.spyOn(Worker.prototype, "terminate").mockImplementationOnce(function (this: Worker) {
      return new Promise((resolve) => this.once("message", () => resolve(terminate.call(this))));
    });
    const calls = [pool.runMethod(seven, { deadlineMs: 1 }), pool.runMethod(seven)];
    const outcomes = Promise.allSettled(calls);
    vi.advanceTimersByTime(1);
    expect(await outcomes).toMatchObject([
      { status: "rejected", reason: { code: "busy" } },
      { status: "fulfilled", value: sevenResult },
    ]);
  });

  it("ends a run at its deadline, towards which waiting counts, and replaces the thread", async () => {
    const pool = startPool();
    // Without a trial of either: the second one waits from the beginning, so its timer is the first.
    const calls = [150, 100].map((deadlineMs) => pool.runMethod(endless, { deadlineMs, pace: "long" }));
    const [running, waiting] = await Promise.allSettled(calls);
    // On a busy machine it has not had half of its time.
    expect(running).toMatchObject({
      status: "rejected",
      reason: { code: expect.stringMatching(/timeout|busy/) },
    });
    expect(waiting).toMatchObject({ status: "rejected", reason: { code: "busy", retryAfterMs: 1000 } });
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
  });

  it("answers an aborted call at once, waiting or running", async () => {
    const pool = startPool();
    const abort = new AbortController();
    const running = pool.runMethod(endless, { signal: abort.signal, deadlineMs: 200 });
    const waiting = pool.runMethod(seven, { signal: abort.signal });
    const behind = pool.runMethod(seven);
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: "aborted" });
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(pool.runMethod(seven, { signal: abort.signal })).rejects.toMatchObject({ code: "aborted" });
    // The aborted run ends at its deadline, and its thread is replaced.
    expect(await behind).toMatchObject(sevenResult);
  });

  it("refuses calls beyond its queue", async () => {
    const pool = startPool({ queue: 2 });
    const calls = Array.from({ length: 4 }, () => pool.runMethod(seven));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(outcomes[3]).toMatchObject({ reason: { code: "busy" } });
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
  });

  it("lets a caller fill its own queue, and no other one", async () => {
    const pool = startPool({ queue: 4, queueOfCaller: 3 });
    const calls = Array.from({ length: 9 }, (_, n) =>
      pool.runMethod(seven, { caller: n < 5 ? "a" : `${n}` }),
    );
    const outcomes = await Promise.allSettled(calls);
    // One runs, three wait. The fifth is refused; then the newest calls of the longest queue are refused in favour of
    // others.
    const refused = outcomes.flatMap(({ status }, n) => (status === "rejected" ? [n] : []));
    expect(refused).toEqual([2, 3, 4, 8]);
  });

  it("refuses no run of a patient caller, although all places of the others are taken and overdue", async () => {
    const patienceOf = (caller: string | undefined) => (caller === "patient" ? 1e9 : undefined);
    // No thread starts in this time.
    const pool = startPool({ deadlineMs: 1, queue: 4, queueOfCaller: 3, patienceOf });
    const others = Array.from({ length: 9 }, () => pool.runMethod(seven));
    const patient = pool.runMethod(seven, { caller: "patient" });
    for (const { status, reason } of (await Promise.allSettled(others)) as PromiseRejectedResult[])
      expect([status, reason]).toMatchObject(["rejected", { code: "busy" }]);
    expect(await patient).toMatchObject(sevenResult);
  });

  it("lets long runs wait for each other, and quick ones for none of them", async () => {
    const pool = startPool({ quickMs: patientMs });
    const outcomes = Promise.allSettled(Array.from({ length: 5 }, () => pool.runMethod(endless)));
    for (let n = 0; n < 5; n++) expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "unavailable" } });
  });

  it("runs a transaction again that took a thread for too long while another one did", async () => {
    const pool = startPool();
    // ACCEPT, then a loop until the gas is used up.
    const shardAccount = activeAccount({ code: bytesCell("F80090EA"), data: Cell.empty });
    const message = internalMessage({ value: 1_000_000_000n });
    const request = { ...environment, shardAccount, message, lt: 5n };
    const executor = await Executor.create();
    const blocking = new AbortController();
    const outcomes = [pool.runMethod(endless, { signal: blocking.signal, deadlineMs: 200 })].map((run) =>
      expect(run).rejects.toMatchObject({ code: "aborted" }),
    );
    const spent: number[] = [];
    const run = { spent: (cpuMs: number) => spent.push(cpuMs) };
    const burning = pool.runTransaction(request, { ...run, deadlineMs: 100_000 });
    blocking.abort();
    const [ours, expected] = [await burning, executor.runTransaction(request)];
    expect(ours.outcome).toBe("done");
    expect(ours.outcome === "done" && ours.transaction.hashHex()).toBe(
      expected.outcome === "done" && expected.transaction.hashHex(),
    );
    expect(spent.length).toBeGreaterThan(0);
    await Promise.all(outcomes);
  });

  it("learns the costs of runs, and adapts when they become cheaper", async () => {
    const pool = startPool({ quickMs: 5 });
    const burning = (gasLimit: number) => method("90EA", { gasLimit });
    const burnt = await pool.runMethod(burning(1_000_000));
    expect(burnt.cpuMs).toBeGreaterThan(5);
    const busy = [1, 2].map(() => pool.runMethod(endless, { caller: "busy" }));
    const outcomes = Promise.allSettled(busy);
    // It waits behind a long run, because it was long before.
    const waits = pool.runMethod(burning(50_000), { deadlineMs: 50 });
    await expect(waits).rejects.toMatchObject({ code: "busy" });
    // With a trial's gas it is quick.
    expect(await pool.runMethod(burning(20_000))).toMatchObject({ exitCode: -14 });
    await pool.close();
    await outcomes;
  });

  it("ends a run at its own limit, which does not include waiting", async () => {
    const pool = startPool({ runTimeoutMs: 300 });
    const calls = [endless, endless, seven].map((request) => pool.runMethod(request));
    const [first, second, last] = await Promise.allSettled(calls);
    for (const ended of [first, second])
      expect(ended).toMatchObject({
        status: "rejected",
        reason: { code: "timeout", message: expect.stringContaining("stopped after 300 ms of processor") },
      });
    expect(last).toMatchObject({ status: "fulfilled", value: sevenResult });
    const ownLimit = pool.runMethod(endless, { pace: "long", maxCpuMs: 100 });
    await expect(ownLimit).rejects.toMatchObject({ code: "timeout", stoppedAfterMs: 100 });
  });

  it("refuses results of every form that are too large, without a crash", async () => {
    const pool = startPool();
    // DROP, an initial value, SWAP, and the argument times: wrap it in a tuple, push fifteen zeros; or wrap it as first or as
    // second item of a pair, twice in a pair, push a zero, compose a continuation.
    const forms = variants(
      ["306D01926F01E4", "307001925FF0E4"],
      ["306D0193706F02E4", "306D019470016F02E4", "306D0193206F02E4", "309170E4", "3090019390EDF0E4"],
    );
    const ends = new Set<string>();
    for (const code of forms)
      for (const times of variants([40, 7000], [1, 1100, 20_000, 65_000, 120_000])) {
        const request = method(code, { gasLimit: 4_000_000, stack: [{ type: "int", value: BigInt(times) }] });
        const hostile = pool.runMethod(request, { caller: "hostile" });
        const harmless = pool.runMethod(seven, { caller: "harmless" });
        ends.add(await hostile.then(() => "result").catch((error) => error.name));
        expect(await harmless).toMatchObject(sevenResult);
      }
    expect(ends).toEqual(new Set(["result", "StackError"]));
  });

  it("leaves half of its threads to other callers", async () => {
    const pool = startPool({ threads: 3, quickMs: patientMs });
    const calls = Array.from({ length: 6 }, () => pool.runMethod(endless, { caller: "a" }));
    const outcomes = Promise.allSettled(calls);
    // The runs of the first caller never end.
    expect(await pool.runMethod(seven, { caller: "b" })).toMatchObject(sevenResult);
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    // Quick runs do not wait, not even for long ones of the same caller.
    expect(await pool.runMethod(seven, { caller: "a" })).toMatchObject(sevenResult);
    await pool.close();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  });

  it("has one thread as long as that is enough", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const pool = startPool({ threads: 3, growMs: 100_000 });
    await Promise.all(Array.from({ length: 20 }, () => pool.runMethod(seven)));
    await pool.close();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("ends its threads when there were no calls for a while, though none in a run, and starts them again", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const pool = startPool({ restMs: 10 });
    for (let round = 1; round <= 2; round++) {
      expect(await pool.runMethod({ ...endless, gasLimit: 1_000_000 })).toMatchObject({ exitCode: -14 });
      await until("the threads end", async () => ended.mock.calls.length >= round);
    }
  });
});
