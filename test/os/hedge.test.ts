import { describe, expect, it } from "vitest";
import { HedgeBudget, hedged } from "../../server/os/hedge.js";
import { withResolvers } from "../../shared/values/promises.js";
import { ManualTimers } from "../helpers/manual-timers.js";

describe("a slow attempt", () => {
  /** `second`: the answers of the hedges; undefined where no server is left. */
  function start({ second = ["second"], isQueued = false }: { second?: string[]; isQueued?: boolean } = {}) {
    const timers = new ManualTimers();
    const first = withResolvers<string | undefined>();
    const turn = withResolvers<void>();
    const left = [...second];
    const result = hedged(first.promise, {
      timers,
      afterMs: 100,
      ...(isQueued && { begun: turn.promise }),
      second: () => (left.length > 0 ? Promise.resolve(left.shift()) : undefined),
    });
    return { timers, first, turn, result, left };
  }

  it("has a second one after a time", async () => {
    const { timers, result, left } = start();
    timers.pass(99);
    expect(left).toEqual(["second"]);
    timers.pass(1);
    expect(await result).toBe("second");
  });

  it("has none once it has its result, and is waited for if no server is left", async () => {
    const quick = start();
    quick.first.resolve("first");
    expect(await quick.result).toBe("first");
    expect([quick.timers.waiting, quick.left]).toEqual([0, ["second"]]);
    const alone = start({ second: [] });
    alone.timers.pass(100);
    alone.first.resolve("first");
    expect(await alone.result).toBe("first");
  });

  it("is slow from its turn on", async () => {
    const { timers, turn, result, left } = start({ isQueued: true });
    timers.pass(1000);
    turn.resolve();
    await turn.promise;
    expect([timers.next, left]).toEqual([100, ["second"]]);
    timers.pass(100);
    expect(await result).toBe("second");
    const ended = start({ isQueued: true });
    ended.first.resolve("first");
    expect(await ended.result).toBe("first");
    ended.turn.resolve();
    await ended.turn.promise;
    expect(ended.timers.waiting).toBe(0);
  });
});

it("hedges are a tenth of all, beside a burst of ten", () => {
  const budget = new HedgeBudget();
  const spent = () => {
    let count = 0;
    while (budget.spend()) count++;
    return count;
  };
  expect(spent()).toBe(10);
  for (let calls = 0; calls < 55; calls++) budget.earn();
  expect(spent()).toBe(5);
});
