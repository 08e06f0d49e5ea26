import { describe, expect, it } from "vitest";
import { LeasedCounters } from "../../../server/access/limits/leased-counters.js";
import { RateLimit } from "../../../server/access/limits/rate-limit.js";
import { type Lease, Windows } from "../../../server/access/limits/windows.js";
import { until } from "../../helpers/until.js";

const limit = { rps: 10, burst: 100 };
const bucket = { name: "key:a", plan: "test", limit };

/** Processes with one table, on a clock that stands. */
function processes(count: number) {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const table = new Windows(now, count);
  let questions = 0;
  const source = {
    lease: async (request: Parameters<Windows["lease"]>[0]) => {
      questions++;
      return table.lease(request);
    },
    giveBack: (rest: Parameters<Windows["giveBack"]>[0]) => table.giveBack(rest),
    owe: async (...debt: Parameters<Windows["owe"]>) => table.owe(...debt),
  };
  const counters = Array.from({ length: count }, () => new LeasedCounters(source, now));
  const limits = counters.map(
    (each) => new RateLimit({ counters: each, metrics: { refused: () => {} }, now }),
  );
  /** How many of single points that process gets, one after the other. */
  const spend = async (process: number, points: number) => {
    let granted = 0;
    for (let point = 0; point < points; point++) granted += (await limits[process]!.spend(bucket, 1)).granted;
    return granted;
  };
  return { clock, counters, limits, spend, questions: () => questions };
}

describe("limits of several processes", () => {
  it("grant a caller that comes to one process every point of a window, and none more", async () => {
    const { clock, spend, questions } = processes(4);
    expect(await spend(0, 150)).toBe(100);
    expect(questions()).toBeLessThan(60);
    clock.now += 10_000;
    expect(await spend(0, 150)).toBe(100);
  });

  it("never grant more than the limit, and less only by what other processes hold", async () => {
    const { spend } = processes(4);
    // The first process holds a share of its quarter: 99 left, a quarter of a quarter.
    expect(await spend(0, 1)).toBe(1);
    expect(await spend(1, 200)).toBe(100 - 1 - 6);
    expect(await spend(0, 200)).toBe(6);
    expect(await spend(2, 10)).toBe(0);
  });

  it("grant callers that change between processes nearly all, and never more", async () => {
    const { spend } = processes(3);
    let granted = 0;
    for (let call = 0; call < 300; call++) granted += await spend(call % 3, 1);
    expect(granted).toBe(100);
  });

  it("grant calls that come at once each their points", async () => {
    const { limits } = processes(2);
    const spendings = await Promise.all(
      Array.from({ length: 150 }, (_, call) => limits[call % 2]!.spend(bucket, 1)),
    );
    const granted = spendings.filter((spending) => spending.granted === 1).length;
    expect(granted).toBeLessThanOrEqual(100);
    expect(granted).toBeGreaterThanOrEqual(88);
  });

  it("charge a batch that exceeds what is held for what it gets", async () => {
    const { limits } = processes(2);
    expect((await limits[0]!.spend(bucket, 1)).granted).toBe(1);
    expect(await limits[0]!.spend(bucket, 150)).toMatchObject({ granted: 99, retryAfterSec: 10 });
  });

  it("let every process know of a debt", async () => {
    const { clock, limits, spend } = processes(2);
    await limits[0]!.settle(bucket, 95);
    expect(await spend(1, 100)).toBe(5);
    expect(await spend(0, 1)).toBe(0);
    clock.now += 10_000;
    expect(await spend(0, 1)).toBe(1);
  });

  it("leave to others what a process that stops has not used", async () => {
    const { clock, counters, spend } = processes(4);
    expect(await spend(0, 1)).toBe(1);
    expect(await spend(1, 200)).toBe(100 - 1 - 6);
    await counters[0]!.close();
    expect(await spend(2, 10)).toBe(6);
    clock.now += 10_000;
    await counters[2]!.close();
    expect(await spend(3, 150)).toBe(100);
  });

  it("do not make a call wait for the question of another one", async () => {
    const charge = { bucket: "key:a", windowSec: 10, burst: 100 };
    const answers: ((lease: Lease) => void)[] = [];
    const counters = new LeasedCounters(
      {
        lease: () => new Promise((resolve) => answers.push(resolve)),
        giveBack: () => {},
        owe: async () => 0,
      },
      () => 0,
    );
    const asked = (count: number) => until("the question", async () => answers.length === count);
    const answer = { consumedPoints: 3, extra: 0, msBeforeNext: 1, owedMs: 0 };
    const early = counters.add({ ...charge, points: 1 });
    await asked(1);
    const together = [1, 2].map((points) => counters.add({ ...charge, points }));
    await asked(2);
    answers[1]!(answer);
    // Each has its place among the points of their question.
    expect((await Promise.all(together)).map(({ consumedPoints }) => consumedPoints)).toEqual([1, 3]);
    answers[0]!({ ...answer, consumedPoints: 4 });
    expect((await early).consumedPoints).toBe(4);
  });
});
