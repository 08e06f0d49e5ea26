import { readLoggedValue, splitValues } from "../tvm/logged-values.js";
import type { LoggedStep, MachineLog } from "../tvm/machine-log.js";
import { nameOfStep } from "./profile/gas-tree.js";
import type { DerivedRegisters } from "./registers.js";
import type { RunCode } from "./run-code.js";
import type { RunFrames } from "./run-frames.js";
import { thrownCode } from "./thrown-code.js";

/** What steps are searched for. */
export type Search =
  | { readonly line: number; readonly file: string | undefined }
  | { readonly at: string }
  | { readonly instruction: string }
  | { readonly function: string }
  | { readonly writes: "c4" | "c5" | "c7" | number }
  | { readonly throws: number | "any" }
  | { readonly action: number }
  | { readonly equals: string };

type SearchedRun = {
  readonly log: MachineLog;
  readonly code: RunCode;
  /** For searches by line and function. */
  readonly frames: RunFrames | undefined;
  /** For searches by register. */
  readonly registers: DerivedRegisters | undefined;
};

/** Finds steps, part by part. */
export class StepSearch {
  readonly found: number[] = [];
  readonly #run: SearchedRun;
  readonly #matches: (step: LoggedStep) => boolean;
  readonly #max: number;
  #n: number;

  constructor(run: SearchedRun, search: Search, max: number) {
    this.#run = run;
    this.#matches = matcher(run, search);
    this.#max = max;
    this.#n = run.log.first;
  }

  /** Looks at so many steps. Returns whether there are more. */
  read(steps: number): boolean {
    const { log } = this.#run;
    for (const until = Math.min(log.end, this.#n + steps); this.#n < until; this.#n++) {
      if (!this.#matches(log.at(this.#n))) continue;
      this.found.push(this.#n);
      if (this.found.length > this.#max) return false;
    }
    return this.#n < log.end;
  }
}

function matcher(
  { log, code, frames, registers }: SearchedRun,
  search: Search,
): (step: LoggedStep) => boolean {
  if ("line" in search)
    return ({ n }) => {
      const place = frames?.located(n)?.place;
      return place?.line === search.line && (search.file === undefined || isFile(place.file, search.file));
    };
  if ("at" in search) return ({ at }) => at !== undefined && `${at.cell}:${at.offset}` === search.at;
  if ("instruction" in search) {
    const wanted = search.instruction.toUpperCase();
    return ({ at, text }) => nameOfStep(code, at, text).toUpperCase() === wanted;
  }
  if ("function" in search) return ({ n }) => frames?.nameOf(n) === search.function;
  if ("writes" in search) {
    const { writes } = search;
    const steps =
      typeof writes === "number" ? registers?.writesOfGlobal(writes) : registers?.writesOf(writes);
    return isOneOf(steps ?? []);
  }
  if ("throws" in search)
    return (step) => {
      const code = thrownCode(step, splitValues(log.stackBefore(step.n) ?? ""));
      return code !== undefined && (search.throws === "any" || code === search.throws);
    };
  if ("action" in search) return isOneOf(log.queued.slice(search.action, search.action + 1));
  return leavesValue(log, search.equals);
}

function isOneOf(steps: readonly number[]): (step: LoggedStep) => boolean {
  const set = new Set(steps);
  return ({ n }) => set.has(n);
}

/** Files are named from anywhere in their paths. */
function isFile(file: string, wanted: string): boolean {
  return file === wanted || file.endsWith(`/${wanted}`);
}

/** Steps that leave an integer, or a cell of a hash, on top of the stack, where another value was. */
function leavesValue(log: MachineLog, wanted: string): (step: LoggedStep) => boolean {
  return ({ n }) => {
    if (n + 1 >= log.end) return false;
    const after = topOf(log, n + 1);
    return after !== undefined && after !== topOf(log, n) && isValue(after, wanted);
  };
}

function topOf(log: MachineLog, n: number): string | undefined {
  return splitValues(log.stackBefore(n) ?? "").at(-1);
}

function isValue(text: string, wanted: string): boolean {
  if (text === wanted) return true;
  const value = readLoggedValue(text);
  return "cell" in value && value.cell.hashHex() === wanted.toLowerCase();
}
