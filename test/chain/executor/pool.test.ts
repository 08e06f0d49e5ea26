import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Cell } from "../../../server/cells/cell.js";
import { Executor } from "../../../server/chain/executor/executor.js";
import { ExecutorPool, type PoolOptions } from "../../../server/chain/executor/pool.js";
import type { MethodRequest } from "../../../server/chain/executor/requests.js";
import type { StackValue } from "../../../server/chain/executor/stack.js";
import { libraryCell } from "../../helpers/library-cell.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  otherConfig,
  testConfig,
  testTime,
} from "../../helpers/sample-chain.js";
import { until } from "../../helpers/until.js";

const pools: ExecutorPool[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** By default one thread, without the spare thread and without timeouts. */
function startPool(options: PoolOptions = {}): ExecutorPool {
  const noTimeouts = { longRunMs: 100_000, deadlineMs: 100_000 };
  const pool = new ExecutorPool({ threads: 1, ...noTimeouts, ...options });
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
const sevenResult = { exitCode: 0, stack: [{ value: 0n }, { value: 7n }] };

describe("the executor pool", () => {
  it("gives the same answers as the executor in the caller's thread", async () => {
    const pool = startPool();
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
    const pool = startPool();
    // GLOBALID
    const globalId = async (config: Cell) => (await pool.runMethod(method("F835", { config }))).stack.at(-1);
    const other = otherConfig(-77);
    const seen = await Promise.all([testConfig, other, other, testConfig].map(globalId));
    expect(seen).toEqual([-1n, -77n, -77n, -1n].map((value) => ({ type: "int", value })));
  });

  it("runs each contract in its own state, whichever its thread ran before", async () => {
    const pool = startPool();
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

  it("keeps the caller's thread free while a get-method burns its gas", async () => {
    const pool = startPool();
    let over = false;
    const run = pool.runMethod(endless).finally(() => {
      over = true;
    });
    const end = expect(run).rejects.toMatchObject({ code: "unavailable" });
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect(over).toBe(false);
    await pool.close();
    await end;
  });

  it("ends a run at its deadline and replaces the thread", async () => {
    const pool = startPool();
    await expect(pool.runMethod(endless, { deadlineMs: 100 })).rejects.toMatchObject({ code: "timeout" });
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
  });

  it("says what CPU time a run took, even if it failed", async () => {
    const pool = startPool();
    const costs = await Promise.all(
      [2_000_000, 20_000].map((gasLimit) => pool.runMethod({ ...endless, gasLimit })),
    );
    expect(costs[0]!.cpuMs).toBeGreaterThan(10 * costs[1]!.cpuMs);
    const failed = await pool.runMethod(method("77", { config: Cell.empty })).catch((error) => error);
    expect(failed.cpuMs).toBeGreaterThan(0);
  });

  it("lets the index and callers take turns", async () => {
    const pool = startPool();
    const order: string[] = [];
    const lanes = ["callers", "callers", "callers", "callers", "index", "index"] as const;
    await Promise.all(
      lanes.map((lane, n) => pool.runMethod(seven, { lane }).then(() => order.push(`${lane} ${n}`))),
    );
    expect(order).toEqual(["callers 0", "index 4", "callers 1", "index 5", "callers 2", "callers 3"]);
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
      { status: "rejected", reason: { code: "timeout" } },
      { status: "fulfilled", value: sevenResult },
    ]);
  });

  it("counts waiting towards the deadline", async () => {
    const pool = startPool();
    const calls = [pool.runMethod(endless, { deadlineMs: 300 }), pool.runMethod(seven, { deadlineMs: 50 })];
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "timeout" } });
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

  it("rejects calls beyond its queue", async () => {
    const pool = startPool({ queue: 2 });
    const calls = Array.from({ length: 4 }, () => pool.runMethod(seven));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(outcomes[3]).toMatchObject({ reason: { code: "unavailable" } });
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
  });

  it("continues after a request that crashed the emulator", async () => {
    const pool = startPool();
    for (let round = 0; round < 3; round++) {
      await expect(pool.runMethod(method("77", { stack: crashing }))).rejects.toMatchObject({
        code: "crashed",
      });
      expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    }
  });

  it("rejects invalid requests without using a thread", async () => {
    const pool = startPool();
    await expect(pool.runMethod(method("77", { gasLimit: 0 }))).rejects.toMatchObject({ code: "invalid" });
  });

  it("runs calls on all its threads", async () => {
    const pool = startPool({ threads: 2 });
    const blocked = expect(pool.runMethod(endless)).rejects.toMatchObject({ code: "unavailable" });
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    await pool.close();
    await blocked;
  });

  it("does not delay other calls by one long run", async () => {
    const pool = startPool({ longRunMs: 1 });
    const calls = [pool.runMethod(endless), ...Array.from({ length: 5 }, () => pool.runMethod(seven))];
    const outcomes = Promise.allSettled(calls);
    for (const call of calls.slice(1)) expect(await call).toMatchObject(sevenResult);
    // While it runs, later calls need not wait either.
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    await pool.close();
    expect((await outcomes)[0]).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  });

  it("makes calls wait while all threads, the spare one included, have long runs", async () => {
    const pool = startPool({ longRunMs: 1 });
    const calls = [pool.runMethod(endless, { deadlineMs: 500 }), pool.runMethod(endless)];
    const outcomes = Promise.allSettled(calls);
    await expect(pool.runMethod(seven, { deadlineMs: 100 })).rejects.toMatchObject({ code: "timeout" });
    // The first run ends at its deadline and frees its thread.
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    await pool.close();
    const codes = (await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.code);
    expect(codes).toEqual(["timeout", "unavailable"]);
  });

  it("ends a run at its own limit, which does not include waiting", async () => {
    const pool = startPool({ runTimeoutMs: 1000 });
    const calls = [endless, endless, seven].map((request) => pool.runMethod(request));
    const [first, second, last] = await Promise.allSettled(calls);
    for (const ended of [first, second])
      expect(ended).toMatchObject({ status: "rejected", reason: { code: "timeout" } });
    expect(last).toMatchObject({ status: "fulfilled", value: sevenResult });
  });

  it("leaves half of its threads to other callers", async () => {
    const pool = startPool({ threads: 3 });
    const calls = Array.from({ length: 6 }, () => pool.runMethod(endless, { caller: "a" }));
    const outcomes = Promise.allSettled(calls);
    // The runs of the first caller never end.
    expect(await pool.runMethod(seven, { caller: "b" })).toMatchObject(sevenResult);
    expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
    const abort = new AbortController();
    const another = pool.runMethod(seven, { caller: "a", signal: abort.signal });
    expect(await pool.runMethod(seven, { caller: "b" })).toMatchObject(sevenResult);
    abort.abort();
    await expect(another).rejects.toMatchObject({ code: "aborted" });
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

  it("ends its threads when there were no calls for a while, and starts them again", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const pool = startPool({ restMs: 10 });
    for (let round = 1; round <= 3; round++) {
      expect(await pool.runMethod(seven)).toMatchObject(sevenResult);
      await until("the threads end", async () => ended.mock.calls.length >= round);
    }
  });

  it("does not end a thread in a run", async () => {
    const pool = startPool({ restMs: 1 });
    const long = method("90EA", { gasLimit: 10_000_000 });
    expect(await pool.runMethod(long)).toMatchObject({ exitCode: -14 });
  });

  it("rejects waiting, running and later calls when it is closed", async () => {
    const pool = startPool();
    const calls = [pool.runMethod(endless), pool.runMethod(seven), pool.runMethod(seven)];
    const outcomes = Promise.allSettled(calls);
    await pool.close();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    await expect(pool.runMethod(seven)).rejects.toMatchObject({ code: "unavailable" });
  });
});
