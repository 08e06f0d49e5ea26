import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServiceError } from "../../../server/errors.js";
import { AnswerBudget } from "../../../server/rpc/answers/answer-budget.js";

const limits = { maxAnswerBytes: 1000, maxCallerBytes: 1500, maxTotalBytes: 4000, waitMs: 500 };

const tooLong = {
  code: "too-large",
  message: "answer is too large: at most 1000 bytes; use a smaller limit and page",
  data: { max: 1000 },
};
const crowded = {
  code: "too-large",
  message:
    "answer is too large beside unread answers: at most 1500 bytes per caller; read them first, or use a smaller limit and page",
  data: { max: 1500, retry_after: 1 },
};
const seen = (error: ServiceError | undefined) =>
  error && { code: error.code, message: error.message, data: error.data };

describe("the budget of answers", () => {
  it("counts what each allowance holds until it is written", () => {
    const budget = new AnswerBudget(limits);
    const [one, other] = [budget.open("a"), budget.open("b")];
    expect(one.take(600)).toBeUndefined();
    other.add(100);
    expect([budget.held, one.held, other.held]).toEqual([700, 600, 100]);
    one.release(400);
    expect([budget.held, one.held, other.held]).toEqual([300, 200, 100]);
    one.close();
    expect([budget.held, one.held]).toEqual([100, 0]);
    other.close();
    expect(budget.held).toBe(0);
  });

  it("leaves as much free as one caller holds at most", () => {
    const budget = new AnswerBudget({ ...limits, maxCallerBytes: 4000 });
    expect([budget.hasRoom("a", 2000), budget.hasRoom("a", 2001)]).toEqual([true, false]);
    budget.open("a").add(1000);
    // 3,000 are free: "a" may hold 1,000 more, and others may hold 1,500 then.
    expect([budget.hasRoom("a", 1000), budget.hasRoom("a", 1001)]).toEqual([true, false]);
    expect([budget.hasRoom("b", 1500), budget.hasRoom("b", 1501)]).toEqual([true, false]);
  });

  it("leaves a caller what it may hold by itself, over all of its answers", () => {
    const budget = new AnswerBudget(limits);
    const first = budget.open("a");
    first.add(1000);
    expect([budget.hasRoom("a", 500), budget.hasRoom("a", 501), budget.hasRoom("b", 501)]).toEqual([
      true,
      false,
      true,
    ]);
    const second = budget.open("a");
    second.add(500);
    expect(budget.hasRoom("a", 1)).toBe(false);
    first.close();
    expect([budget.hasRoom("a", 1000), budget.hasRoom("a", 1001)]).toEqual([true, false]);
  });

  it.each([
    [1500, 4000, 1500],
    [1500, 2001, 1000],
    [3000, 3000, 1500],
  ])(
    "of %i for each caller and %i for all, one caller may hold %i",
    (maxCallerBytes, maxTotalBytes, share) => {
      expect(new AnswerBudget({ ...limits, maxCallerBytes, maxTotalBytes }).largestShare).toBe(share);
    },
  );
});

