import { describe, expect, it } from "vitest";
import { RunSteps } from "../../../../server/web/explorer/debugger/run-steps.js";

/** Steps 3 to 99 in pages of ten, of which three are kept, and the calls that were made. */
function made(failing = new Set<number>()) {
  const calls: string[] = [];
  const steps = new RunSteps<{ n: number }>(
    { first: 3, end: 100, pageSize: 10, keptPages: 3 },
    async (from, limit) => {
      calls.push(`${from}+${limit}`);
      if (failing.delete(from)) throw new Error("away");
      return Array.from({ length: limit }, (_, place) => ({ n: from + place }));
    },
  );
  return { steps, calls };
}

describe("Steps of a run", () => {
  it("are read by pages, once", async () => {
    const { steps, calls } = made();
    expect(await steps.between(8, 22)).toEqual(Array.from({ length: 14 }, (_, place) => ({ n: 8 + place })));
    expect(await steps.at(20)).toEqual({ n: 20 });
    expect(calls).toEqual(["3+7", "10+10", "20+10"]);
    expect(await steps.at(99)).toEqual({ n: 99 });
    expect(await steps.at(100)).toBeUndefined();
    expect(steps.around(15, 1)).toEqual({ from: 3, to: 30 });
    expect(steps.around(95, 1)).toEqual({ from: 80, to: 100 });
    expect([steps.within(-5), steps.within(50), steps.within(1000)]).toEqual([3, 50, 99]);
  });

  it("are forgotten, those first that were not used for longest", async () => {
    const { steps, calls } = made();
    for (const n of [10, 20, 30, 10, 40]) await steps.at(n);
    calls.length = 0;
    await steps.at(10);
    expect(calls).toEqual([]);
    await steps.at(20);
    expect(calls).toEqual(["20+10"]);
  });

  it("are searched in both directions, page by page", async () => {
    const { steps, calls } = made();
    expect(await steps.find(5, ({ n }) => n % 25 === 0)).toEqual({ n: 25 });
    expect(calls).toEqual(["3+7", "10+10", "20+10"]);
    expect(await steps.find(49, ({ n }) => n % 25 === 0, -1)).toEqual({ n: 25 });
    expect(await steps.find(24, ({ n }) => n % 25 === 0, -1)).toBeUndefined();
    expect(await steps.find(100, () => true)).toBeUndefined();
  });

  it("are read again after a failure", async () => {
    const { steps } = made(new Set([10]));
    await expect(steps.at(12)).rejects.toThrow("away");
    expect(await steps.at(12)).toEqual({ n: 12 });
  });
});
