import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Faults } from "../../server/rpc/fault-injection.js";

describe("calls with injected faults", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are as others without a delay and a share that fails", () => {
    expect(
      new Faults(
        () => 0,
        () => ({ latencyMs: 0, failRate: 0 }),
      ).current,
    ).toBeUndefined();
  });

  it.each([
    [0.5, [0.49, 0.1], "timeout"],
    [0.5, [0.49, 0.9], "unavailable"],
    [1, [0.99, 0.49], "timeout"],
    [1, [0.99, 0.5], "unavailable"],
    [0.5, [0.5], undefined],
  ])("of which %d fail, with the numbers %j, end with %s", async (failRate, numbers, code) => {
    const left = [...numbers];
    const faults = new Faults(
      () => left.shift()!,
      () => ({ latencyMs: 0, failRate }),
    );
    const error = await faults.current!().catch((reason: unknown) => reason);
    expect(error).toEqual(
      code && expect.objectContaining({ code, message: "this call fails because of the devnet's fail rate" }),
    );
    expect(left).toEqual([]);
  });

  it("follow the conditions of the moment they begin", async () => {
    let conditions = { latencyMs: 0, failRate: 1 };
    const faults = new Faults(
      () => 0.5,
      () => conditions,
    );
    const before = faults.current!;
    conditions = { latencyMs: 0, failRate: 0 };
    expect(faults.current).toBeUndefined();
    await expect(before()).rejects.toMatchObject({ code: "unavailable" });
  });
});

it("a delayed call begins after its delay", async () => {
  const faults = new Faults(
    () => 0.5,
    () => ({ latencyMs: 5, failRate: 0 }),
  );
  const before = performance.now();
  await faults.current!();
  // Timers round down to a millisecond.
  expect(performance.now() - before).toBeGreaterThan(3.9);
});
