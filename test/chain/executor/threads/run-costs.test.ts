import { describe, expect, it } from "vitest";
import { RunCosts } from "../../../../server/chain/executor/threads/run-costs.js";

describe("the expected cost of runs", () => {
  it("equals the cost of the first one", () => {
    const costs = new RunCosts({ dearer: 0.1, cheaper: 0.1 });
    expect(costs.of("a")).toBeUndefined();
    costs.note("a", 7);
    expect([costs.of("a"), costs.of("b")]).toEqual([7, undefined]);
  });

  it("rises and falls by the weights of dearer and cheaper runs", () => {
    const costs = new RunCosts({ dearer: 1, cheaper: 0.5 });
    for (const ms of [1, 100]) costs.note("a", ms);
    expect(costs.of("a")).toBe(100);
    for (const ms of [0, 0, 5]) costs.note("a", ms);
    expect(costs.of("a")).toBe(15);
  });
});
