import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemTimers } from "../../../shared/values/timers.js";

const clock = vi.spyOn(performance, "now");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  clock.mockReturnValue(0);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => clock.mockRestore());

function timer(ms: number) {
  const called = vi.fn();
  return { called, stop: systemTimers.after(ms, called) };
}

test("A timer fires in time, and not after it is stopped", () => {
  const [one, other] = [timer(1000), timer(1000)];
  other.stop();
  clock.mockReturnValue(1003);
  vi.advanceTimersByTime(1000);
  expect([one, other].map(({ called }) => called.mock.calls.length)).toEqual([1, 0]);
});

test.each([
  [1000, 700, 700],
  [1000, 60_000, 1000],
  [60_000, 60_000, 3000],
])(
  "A timer of %i ms that is %i ms late after a standstill of the process waits %i ms more",
  (ms, late, more) => {
    const [one, other] = [timer(ms), timer(ms)];
    clock.mockReturnValue(ms + late);
    vi.advanceTimersByTime(ms + more - 1);
    expect(one.called).not.toHaveBeenCalled();
    other.stop();
    vi.advanceTimersByTime(1);
    expect([one, other].map(({ called }) => called.mock.calls.length)).toEqual([1, 0]);
  },
);
