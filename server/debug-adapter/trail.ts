import type { DebugStepRecord, DebugTrailRecord } from "../../shared/schema/v3/debug.js";
import type { DebugSource } from "../../shared/schema/v3/debug-values.js";
import { addToGroup, groupBy } from "../../shared/values/groups.js";
import { lazy } from "../../shared/values/lazy.js";
import { RequestError } from "./service-calls.js";

/** A visit of a function: from its first step to the step behind its last one. */
type Visit = {
  readonly name: string;
  /** The visit that it was called in; -1 for the outermost ones. */
  readonly parent: number;
  readonly depth: number;
  readonly from: number;
  to: number;
};

/** An instruction, and where it is in the sources. */
type TrailPlace = Pick<DebugStepRecord, "at" | "op" | "args" | "text" | "depth" | "source">;

/** Steps that have the same object as their place are numbered faster. */
export type TrailStep = Pick<DebugStepRecord, "n" | "frames" | "print"> & { readonly place: TrailPlace };

/** An instruction at a place in the code. */
type Instruction = { readonly at: string; readonly text: string };

const none = -1;
const maxVisits = 1_000_000;
/** Files of compilers are shown, but not stepped into. */
const library = /^@/;

/** The steps of a run in a form that is quick to walk: the line, the function and the instruction of each. */
export class Trail {
  readonly first: number;
  readonly visits: readonly Visit[];
  readonly places: readonly DebugSource[];
  readonly instructions: readonly Instruction[];
  readonly prints: ReadonlyMap<number, string>;
  readonly #placeOf: Int32Array;
  readonly #visitOf: Int32Array;
  readonly #instructionOf: Int32Array;
  /** The file and line of each place, as a number. */
  readonly #lineOf: readonly number[];
  readonly #begins: Uint8Array;

  constructor(parts: TrailParts) {
    this.first = parts.first;
    this.visits = parts.visits;
    this.places = parts.places;
    this.instructions = parts.instructions;
    this.prints = parts.prints;
    this.#placeOf = Int32Array.from(parts.placeOf);
    this.#visitOf = Int32Array.from(parts.visitOf);
    this.#instructionOf = Int32Array.from(parts.instructionOf);
    this.#lineOf = lineNumbers(parts.places);
    this.#begins = this.#statements();
  }

  /** The number behind the last step. */
  get end(): number {
    return this.first + this.#placeOf.length;
  }

  get hasLines(): boolean {
    return this.#lineOf.some((line) => line !== none);
  }

