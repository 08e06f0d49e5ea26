import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { ExecutorError } from "../../../../server/chain/executor/executor-error.js";
import {
  type EmulatorSource,
  emulatorSource,
} from "../../../../server/chain/executor/patches/emulator-source.js";
import { ExecutorThreads } from "../../../../server/chain/executor/threads/executor-threads.js";
import { ShortMethods } from "../../../../server/chain/executor/threads/short-methods.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import type { MethodRequest } from "../../../../shared/ton/run/method-request.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { libraryCell } from "../../../helpers/chain/library-cell.js";
import { account, bytesCell, testConfig, testTime } from "../../../helpers/chain/sample-chain.js";
import { sized } from "../../../helpers/effort.js";
import { noFallback, recordedFallback } from "../../../helpers/no-fallback.js";
import { until } from "../../../helpers/until.js";

/** A builder with an exotic cell, which causes an uncaught C++ exception. */
const crashing: StackValue[] = [{ type: "builder", cell: libraryCell(Cell.empty) }];
const int = (value: number): StackValue => ({ type: "int", value: BigInt(value) });

function method(code: string, more: Partial<MethodRequest> = {}): MethodRequest {
  const subject = { code: bytesCell(code), data: Cell.empty, address: account, methodId: 0, balance: 5n };
  const surroundings = { config: testConfig, now: testTime, randSeed: new Uint8Array(32), stack: [] };
  return { ...surroundings, ...subject, ...more };
}

/** NOW */
const now = method("F823");
/** DROP, then the argument times nothing. */
const countdown = (from: number, more: Partial<MethodRequest> = {}) =>
  method("3090E4", { stack: [int(from)], ...more });

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

/** Opens short methods that know these requests and have an emulator. */
async function opened(known: readonly MethodRequest[], clock = () => 0, fallback = noFallback) {
  const inThreads: MethodRequest[] = [];
  const source = vi.fn(emulatorSource);
  const pool = {
    source,
    async runMethod(request: MethodRequest) {
      inThreads.push(request);
      return { ...executor.runMethod(request), cpuMs: 0 };
    },
  };
  const methods = new ShortMethods(pool, fallback, clock);
  const runsHere = async (request: MethodRequest): Promise<boolean> => {
    const before = inThreads.length;
    expect(await methods.runMethod(request)).toMatchObject(executor.runMethod(request));
    return inThreads.length === before;
  };
  for (const request of known) await methods.runMethod(request);
  await until("the emulator is there", () => runsHere(known[0]!));
  return { methods, inThreads, runsHere, opens: () => source.mock.calls.length };
}

describe("short get-methods in the caller's thread", () => {
  /** Tests that do not change the executor share this one: making an emulator takes time. */
  let shared: Awaited<ReturnType<typeof opened>>;
  beforeAll(async () => {
    shared = await opened([now]);
  });

  it("are methods that were short in a thread", async () => {
    const long = countdown(5000);
    const { runsHere } = await opened([now, long]);
    expect(await runsHere(now)).toBe(true);
    expect(executor.runMethod(long).gasUsed).toBeGreaterThan(10_000);
    expect(await runsHere(long)).toBe(false);
    // The same code, but another method.
    expect(await runsHere({ ...now, methodId: 1 })).toBe(false);
  });

  it("have the results that they have in a thread", async () => {
    // DUP ADD | 1 GETGLOB | throws 100 | NEWC ENDC CTOS, which has no reference: LDREF
    const codes = ["3020A0", "30F841", "30F264", "30C8C9D0D4"];
    const requests = codes.map((code) => method(code, { stack: [int(4)] }));
    const { runsHere } = await opened(requests);
    for (const request of requests) expect(await runsHere(request)).toBe(true);
  });

  it("are left to a thread when they need more gas, and for a while after", async () => {
    const { runsHere } = await opened([countdown(3)]);
    expect(await runsHere(countdown(5))).toBe(true);
    expect(await runsHere(countdown(5000))).toBe(false);
    expect(await runsHere(countdown(3))).toBe(false);
    // It runs here again after enough short runs.
    await until("it runs here again", () => runsHere(countdown(3)));
  });

  it("end at a lower limit of gas that the caller sets", async () => {
    const { methods, runsHere } = await opened([countdown(3)]);
    const limited = countdown(5000, { gasLimit: 500 });
    expect(await runsHere(limited)).toBe(true);
    expect(await methods.runMethod(limited)).toMatchObject({ exitCode: -14 });
  });

  it("are left to a thread with a long contract, many arguments, or a log", async () => {
    const { runsHere } = shared;
    let data = Cell.empty;
    for (let level = 0; level < 300; level++)
      data = beginCell().storeBytes(new Uint8Array(100).fill(level)).storeRef(data).endCell();
    expect(await runsHere({ ...now, data })).toBe(false);
    expect(await runsHere({ ...now, stack: Array.from({ length: 1000 }, (_, n) => int(n)) })).toBe(false);
    expect(await runsHere({ ...now, log: "steps" })).toBe(false);
  });

  it("are left to a thread once they were slow several times", async () => {
    let ms = 0;
    let runMs = 0;
    const { runsHere } = await opened([now], () => {
      ms += runMs;
      return ms;
    });
    runMs = 9;
    for (let run = 0; run < 2; run++) expect(await runsHere(now)).toBe(true);
    expect(await runsHere(now)).toBe(false);
    runMs = 0;
    await until("it runs here again", () => runsHere(now));
  });

  it("may be slow now and then", async () => {
    let ms = 0;
    let calls = 0;
    // Two readings for each run: one run of twenty is slow.
    const { runsHere } = await opened([now], () => {
      ms += ++calls % 40 === 0 ? 5 : 0;
      return ms;
    });
    for (let run = 0; run < 200; run++) expect(await runsHere(now)).toBe(true);
  });

  it("go on in the same emulator after a request that is at fault", async () => {
    const { methods, runsHere, opens } = shared;
    for (let round = 0; round < 5; round++) {
      const faulty = methods.runMethod({ ...now, extraCurrencies: new Map([[2 ** 40, 5n]]) });
      await expect(faulty).rejects.toMatchObject({ code: "invalid" });
      expect(await runsHere(now)).toBe(true);
    }
    expect(opens()).toBe(1);
  });

  it("run one in a turn of the event loop", async () => {
    const { methods, inThreads } = shared;
    inThreads.length = 0;
    const ended: number[] = [];
    const runs = [0, 1, 2].map(async (number) => {
      await methods.runMethod(now);
      ended.push(number);
    });
    const seen: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await new Promise(setImmediate);
      seen.push(ended.length);
    }
    await Promise.all(runs);
    expect(inThreads).toEqual([]);
    expect(ended).toEqual([0, 1, 2]);
    for (const [turn, count] of seen.entries()) expect(count).toBeLessThanOrEqual(turn + 1);
  });

  it("leave further ones to threads while many wait", async () => {
    const { methods, inThreads } = shared;
    inThreads.length = 0;
    const results = await Promise.all(Array.from({ length: 40 }, () => methods.runMethod(now)));
    expect(inThreads).toHaveLength(8);
    for (const result of results) expect(result).toMatchObject(executor.runMethod(now));
  });
});

