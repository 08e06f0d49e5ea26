import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { presentInSlices } from "../../server/present/present-in-slices.js";

test("the event loop runs other work between slow items, however few there are", async () => {
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      await setImmediate();
      turns++;
    }
  })();
  const seen: number[] = [];
  const shown = await presentInSlices(
    [1, 2, 3],
    (item) => {
      seen.push(turns);
      const begin = performance.now();
      while (performance.now() - begin < 5);
      return item * 2;
    },
    new AbortController().signal,
  );
  isDone = true;
  await others;
  expect(shown).toEqual([2, 4, 6]);
  expect(new Set(seen).size).toBe(3);
});

test("presenting stops when the call is aborted", async () => {
  const controller = new AbortController();
  const seen: number[] = [];
  const presenting = presentInSlices(
    [1, 2, 3],
    (item) => {
      seen.push(item);
      if (item === 2) controller.abort(new Error("all have left"));
    },
    controller.signal,
  );
  await expect(presenting).rejects.toThrow("all have left");
  expect(seen).toEqual([1, 2]);
});
