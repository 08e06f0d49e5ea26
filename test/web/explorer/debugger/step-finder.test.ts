import { describe, expect, it } from "vitest";
import { nextVisit, StepFinder } from "../../../../server/web/explorer/debugger/step-finder.js";

/** A finder, and the searches that it asks for; each has one of the steps. */
function finder(...steps: number[]) {
  const asked: object[] = [];
  const call = async (_method: string, params: object) => {
    asked.push(params);
    return { run: "", steps: steps.splice(0, 1), is_cut: false };
  };
  const reader = { asked: { run: "tx:1" } };
  return { asked, found: new StepFinder(call as never, reader as never) };
}

describe("Visits of a place", () => {
  const steps = [3, 4, 5, 9, 12, 13];

  it("begin where steps do not follow each other", () => {
    expect([0, 3, 4, 9, 12].map((n) => nextVisit(steps, n, 1))).toEqual([3, 9, 9, 12, undefined]);
    expect([20, 12, 5, 3].map((n) => nextVisit(steps, n, -1))).toEqual([12, 9, 3, undefined]);
    expect(nextVisit([], 0, 1)).toBeUndefined();
  });
});

describe("Steps that are searched for", () => {
  const cell = `${"ab".repeat(32)}:5`;

  it.each([
    ["a.tolk:31", [{ line: "a.tolk:31" }]],
    ["31", [{ line: "31" }]],
    [cell, [{ at: cell }]],
    ["= 5", [{ equals: "5" }]],
    ["throwif", [{ instruction: "throwif" }, { function: "throwif" }]],
  ])("are of a line, a place, a value, an instruction or a function: %s", async (text, searches) => {
    const { asked, found } = finder(7, 2);
    expect(await found.matching(text)).toEqual(searches.length === 1 ? [7] : [2, 7]);
    expect(asked).toEqual(searches.map((search) => ({ run: "tx:1", ...search })));
  });

  it("are asked for once at a place", async () => {
    const { asked, found } = finder(7);
    expect(await found.at("a.tolk:3")).toBe(await found.at("a.tolk:3"));
    expect(asked).toHaveLength(1);
  });
});