describe("the allowance of an answer", () => {
  it("refuses a result that does not fit into the answer, and counts what fits exactly", () => {
    const budget = new AnswerBudget(limits);
    const allowance = budget.open("a");
    expect(allowance.take(400)).toBeUndefined();
    expect(seen(allowance.take(601))).toEqual(tooLong);
    expect([budget.held, allowance.held]).toEqual([400, 400]);
    expect(allowance.take(600)).toBeUndefined();
    // Written parts still count for the length of the answer.
    allowance.release(1000);
    expect(seen(allowance.take(1))).toEqual(tooLong);
  });

  it("is spent once a result did not fit into an answer that was more than half full", () => {
    const budget = new AnswerBudget(limits);
    const half = budget.open("a");
    half.take(500);
    expect(half.spent).toBeUndefined();
    half.take(501);
    expect(half.spent).toBeUndefined();
    const more = budget.open("b");
    more.take(501);
    expect(more.spent).toBeUndefined();
    more.take(500);
    expect(seen(more.spent)).toEqual(tooLong);
  });

  it("is spent by bytes that are never refused, beyond the length of an answer", () => {
    const allowance = new AnswerBudget(limits).open("a");
    allowance.add(1000);
    expect(allowance.spent).toBeUndefined();
    allowance.add(1);
    expect(seen(allowance.spent)).toEqual(tooLong);
    expect(allowance.held).toBe(1001);
  });

  it("refuses a result that has no room beside unread answers", () => {
    const budget = new AnswerBudget(limits);
    budget.open("a").add(1000);
    const allowance = budget.open("a");
    expect(seen(allowance.take(501))).toEqual(crowded);
    expect(seen(allowance.crowded())).toEqual(crowded);
    expect([allowance.take(500), budget.held]).toEqual([undefined, 1500]);
  });

  it("counts reserved bytes once, and gives them back", () => {
    const budget = new AnswerBudget(limits);
    const allowance = budget.open("a");
    expect(allowance.reserve(900)).toBe(true);
    expect([budget.held, allowance.held]).toEqual([900, 0]);
    // 600 more are free for this caller: the result needs 100 of them.
    expect(allowance.take(1000)).toBeUndefined();
    allowance.unreserve(900);
    expect([budget.held, allowance.held]).toEqual([1000, 1000]);
    expect([allowance.reserve(501), allowance.reserve(500)]).toEqual([false, true]);
    allowance.close();
    expect(budget.held).toBe(0);
  });

  it("takes a result within what is reserved although there is no more room", () => {
    const budget = new AnswerBudget({ ...limits, maxCallerBytes: 2500, maxTotalBytes: 2400 });
    const allowance = budget.open("a");
    expect(allowance.reserve(800)).toBe(true);
    budget.open("b").add(1000);
    expect(budget.hasRoom("a", 1)).toBe(false);
    expect(allowance.take(800)).toBeUndefined();
    expect(seen(allowance.take(801 - 600))?.code).toBe("too-large");
  });

  it("expects further results as long as the longest, as far as they can fit", () => {
    const allowance = new AnswerBudget(limits).open("a");
    expect(allowance.expected).toBe(0);
    allowance.take(300);
    expect(allowance.expected).toBe(300);
    allowance.take(100);
    expect(allowance.expected).toBe(300);
    // One that was refused tells their length too; 600 are left of the answer.
    allowance.take(5000);
    expect(allowance.expected).toBe(600);
    allowance.add(700);
    expect(allowance.expected).toBe(0);
    const scarce = new AnswerBudget({ ...limits, maxTotalBytes: 400 }).open("a");
    scarce.take(5000);
    expect(scarce.expected).toBe(200);
  });

  it("counts nothing once it is closed", () => {
    const budget = new AnswerBudget(limits);
    const allowance = budget.open("a");
    allowance.add(100);
    allowance.close();
    allowance.close();
    expect(allowance.take(5000)).toBeUndefined();
    allowance.add(10);
    allowance.release(10);
    allowance.unreserve(10);
    expect(allowance.reserve(10)).toBe(false);
    expect([budget.held, allowance.held, allowance.expected]).toEqual([0, 0, 0]);
  });

  it("lets the calls of one batch start at once, and those of another one later", async () => {
    const budget = new AnswerBudget(limits);
    const [one, other] = [budget.open("a"), budget.open("b")];
    expect([one.mayStart(), one.mayStart()]).toEqual([undefined, undefined]);
    expect(await other.mayStart()).toBe(true);
    const late = one.mayStart();
    one.close();
    expect(await late).toBe(false);
  });
});

describe("waiting for room", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Callers who hold all but 400 bytes of what they may. */
  function setUp() {
    const budget = new AnswerBudget(limits);
    const unread = budget.open("a");
    unread.add(1100);
    return { budget, unread };
  }

  it("ends as others are written, in a turn of the event loop of its own", async () => {
    const { budget, unread } = setUp();
    const waiting = budget.open("a");
    const results: boolean[] = [];
    void waiting.reserveLater(500).then((granted) => results.push(granted));
    unread.release(99);
    await vi.advanceTimersByTimeAsync(1);
    expect([results, budget.held]).toEqual([[], 1001]);
    unread.release(1);
    expect(budget.held).toBe(1000);
    await vi.advanceTimersByTimeAsync(1);
    expect([results, budget.held]).toEqual([[true], 1500]);
    // Nothing is left that would end later.
    await vi.advanceTimersByTimeAsync(1000);
    expect([results, budget.held]).toEqual([[true], 1500]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("grants in the order of the waits, as far as there is room", async () => {
    const { budget, unread } = setUp();
    const results: string[] = [];
    for (const [name, bytes] of Object.entries({ first: 450, long: 1000, second: 450 }))
      void budget
        .open("a")
        .reserveLater(bytes)
        .then((granted) => results.push(`${name} ${granted}`));
    unread.release(500);
    await vi.advanceTimersByTimeAsync(1);
    expect([results, budget.held]).toEqual([["first true", "second true"], 1500]);
    await vi.advanceTimersByTimeAsync(500);
    expect(results).toEqual(["first true", "second true", "long false"]);
  });

  it("ends without room after its time", async () => {
    const { budget } = setUp();
    const results: boolean[] = [];
    void budget
      .open("a")
      .reserveLater(500)
      .then((granted) => results.push(granted));
    await vi.advanceTimersByTimeAsync(499);
    expect(results).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([results, budget.held]).toEqual([[false], 1100]);
  });

  it("ends when its allowance is closed, and only then", async () => {
    const { budget, unread } = setUp();
    const [closed, other] = [budget.open("a"), budget.open("a")];
    const results: string[] = [];
    void closed.reserveLater(500).then((granted) => results.push(`closed ${granted}`));
    void other.reserveLater(500).then((granted) => results.push(`other ${granted}`));
    closed.close();
    await vi.advanceTimersByTimeAsync(1);
    expect(results).toEqual(["closed false"]);
    expect(await closed.reserveLater(1)).toBe(false);
    unread.close();
    await vi.advanceTimersByTimeAsync(1);
    expect([results, budget.held]).toEqual([["closed false", "other true"], 500]);
  });
});
