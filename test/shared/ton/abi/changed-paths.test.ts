import { expect, test } from "vitest";
import { changedPaths } from "../../../../shared/ton/abi/changed-paths.js";

test.each([
  ["equal values", { a: [1, { b: "2" }] }, { a: [1, { b: "2" }] }, []],
  ["members", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ path: "a.c", before: 2, after: 3 }]],
  [
    "items, and what is there only once",
    { list: ["x", "y"], gone: null },
    { list: ["x", "z", "w"] },
    [
      { path: "list[1]", before: "y", after: "z" },
      { path: "list[2]", before: undefined, after: "w" },
      { path: "gone", before: null, after: undefined },
    ],
  ],
  ["values of other kinds", { a: [] }, { a: {} }, [{ path: "a", before: [], after: {} }]],
  ["the whole", "1", "2", [{ path: "", before: "1", after: "2" }]],
])("the parts of two values that differ: %s", (_, before, after, changes) => {
  expect(changedPaths(before, after)).toEqual(changes);
});

test("at most 64 parts are listed, and deep ones as they are", () => {
  const many = (from: number) => Array.from({ length: 100 }, (_, at) => at + from);
  expect(changedPaths(many(0), many(1))).toHaveLength(64);
  let [before, after]: unknown[] = [1, 2];
  for (let depth = 0; depth < 100; depth++) [before, after] = [{ a: before }, { a: after }];
  expect(changedPaths(before, after)).toMatchObject([{ path: expect.stringMatching(/^a(?:\.a)+$/) }]);
});
