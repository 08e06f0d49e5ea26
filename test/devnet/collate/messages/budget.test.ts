import { describe, expect, it } from "vitest";
import { Budget } from "../../../../server/devnet/collate/messages/budget.js";

describe("the budget of a step", () => {
  it("is spent by transactions", () => {
    const budget = Budget.of({ transactions: 2, timeMs: Number.POSITIVE_INFINITY }, () => 0);
    const left = [budget.remaining];
    for (let i = 0; i < 3; i++) {
      budget.spend();
      left.push(budget.remaining);
    }
    expect(left).toEqual([2, 1, 0, 0]);
  });

  it("is over with its time, which begins when it is made", () => {
    let now = 1000;
    const budget = Budget.of({ transactions: 5, timeMs: 100 }, () => now);
    now = 1099;
    expect(budget.remaining).toBe(5);
    now = 1100;
    expect(budget.remaining).toBe(0);
  });

  it("may reserve a part for others, with whom it counts the same transactions", () => {
    let now = 0;
    const whole = Budget.of({ transactions: 10, timeMs: 100 }, () => now);
    const part = whole.reserving({ transactions: 4, timeMs: 30 });
    part.spend();
    whole.spend();
    expect([whole.remaining, part.remaining]).toEqual([8, 4]);
    for (let i = 0; i < 5; i++) whole.spend();
    expect([whole.remaining, part.remaining]).toEqual([3, 0]);
    // Its time ends earlier, too.
    const early = whole.reserving({ transactions: 0, timeMs: 30 });
    now = 69;
    expect([whole.remaining, early.remaining]).toEqual([3, 3]);
    now = 70;
    expect([whole.remaining, early.remaining]).toEqual([3, 0]);
  });
});
