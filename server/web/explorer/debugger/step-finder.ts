import type { Call } from "../view.js";
import type { Breakpoint } from "./place.js";
import type { RunReader } from "./run-reader.js";

/** Steps at a place, in order. */
type Hits = { readonly steps: readonly number[]; readonly isCut: boolean };

/** Finds steps of a run; answers for places are kept. */
export class StepFinder {
  readonly #call: Call;
  readonly #reader: RunReader;
  readonly #known = new Map<Breakpoint, Promise<Hits>>();

  constructor(call: Call, reader: RunReader) {
    this.#call = call;
    this.#reader = reader;
  }

  at(place: Breakpoint): Promise<Hits> {
    const known = this.#known.get(place) ?? this.#find(isInCode(place) ? { at: place } : { line: place });
    this.#known.set(place, known);
    known.catch(() => this.#known.delete(place));
    return known;
  }

  /** Steps by what a user has typed: a line, a place, `=` and a value, an instruction or a function. */
  async matching(text: string): Promise<readonly number[]> {
    const found = await Promise.all(searchesOf(text).map((search) => this.#find(search)));
    return [...new Set(found.flatMap(({ steps }) => steps))].sort((one, other) => one - other);
  }

  async #find(search: Search): Promise<Hits> {
    const { steps, is_cut: isCut } = await this.#call("v3.debug.find", { ...this.#reader.asked, ...search });
    return { steps, isCut };
  }
}

type Search = Partial<Record<"line" | "at" | "instruction" | "function" | "equals", string>>;

function searchesOf(text: string): Search[] {
  if (isInCode(text)) return [{ at: text }];
  if (/^(.+:)?\d{1,7}$/.test(text)) return [{ line: text }];
  if (text.startsWith("=")) return [{ equals: text.slice(1).trim() }];
  return [{ instruction: text }, { function: text }];
}

function isInCode(place: string): boolean {
  return /^[\da-f]{64}:\d{1,4}$/i.test(place);
}

/**
 * The visit after, or before, that of a step: the step where it begins. Steps that follow each other are one visit.
 */
export function nextVisit(steps: readonly number[], n: number, direction: 1 | -1): number | undefined {
  const begins = steps.filter((step, index) => step !== (steps[index - 1] ?? Number.NaN) + 1);
  return direction > 0 ? begins.find((step) => step > n) : begins.findLast((step) => step < n);
}
