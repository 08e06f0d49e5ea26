import { describe, expect, it } from "vitest";
import { type Frame, flameOf, frameAt, stepIn } from "../../../../server/web/explorer/debugger/flame.js";

const frame = (
  name: string,
  depth: number,
  [from, to]: [number, number],
  [before, gas]: [number, number],
): Frame => ({
  ...{ name, depth, from, to, before, gas },
});
const frames = [
  frame("main", 0, [0, 100], [0, 1000]),
  frame("load", 1, [10, 30], [50, 400]),
  frame("tiny", 1, [40, 41], [500, 0.5]),
];

describe("A flame over steps", () => {
  it("is as wide as its gas, without what could not be seen", () => {
    expect(flameOf(frames, 1000)).toEqual([
      { frame: frames[0], x: 0, width: 1 },
      { frame: frames[1], x: 0.05, width: 0.4 },
    ]);
    expect(flameOf(frames, 0)).toEqual([]);
  });

  it("finds the innermost function of a step, and a step by its gas", () => {
    expect([5, 10, 29, 30, 40, 100].map((step) => frameAt(frames, step)?.name)).toEqual([
      "main",
      "load",
      "load",
      "main",
      "tiny",
      undefined,
    ]);
    expect([50, 250, 449, 450, 0].map((gas) => stepIn(frames[1]!, gas))).toEqual([10, 20, 29, 29, 10]);
    expect(stepIn(frame("free", 0, [7, 9], [3, 0]), 3)).toBe(7);
  });
});
