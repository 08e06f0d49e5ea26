import { describe, expect, it } from "vitest";
import { RateLimiter } from "../../client/transports/rate-limiter.js";
import { cpuMs } from "../helpers/cpu-time.js";

const second = 1000;
const minute = 60 * second;

function limiterAt(limit?: { rps: number; burst?: number }) {
  const clock = { time: 0 };
  const limiter = new RateLimiter({ now: () => clock.time }, limit);
  /** Number of calls granted over a time, if requested every millisecond. */
  const throughput = (ms: number) => {
    let granted = 0;
    for (const end = clock.time + ms; clock.time < end; clock.time++) granted += limiter.take(1);
    return granted;
  };
  return { clock, limiter, throughput };
}

describe("a rate limiter", () => {
  it("lets everything through until it knows a limit", () => {
    const { limiter } = limiterAt();
    expect(limiter.take(1_000_000)).toBe(1_000_000);
  });

  it.each([{ rps: 10, burst: 20 }, { rps: 1, burst: 1 }, { rps: 0.5, burst: 1 }, { rps: 7 }])(
    "of %j never exceeds it in any window of the service, and uses it up",
    (limit) => {
      const { clock, limiter } = limiterAt(limit);
      const burst = limit.burst ?? limit.rps;
      const windowMs = (burst / limit.rps) * second;
      const times: number[] = [];
      for (; clock.time < 20 * windowMs; clock.time += 7) if (limiter.take(1)) times.push(clock.time);
      for (const [n, time] of times.entries()) {
        const next = times[n + burst];
        if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(windowMs);
      }
      expect(times.length).toBeGreaterThan(18 * burst);
    },
  );

  it("returns how long to wait", () => {
    const { clock, limiter } = limiterAt({ rps: 2, burst: 2 });
    expect([limiter.take(5), limiter.take(1)]).toEqual([2, 0]);
    clock.time = 300;
    expect(limiter.waitMs()).toBe(700);
    clock.time = 1000;
    expect(limiter.take(5)).toBe(2);
  });

  it("learns from the header of a refusal", () => {
    const { clock, limiter, throughput } = limiterAt();
    limiter.refused('"standard";q=10;w=2', 2000);
    expect([limiter.take(1), limiter.waitMs()]).toEqual([0, 2000]);
    clock.time = 2000;
    expect(throughput(20_000)).toBe(100);
  });

  it.each([
    ["whose parameters have another order", '"standard";w=2;q=10'],
    ["that names several policies", '"standard";q=10;w=2, "day";q=1000;w=60'],
  ])("learns from a header %s", (_, policy) => {
    const { clock, limiter, throughput } = limiterAt();
    limiter.refused(policy, 2000);
    clock.time = 2000;
    expect(throughput(20_000)).toBe(100);
  });

  it("learns one call for each wait without the header", () => {
    const { clock, limiter, throughput } = limiterAt();
    limiter.refused(null, 5000);
    clock.time = 5000;
    expect(throughput(25_000)).toBe(5);
    limiter.refused(null, undefined);
    clock.time += second;
    expect(throughput(10 * second)).toBe(10);
  });

  it("keeps the limit it was given where that is the stricter one, for good", () => {
    const { clock, limiter, throughput } = limiterAt({ rps: 5 });
    limiter.refused('"standard";q=10;w=1', second);
    clock.time = 10 * minute;
    expect(throughput(10 * second)).toBe(50);
    limiter.refused('"standard";q=2;w=1', second);
    clock.time += second;
    expect(throughput(10 * second)).toBe(20);
  });

  it("creeps up by a tenth each minute without a refusal", () => {
    const { clock, limiter, throughput } = limiterAt();
    limiter.refused('"standard";q=100;w=10', second);
    clock.time = 10 * minute;
    expect(throughput(10 * second)).toBeGreaterThan(250);
    limiter.refused('"standard";q=100;w=10', second);
    clock.time += second;
    expect(throughput(10 * second)).toBeLessThan(101);
  });

  it("believes no service that wants it silent for ever", () => {
    const { clock, limiter } = limiterAt();
    for (const [policy, wait] of [
      [null, 1e12],
      ['"x";q=0;w=0', 1e12],
      ['"x";q=1;w=99999999999', 5],
    ] as const) {
      limiter.refused(policy, wait);
      clock.time += minute;
      expect(limiter.take(1)).toBe(1);
      clock.time += minute;
      expect(limiter.take(1)).toBe(1);
    }
  });

  it("reads a policy of any length at once", () => {
    const { limiter } = limiterAt();
    expect(cpuMs(1000, () => limiter.refused(";q=1".repeat(50_000), second))).toBeLessThan(1000);
    expect(limiter.waitMs()).toBe(second);
  });
});
