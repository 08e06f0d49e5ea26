import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Progress, ProgressDisplay, progressLine } from "../../server/cli/progress-display.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function display(isTerminal: boolean) {
  const written: string[] = [];
  const printed: string[] = [];
  let progress: Progress | undefined;
  const terminal = { isTerminal, write: (text: string) => void written.push(text) };
  const shown = new ProgressDisplay(
    terminal,
    (line) => void printed.push(line),
    () => progress && progressLine("blocks", progress),
  );
  const reach = (missing: number) => {
    progress = { all: 200, missing, perSec: 4, remainingSec: Math.ceil(missing / 4) };
  };
  return { shown, reach, written, printed };
}

test("A terminal has one line that changes every second and goes at the end", () => {
  const { shown, reach, written, printed } = display(true);
  shown.begin();
  vi.advanceTimersByTime(1000);
  reach(150);
  vi.advanceTimersByTime(1000);
  reach(100);
  vi.advanceTimersByTime(1000);
  shown.end();
  shown.end();
  vi.advanceTimersByTime(5000);
  const clear = "\r\u001b[2K";
  expect(written).toEqual([
    `${clear}50 of 200 blocks (25 %), 4.0 per second, 38 s left`,
    `${clear}100 of 200 blocks (50 %), 4.0 per second, 25 s left`,
    clear,
  ]);
  expect(printed).toEqual([]);
});

test("Elsewhere a line is printed every ten seconds", () => {
  const { shown, reach, written, printed } = display(false);
  reach(199);
  shown.begin();
  vi.advanceTimersByTime(25_000);
  shown.end();
  const line = "1 of 200 blocks (0 %), 4.0 per second, 50 s left";
  expect([printed, written]).toEqual([[line, line], []]);
});

test.each([
  [
    { all: 3000, missing: 0, perSec: 312.4, remainingSec: 0 },
    "3000 of 3000 blocks (100 %), 312 per second, 0 s left",
  ],
  [{ all: 7, missing: 7, perSec: 0, remainingSec: undefined }, "0 of 7 blocks (0 %), 0.0 per second"],
  [
    { all: 9, missing: 1, perSec: 1, remainingSec: 7000 },
    "8 of 9 blocks (88 %), 1.0 per second, 117 min left",
  ],
  [
    { all: 9, missing: 1, perSec: 1, remainingSec: 90_000 },
    "8 of 9 blocks (88 %), 1.0 per second, 25 h left",
  ],
  [
    { all: 9, missing: 1, perSec: 1, remainingSec: 864_000 },
    "8 of 9 blocks (88 %), 1.0 per second, 10 d left",
  ],
  [{ all: 0, missing: 0, perSec: 0, remainingSec: 0 }, "0 of 0 blocks (100 %), 0.0 per second, 0 s left"],
])("%j reads well", (progress, line) => {
  expect(progressLine("blocks", progress)).toBe(line);
});
