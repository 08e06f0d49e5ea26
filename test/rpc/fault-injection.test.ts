import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFaultInjection } from "../../server/rpc/fault-injection.js";

describe("calls with injected faults", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are as others without a delay and a share that fails", () => {
    expect(createFaultInjection({ latencyMs: 0, failRate: 0, random: () => 0 })).toBeUndefined();
  });

  it.each([
    [0.5, [0.49, 0.1], "timeout"],
    [0.5, [0.49, 0.9], "unavailable"],
    [1, [0.99, 0.49], "timeout"],
    [1, [0.99, 0.5], "unavailable"],
    [0.5, [0.5], undefined],
  ])("of which %d fail, with the numbers %j, end with %s", async (failRate, numbers, code) => {
    const left = [...numbers];
    const injectFault = createFaultInjection({ latencyMs: 0, failRate, random: () => left.shift()! })!;
    const error = await injectFault().catch((reason: unknown) => reason);
    expect(error).toEqual(
      code && expect.objectContaining({ code, message: "this call fails because of --fail-rate" }),
    );
    expect(left).toEqual([]);
  });
});

it("a delayed call begins after its delay", async () => {
  const injectFault = createFaultInjection({ latencyMs: 5, failRate: 0, random: () => 0.5 })!;
  const before = performance.now();
  await injectFault();
  // Timers round down to a millisecond.
  expect(performance.now() - before).toBeGreaterThan(3.9);
});
