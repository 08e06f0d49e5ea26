// A counter in FunC, as its compiler returns it: @ton-community/func-js 0.11.0 with `debugInfo`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cellIn } from "../../../server/artifacts/compiled.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

type FuncOutput = {
  codeBoc: string;
  debugInfo: { locations: { file: string; line: number; func: string }[]; globals: { name: string }[] };
  debugMarksBoc: string;
  snapshot: { filename: string; content: string }[];
};

export const funcCounter: FuncOutput = JSON.parse(
  readFileSync(join(import.meta.dirname, "func-counter.json"), "utf8"),
);

export const funcCounterCode: Cell = cellIn(funcCounter.codeBoc, "the code");

/** The number of the line that has a text, which is on one line only. */
export function lineOf(text: string): number {
  const source = funcCounter.snapshot.find(({ filename }) => filename === "counter.fc")?.content ?? "";
  const lines = source.split("\n").flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
  if (lines.length !== 1) throw new Error(`${lines.length} lines have ${text}`);
  return lines[0]!;
}
