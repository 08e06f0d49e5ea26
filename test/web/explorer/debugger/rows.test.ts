import { describe, expect, it } from "vitest";
import type { DebugStep } from "../../../../client/api.js";
import { foldSteps, type Row, rowsOf } from "../../../../server/web/explorer/debugger/rows.js";

/** Steps at places: a letter is an instruction, and `7.` one of line 7. */
function stepsAt(places: string): DebugStep[] {
  return places.split(" ").map((place, n) => {
    const line = /^(\d+)\.$/.exec(place)?.[1];
    const source = { file: "a.tolk", line: Number(line), column: 1, end_line: Number(line), end_column: 2 };
    return {
      n,
      depth: 0,
      gas: 10,
      at: `${place}:0`,
      op: "NOP",
      ...(line !== undefined && { source }),
    } as DebugStep;
  });
}

/** Rows in short: a unit's steps, and a loop's rounds with the shown one. */
function shown(rows: readonly Row[]): string[] {
  return rows.map(({ from, to, depth, loop }) => {
    const text = loop
      ? `x${loop.rounds} #${loop.shown + 1}`
      : from + 1 === to
        ? `${from}`
        : `${from}-${to - 1}`;
    return " ".repeat(depth) + text;
  });
}

const rows = (places: string, current = 0) => rowsOf(foldSteps(stepsAt(places)), current);

describe("Steps of a run as rows", () => {
  it("are one row for a visit of a source line, and one for each instruction without a source", () => {
    expect(shown(rows("1. 1. 2. 1. a a"))).toEqual(["0-1", "2", "3", "4", "5"]);
    expect(rows("1. 1. 2.").map(({ gas }) => gas)).toEqual([20, 10]);
  });

  it("fold the rounds of a loop, and show the round with the current step", () => {
    const loop = "1. 2. 3. 3. 2. 3. 2. 3. 4.";
    expect(shown(rows(loop))).toEqual(["0", "x3 #1", " 1", " 2-3", "8"]);
    expect(shown(rows(loop, 5))).toEqual(["0", "x3 #2", " 4", " 5", "8"]);
    expect(rows(loop)[1]).toMatchObject({ from: 1, to: 8, gas: 70 });
  });

  it("show the first round of a loop that the current step is not in", () => {
    expect(shown(rows("a b b b c", 4))).toEqual(["0", "x3 #1", " 1", "4"]);
  });

  it("fold loops in loops, whose inner ones may have different rounds", () => {
    const inner = (rounds: number) => `1. ${"2. 3. ".repeat(rounds)}`;
    const outer = `${inner(3)}${inner(5)}${inner(4)}9.`;
    expect(shown(rows(outer, 10))).toEqual(["x3 #2", " 7", " x5 #2", "  10", "  11", "27"]);
  });

  it("do not fold what is repeated once only", () => {
    expect(shown(rows("a b a b c"))).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("have every step once, whatever the run is", () => {
    const places = Array.from({ length: 3000 }, (_, n) => "abcde"[(n * n * 7 + (n >> 4)) % 5]).join(" ");
    const all = (nodes: ReturnType<typeof foldSteps>): number[] =>
      nodes.flatMap((node) => ("rounds" in node ? node.rounds.flatMap(all) : node.steps.map(({ n }) => n)));
    expect(all(foldSteps(stepsAt(places)))).toEqual(Array.from({ length: 3000 }, (_, n) => n));
  });

  it("are none without steps", () => {
    expect(rowsOf(foldSteps([]), 0)).toEqual([]);
  });
});
