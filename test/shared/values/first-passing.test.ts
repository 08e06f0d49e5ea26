import { expect, test } from "vitest";
import { firstPassing } from "../../../shared/values/first-passing.js";

test("finds the first number of a range that passes, wherever it is", () => {
  for (let to = 0; to < 20; to++)
    for (let first = 0; first <= to; first++) expect(firstPassing(0, to, (n) => n >= first)).toBe(first);
});

test("tries no number outside of the range, and few within it", () => {
  const tried: number[] = [];
  const found = firstPassing(3, 1003, (n) => {
    tried.push(n);
    return n >= 700;
  });
  expect(found).toBe(700);
  expect(tried.every((n) => n >= 3 && n < 1003)).toBe(true);
  expect(tried.length).toBeLessThanOrEqual(10);
});

test("an empty range has none", () => {
  expect(firstPassing(5, 5, () => expect.unreachable())).toBe(5);
});
