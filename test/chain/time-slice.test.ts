import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";

/** Counts rounds of the event loop until it is stopped. */
function countRounds(): { readonly count: number; stop(): void } {
  let count = 0;
  let running = true;
  const next = () => {
    count++;
    if (running) setImmediate(next);
  };
  setImmediate(next);
  return {
    get count() {
      return count;
    },
    stop() {
      running = false;
    },
  };
}

test("A slice of 0 ms yields every time", async () => {
  const rounds = countRounds();
  const timeSlice = new TimeSlice(0);
  for (let i = 0; i < 10; i++) await timeSlice.yieldIfDue();
  expect(rounds.count).toBeGreaterThanOrEqual(10);
  rounds.stop();
});

test("A slice with time left does not yield", async () => {
  const rounds = countRounds();
  await nextRound();
  const before = rounds.count;
  const timeSlice = new TimeSlice(Number.POSITIVE_INFINITY);
  for (let i = 0; i < 10; i++) await timeSlice.yieldIfDue();
  expect(rounds.count).toBe(before);
  rounds.stop();
});

test("Tasks that share a slice continue one at a time, in turns", async () => {
  const rounds = countRounds();
  const timeSlice = new TimeSlice(0);
  const seen: { work: string; round: number }[] = [];
  const work = async (name: string) => {
    for (let i = 0; i < 4; i++) {
      await timeSlice.yieldIfDue();
      seen.push({ work: name, round: rounds.count });
    }
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  rounds.stop();
  expect(seen.map((each) => each.work).join("")).toBe("abcabcabcabc");
  expect(new Set(seen.map(({ round }) => round)).size).toBe(seen.length);
});
