import { expect, test } from "vitest";
import { settledInTime } from "../../../client/verified/settled-in-time.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

const never = new Promise<number>(() => {});

test("all outcomes count if all attempts end", async () => {
  const timers = new ManualTimers();
  const lost = new Error("lost");
  const outcomes = await settledInTime(
    [Promise.resolve(1), Promise.reject(lost), Promise.resolve(3)],
    timers,
  );
  expect(outcomes).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "rejected", reason: lost },
    { status: "fulfilled", value: 3 },
  ]);
  expect(timers.waiting).toBe(0);
});

test("an attempt that hangs is waited for a second after the first success, and no longer", async () => {
  const timers = new ManualTimers();
  const answer = settledInTime([never, Promise.resolve(2)], timers);
  await Promise.resolve();
  expect(timers.next).toBe(1000);
  timers.pass(1000);
  expect(await answer).toEqual([{ status: "fulfilled", value: 2 }]);
});

test("a failure begins no time limit, as another attempt may still succeed", async () => {
  const timers = new ManualTimers();
  let succeed: (value: number) => void = () => {};
  const slow = new Promise<number>((resolve) => {
    succeed = resolve;
  });
  const answer = settledInTime([Promise.reject(new Error("lost")), slow], timers);
  await Promise.resolve();
  expect(timers.waiting).toBe(0);
  succeed(5);
  expect((await answer).at(-1)).toEqual({ status: "fulfilled", value: 5 });
});