describe("short get-methods without a separate emulator", () => {
  it.each([
    [new Error("no memory"), ["short-methods"]],
    // The pool is closing.
    [new ExecutorError("unavailable", "The pool is closed"), []],
  ])("run in threads: %s", async (problem, reasons) => {
    const { fallback, failures } = recordedFallback();
    const runMethod = async (request: MethodRequest) => ({ ...executor.runMethod(request), cpuMs: 0 });
    const source = vi.fn(() => Promise.reject(problem));
    const methods = new ShortMethods({ source, runMethod }, fallback, () => 0);
    for (let round = 0; round < 2; round++)
      expect(await methods.runMethod(now)).toMatchObject(executor.runMethod(now));
    await vi.waitFor(() => expect(source).toHaveBeenCalled());
    expect(failures).toEqual(reasons.map((reason) => [reason, problem]));
  });
});

describe("short get-methods before a pool", () => {
  let pool: ExecutorThreads;
  let methods: ShortMethods;
  beforeAll(async () => {
    pool = new ExecutorThreads({ threads: 1 });
    methods = new ShortMethods(pool, noFallback);
    for (let round = 0; round < 5; round++) await methods.runMethod(now);
  });
  afterAll(() => pool.close());

  /** Methods that are all fast, regardless of the machine, once they have an emulator. */
  async function fastMethods(source: () => Promise<EmulatorSource>, fallback = noFallback) {
    const inThreads: MethodRequest[] = [];
    const counted = {
      source,
      async runMethod(request: MethodRequest) {
        inThreads.push(request);
        return { ...(await pool.runMethod(request)), cpuMs: 0 };
      },
    };
    const own = new ShortMethods(counted, fallback, () => 0);
    await until("the emulator is there", async () => {
      inThreads.length = 0;
      await own.runMethod(now);
      return inThreads.length === 0;
    });
    return { own, inThreads };
  }

  it("end like those of the pool, however often", async () => {
    const requests = [now, countdown(7), countdown(5000), method("30F264")];
    const expected = requests.map((request) => executor.runMethod(request));
    for (let round = 0; round < 4; round++) {
      const results = await Promise.all(requests.map((request) => methods.runMethod(request)));
      expect(results).toMatchObject(expected);
    }
  });

  it("keep their emulator while hostile results are too large for it, or for any stack", async () => {
    const source = vi.fn(() => pool.source());
    const { own, inThreads } = await fastMethods(source);
    // DROP ZERO SWAP PUSHCONT { 15 0 BLKPUSH } REPEAT
    const copies = (times: number) => method("307001925FF0E4", { stack: [int(times)] });
    const ends: string[] = [];
    for (let round = 0; round < sized(6, 100); round++) {
      const times = [60, 100, 500, 534, 1333, 1400][round % 6]!;
      // Another method each time: a thread must repeat a method that was once too large here.
      await own.runMethod({ ...copies(1), methodId: round });
      const hostile = own.runMethod({ ...copies(times), methodId: round });
      const harmless = own.runMethod(now);
      ends.push(await hostile.then(() => "result").catch((error: Error) => error.name));
      expect(await harmless).toMatchObject(executor.runMethod(now));
    }
    expect(new Set(ends)).toEqual(new Set(["result", "StackError"]));
    expect(inThreads.some((request) => request === now)).toBe(false);
    expect(source).toHaveBeenCalledTimes(1);
  });

  it("report why a request fails, and continue with another emulator", async () => {
    const { fallback, failures } = recordedFallback();
    const source = vi.fn(() => pool.source());
    const { own } = await fastMethods(source, fallback);
    await expect(own.runMethod({ ...now, balance: 2n ** 63n })).rejects.toThrow("must be below 2^63");
    await expect(own.runMethod({ ...now, stack: crashing })).rejects.toMatchObject({ code: "crashed" });
    for (let round = 0; round < 5; round++)
      expect(await own.runMethod(now)).toMatchObject(executor.runMethod(now));
    expect(failures).toEqual([["short-methods", expect.objectContaining({ code: "crashed" })]]);
  });
});
