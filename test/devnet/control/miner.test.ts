import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Miner, type MiningSetting } from "../../../server/devnet/control/miner.js";

describe("the miner", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  /** A miner of a fake chain that counts steps. Each step removes a unit of `work`. */
  function start(setting: MiningSetting, step: () => Promise<void> = async () => {}) {
    const made: number[] = [];
    const errors: unknown[] = [];
    const state: { work: number; due?: number } = { work: 0 };
    const miner: Miner = new Miner(
      setting,
      {
        hasWork: () => state.work > 0,
        msUntilDue: () => (state.due === undefined ? undefined : Math.max(0, state.due - Date.now())),
        async step() {
          await step();
          state.work = Math.max(0, state.work - 1);
          made.push(Date.now());
          miner.onBlock();
        },
        onError: (error) => errors.push(error),
      },
      Date.now,
    );
    miner.start();
    return { miner, made, errors, state };
  }

  it("makes a block every interval while there is work, and a heartbeat otherwise", async () => {
    const { miner, made, state } = start({ mode: "interval", intervalMs: 1000 });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(made).toEqual([10_000, 20_000]);
    state.work = 3;
    miner.wake();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(made.slice(2)).toEqual([25_000, 26_000, 27_000, 37_000]);
    miner.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made).toHaveLength(6);
  });

  it("makes a block immediately for every message, and none otherwise", async () => {
    const { miner, made, state } = start({ mode: "message", intervalMs: 1000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made).toEqual([]);
    state.work = 2;
    miner.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(made).toHaveLength(2);
    miner.close();
  });

  it("returns when the block of a message is due", async () => {
    const { miner } = start({ mode: "interval", intervalMs: 1000 });
    expect(miner.msUntilBlock).toBe(1000);
    await vi.advanceTimersByTimeAsync(400);
    expect(miner.msUntilBlock).toBe(600);
    await vi.advanceTimersByTimeAsync(5000);
    expect(miner.msUntilBlock).toBe(0);
    miner.change({ mode: "manual", intervalMs: 1000 });
    miner.onBlock();
    expect(miner.msUntilBlock).toBe(0);
    miner.close();
  });

  it.each([
    ["interval", [10_000, 13_000, 14_000, 15_000, 25_000]],
    ["message", [13_000, 14_000, 15_000]],
  ] as const)("makes a block when elections are due, in mode %s", async (mode, times) => {
    const { miner, made, state } = start({ mode, intervalMs: 1000 });
    state.due = 13_000;
    miner.wake();
    // A block is due until then, and blocks keep the interval.
    await vi.advanceTimersByTimeAsync(14_500);
    state.due = 15_000;
    await vi.advanceTimersByTimeAsync(500);
    delete state.due;
    miner.wake();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(made).toEqual(times);
    miner.close();
  });

  it("waits for elections that are weeks away", async () => {
    const { miner, made, state } = start({ mode: "message", intervalMs: 1000 });
    state.due = 2 ** 40;
    miner.wake();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(made).toEqual([]);
    miner.close();
  });

  it("makes no blocks in manual mode, until the mode is changed", async () => {
    const { miner, made, state } = start({ mode: "manual", intervalMs: 1000 });
    state.work = 1;
    state.due = 5000;
    miner.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made).toEqual([]);
    miner.change({ mode: "interval", intervalMs: 50 });
    await vi.advanceTimersByTimeAsync(0);
    expect(made).toHaveLength(1);
    expect(miner.setting).toEqual({ mode: "interval", intervalMs: 50 });
    miner.close();
  });

  it("retries after a failure, with a delay", async () => {
    let failures = 2;
    const { miner, made, errors, state } = start({ mode: "message", intervalMs: 1000 }, async () => {
      if (failures-- > 0) throw new Error("no block today");
    });
    state.work = 1;
    miner.wake();
    await vi.advanceTimersByTimeAsync(5000);
    expect(errors).toHaveLength(2);
    expect(made).toEqual([2000]);
    miner.close();
  });

  it("makes one block at a time", async () => {
    let running = 0;
    const { miner, made, state } = start({ mode: "interval", intervalMs: 50 }, async () => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      running--;
    });
    state.work = 3;
    miner.wake();
    for (let wakes = 0; wakes < 20; wakes++) {
      await vi.advanceTimersByTimeAsync(100);
      miner.wake();
    }
    expect(made).toHaveLength(3);
    miner.close();
  });
});