  place(n: number): DebugSource | undefined {
    return this.places[this.#placeOf[n - this.first] ?? none];
  }

  /** The line of a step, as a number; -1 if it has none that is stepped into. */
  line(n: number): number {
    return this.#lineOf[this.#placeOf[n - this.first] ?? none] ?? none;
  }

  visit(n: number): number {
    return this.#visitOf[n - this.first] ?? none;
  }

  depth(n: number): number {
    return this.visits[this.visit(n)]?.depth ?? none;
  }

  instruction(n: number): Instruction | undefined {
    return this.instructions[this.#instructionOf[n - this.first] ?? none];
  }

  /** Whether a step is the first one of a statement: what a visit of a function does in a line, with all that it calls there. */
  begins(n: number): boolean {
    return this.#begins[n - this.first] === 1;
  }

  /** The first steps of the statements of a line. */
  statementsOf(file: string, line: number): readonly number[] {
    return this.#byLine().get(`${line}:${file}`) ?? [];
  }

  /** The steps of an instruction, by its place in the code. */
  stepsAt(at: string): readonly number[] {
    return this.#byInstruction().get(at) ?? [];
  }

  /** The first steps of the visits of a function. */
  callsOf(name: string): readonly number[] {
    return (this.#byFunction().get(name) ?? []).map(({ from }) => from);
  }

  readonly #byLine = lazy(() =>
    grouped(this, (n) => {
      const place = this.begins(n) ? this.place(n) : undefined;
      return place && `${place.line}:${place.file}`;
    }),
  );

  readonly #byInstruction = lazy(() => grouped(this, (n) => this.instruction(n)?.at));

  readonly #byFunction = lazy(() => groupBy(this.visits, ({ name }) => name));

  /** The visits that are open at a step, the innermost one first. */
  chain(n: number): number[] {
    const chain: number[] = [];
    for (let at = this.visit(n); at !== none; at = this.visits[at]!.parent) chain.push(at);
    return chain;
  }

  #statements(): Uint8Array {
    const begins = new Uint8Array(this.#placeOf.length);
    /** The last line of each visit. */
    const lines = new Map<number, number>();
    for (let n = this.first; n < this.end; n++) {
      const line = this.line(n);
      if (line === none) continue;
      const visit = this.visit(n);
      if (lines.get(visit) !== line) begins[n - this.first] = 1;
      lines.set(visit, line);
    }
    return begins;
  }
}

/** The steps of a page of `v3.debug.trail`, with the functions that are open where they change. */
export function* stepsOf({ from, steps, places, frames, prints }: DebugTrailRecord): Generator<TrailStep> {
  const printed = new Map(prints.map(({ step, text }) => [step, text]));
  let last: number | null | undefined;
  for (const [index, number] of steps.entries()) {
    const place = places[number]!;
    const { frame } = place;
    const n = from + index;
    const print = printed.get(n);
    yield {
      ...{ n, place },
      ...(frame !== last && { frames: chainOf(frame, frames) }),
      ...(print !== undefined && { print }),
    };
    last = frame;
  }
}

/** Names of the functions from the outermost one to a frame. */
function chainOf(frame: number | null, frames: DebugTrailRecord["frames"]): string[] {
  const names: string[] = [];
  for (let at = frame; at !== null; at = frames[at]!.parent) names.push(frames[at]!.name);
  return names.reverse();
}

/** Steps by a name, in order; those without one are left out. */
function grouped(
  { first, end }: { readonly first: number; readonly end: number },
  nameOf: (n: number) => string | undefined,
): Map<string, number[]> {
  const steps = new Map<string, number[]>();
  for (let n = first; n < end; n++) {
    const name = nameOf(n);
    if (name !== undefined) addToGroup(steps, name, n);
  }
  return steps;
}

function lineNumbers(places: readonly DebugSource[]): number[] {
  const numbers = new Map<string, number>();
  return places.map(({ file, line }) => {
    if (library.test(file)) return none;
    const name = `${file}:${line}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

type TrailParts = {
  first: number;
  visits: Visit[];
  places: DebugSource[];
  instructions: Instruction[];
  prints: Map<number, string>;
  placeOf: number[];
  visitOf: number[];
  instructionOf: number[];
};

type PlaceNumbers = { readonly place: number; readonly instruction: number };

/** Makes a trail of steps, in their order. */
export class TrailBuilder {
  readonly #parts: TrailParts;
  readonly #known = { places: new Map<string, number>(), instructions: new Map<string, number>() };
  readonly #numbers = new WeakMap<TrailPlace, PlaceNumbers>();
  #open: number[] = [];

  constructor(first: number) {
    this.#parts = {
      first,
      ...{ visits: [], places: [], instructions: [] },
      prints: new Map(),
      ...{ placeOf: [], visitOf: [], instructionOf: [] },
    };
  }

  add(step: TrailStep): void {
    const { n, place, frames, print } = step;
    const parts = this.#parts;
    if (frames) this.#enter(frames, n);
    const numbers = this.#numbers.get(place) ?? this.#numbersOf(place);
    parts.visitOf.push(this.#open.at(-1) ?? none);
    parts.placeOf.push(numbers.place);
    parts.instructionOf.push(numbers.instruction);
    if (print !== undefined) parts.prints.set(n, print);
  }

  finish(): Trail {
    const { first, placeOf, visits } = this.#parts;
    for (const visit of this.#open) visits[visit]!.to = first + placeOf.length;
    return new Trail(this.#parts);
  }

  #enter(names: readonly string[], n: number): void {
    const { visits } = this.#parts;
    let same = 0;
    while (same < this.#open.length && same < names.length && visits[this.#open[same]!]!.name === names[same])
      same++;
    for (const visit of this.#open.splice(same)) visits[visit]!.to = n;
    for (const name of names.slice(same)) {
      if (visits.length >= maxVisits)
        throw new RequestError("the run calls more functions than can be shown");
      const parent = this.#open.at(-1) ?? none;
      this.#open.push(visits.push({ name, parent, depth: this.#open.length, from: n, to: n }) - 1);
    }
  }

  #numbersOf(place: TrailPlace): PlaceNumbers {
    const numbers = {
      place: place.source ? this.#placeNumber(place.source) : none,
      instruction: this.#instructionNumber(place),
    };
    this.#numbers.set(place, numbers);
    return numbers;
  }

  #placeNumber(source: DebugSource): number {
    const { places } = this.#parts;
    const { file, line, column } = source;
    return numberOf(`${line}:${column}:${file}`, this.#known.places, () => places.push(source));
  }

  #instructionNumber({ at, op, args, text }: TrailPlace): number {
    if (at === undefined) return none;
    const { instructions } = this.#parts;
    const shown = op === undefined ? (text ?? "") : args === undefined ? op : `${op} ${args}`;
    return numberOf(at, this.#known.instructions, () => instructions.push({ at, text: shown }));
  }
}

/** The number of a thing; `add` adds a new one, and returns how many there are then. */
function numberOf(name: string, known: Map<string, number>, add: () => number): number {
  const number = known.get(name) ?? add() - 1;
  known.set(name, number);
  return number;
}
