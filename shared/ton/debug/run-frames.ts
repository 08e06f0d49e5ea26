import type { LoggedStep } from "../tvm/machine-log.js";
import type { Located } from "./maps/cell-sections.js";
import type { Mark } from "./maps/marks.js";
import type { SourceMap } from "./maps/source-map.js";
import type { RunCode } from "./run-code.js";

/** A function that was called. */
type Frame = {
  readonly name: string;
  /** The frame that called it; -1 for the first ones. */
  readonly parent: number;
};

/** Frames that are kept of recursions. */
const maxDepth = 256;
const noFrame = -1;

/** The function and the place in the sources of each step of a run. */
export class RunFrames {
  readonly frames: readonly Frame[];
  /** Whether some frames are methods and cells of a code without a map. */
  readonly isApproximate: boolean;
  readonly #first: number;
  readonly #frameOf: Int32Array;
  readonly #places: readonly Located[];
  readonly #placeOf: Int32Array;

  constructor(parts: {
    frames: readonly Frame[];
    isApproximate: boolean;
    first: number;
    frameOf: Int32Array;
    places: readonly Located[];
    placeOf: Int32Array;
  }) {
    this.frames = parts.frames;
    this.isApproximate = parts.isApproximate;
    this.#first = parts.first;
    this.#frameOf = parts.frameOf;
    this.#places = parts.places;
    this.#placeOf = parts.placeOf;
  }

  /** The frame of a step; -1 if no function is known. */
  frameOf(n: number): number {
    return this.#frameOf[n - this.#first] ?? noFrame;
  }

  /** The function of a step. */
  nameOf(n: number): string | undefined {
    return this.frames[this.frameOf(n)]?.name;
  }

  /** The place in the sources of a step, as a number; -1 if none is known. */
  placeOf(n: number): number {
    return this.#placeOf[n - this.#first] ?? -1;
  }

  located(n: number): Located | undefined {
    return this.#places[this.placeOf(n)];
  }

  /** Frames from the outermost one to that of a step. */
  chain(n: number): string[] {
    const names: string[] = [];
    for (let at = this.frameOf(n); at !== noFrame; at = this.frames[at]!.parent)
      names.push(this.frames[at]!.name);
    return names.reverse();
  }
}

/** Is told of what happens along a walk. */
export type FrameListener = {
  opened(name: string): void;
  /** So many frames are left. */
  closed(count: number): void;
  /** A mark at the place of a step, after its frame was opened, and before it is closed. */
  passed(mark: Mark, n: number, located: SourceMap): void;
};

/** The steps of a run, as far as a walk looks at them. */
type WalkedSteps = {
  readonly first: number;
  readonly end: number;
  at(n: number): Pick<LoggedStep, "at" | "depth">;
};

/** Walks along the steps of a run, part by part, and follows its calls. */
export class FrameWalk {
  readonly #listener: FrameListener | undefined;
  readonly #log: WalkedSteps;
  readonly #code: RunCode;
  readonly #frames: Frame[] = [];
  readonly #known = new Map<string, number>();
  readonly #frameOf: Int32Array;
  readonly #places: Located[] = [];
  readonly #placeNumbers = new Map<Located, number>();
  readonly #placeOf: Int32Array;
  /** The frames that are open, the innermost one last. */
  readonly #open: number[] = [];
  readonly #returns: Returns;
  /** Where each machine inside of others began: how many frames were open, and the place. */
  readonly #machines: { readonly open: number; readonly place: number }[] = [];
  /** How many frames were open when the last one was opened without a mark. */
  #followed = -1;
  #place = -1;
  #n: number;
  #isApproximate = false;

  constructor(log: WalkedSteps, code: RunCode, listener?: FrameListener) {
    this.#listener = listener;
    this.#log = log;
    this.#code = code;
    this.#returns = new Returns(code);
    this.#n = log.first;
    this.#frameOf = new Int32Array(log.end - log.first);
    this.#placeOf = new Int32Array(log.end - log.first);
  }

  /** Walks so many steps. Returns whether there are more. */
  read(steps: number): boolean {
    const { end, first } = this.#log;
    for (const until = Math.min(end, this.#n + steps); this.#n < until; this.#n++) {
      const step = this.#log.at(this.#n);
      this.#enterMachine(step.depth);
      if (step.at) {
        this.#closeTo(this.#returns.pass(step.at, this.#open.length, this.#own));
        this.#enter(step.at.cell, step.at.offset);
      }
      this.#frameOf[this.#n - first] = this.#open.at(-1) ?? noFrame;
      this.#placeOf[this.#n - first] = this.#place;
    }
    return this.#n < end;
  }

  finish(): RunFrames {
    return new RunFrames({
      frames: this.#frames,
      isApproximate: this.#isApproximate,
      first: this.#log.first,
      frameOf: this.#frameOf,
      places: this.#places,
      placeOf: this.#placeOf,
    });
  }

  /** How many frames are those of machines around the one that runs. */
  get #own(): number {
    return this.#machines.at(-1)?.open ?? 0;
  }

  #enterMachine(depth: number): void {
    while (this.#machines.length < depth) {
      this.#machines.push({ open: this.#open.length, place: this.#place });
      this.#place = -1;
    }
    while (this.#machines.length > depth) {
      const { open, place } = this.#machines.pop()!;
      this.#closeTo(open);
      this.#place = place;
    }
  }

  #enter(cell: string, offset: number): void {
    const map = this.#code.mapOf(cell);
    if (map) {
      for (const mark of map.marksAt(cell, offset)) this.#apply(mark, map);
      const located = map.at(cell, offset);
      if (!located) return;
      this.#place = this.#placeNumber(located);
      if (located.function !== undefined && !located.isCall) this.#follow(located.function);
      return;
    }
    // A cell without marks is a part of what was before it, unless it is the beginning of a code, which chooses a method.
    if (this.#code.hasMapOf(cell) && !this.#code.cells.isRoot(cell)) return;
    this.#place = -1;
    if (this.#code.cells.isRoot(cell)) return;
    this.#isApproximate = true;
    const name = this.#code.methodOf(cell) ?? (this.#open.length === 0 ? cellName(cell) : undefined);
    if (name !== undefined) this.#follow(name);
  }

  #apply(mark: Mark, map: SourceMap): void {
    if (mark.kind === "enter" && !mark.isBuiltin) this.#begin(mark.function);
    this.#listener?.passed(mark, this.#n, map);
    if (mark.kind === "leave" && this.#nameOf(this.#open.at(-1)) === mark.function)
      this.#closeTo(this.#open.length - 1);
  }

  #begin(name: string): void {
    // Instructions before the mark may have told of the function.
    if (this.#followed === this.#open.length && this.#nameOf(this.#open.at(-1)) === name) this.#followed = -1;
    else this.#push(name);
  }

  /** What the marks do not tell, such as where an exception ends, the function of a place does. */
  #follow(name: string): void {
    if (this.#nameOf(this.#open.at(-1)) === name) return;
    const own = this.#own;
    const at = this.#open.findLastIndex((frame, index) => index >= own && this.#nameOf(frame) === name);
    if (at >= 0) this.#closeTo(at + 1);
    else {
      this.#push(name);
      this.#followed = this.#open.length;
    }
  }

  #push(name: string): void {
    if (this.#open.length >= maxDepth) return;
    const parent = this.#open.at(-1) ?? noFrame;
    const key = `${parent} ${name}`;
    const known = this.#known.get(key);
    this.#open.push(known ?? this.#frames.push({ name, parent }) - 1);
    if (known === undefined) this.#known.set(key, this.#frames.length - 1);
    this.#listener?.opened(name);
  }

  #closeTo(count: number): void {
    if (count >= this.#open.length) return;
    this.#open.length = count;
    this.#listener?.closed(count);
  }

  #nameOf(frame: number | undefined): string | undefined {
    return frame === undefined ? undefined : this.#frames[frame]?.name;
  }

  #placeNumber(located: Located): number {
    const known = this.#placeNumbers.get(located);
    if (known !== undefined) return known;
    const number = this.#places.push(located) - 1;
    this.#placeNumbers.set(located, number);
    return number;
  }
}

type Place = { readonly cell: string; readonly offset: number };

/** The places behind instructions that went elsewhere, by which returns are told from other jumps. */
class Returns {
  readonly #code: RunCode;
  /** How often a place is to be returned to, by the number of frames that were open. */
  readonly #places: Map<string, number>[] = [];
  #last: Place | undefined;

  constructor(code: RunCode) {
    this.#code = code;
  }

  /** Goes on to the next place with so many open frames, `own` of them at least; returns how many are open there. */
  pass(next: Place, open: number, own: number): number {
    const last = this.#last;
    this.#last = next;
    this.#places.length = Math.min(this.#places.length, open + 1);
    const instruction = last && this.#code.cells.at(last.cell, last.offset);
    if (!instruction) return open;
    const behind = last.offset + instruction.bits;
    if (next.cell === last.cell && next.offset === behind) return open;
    const place = nameOf(next);
    for (let frames = open; frames >= own; frames--) {
      const places = this.#places[frames];
      const count = places?.get(place) ?? 0;
      if (count === 0) continue;
      places!.set(place, count - 1);
      return frames;
    }
    const places = this.#places[open] ?? new Map<string, number>();
    this.#places[open] = places;
    const from = nameOf({ cell: last.cell, offset: behind });
    places.set(from, (places.get(from) ?? 0) + 1);
    return open;
  }
}

function nameOf({ cell, offset }: Place): string {
  return `${cell}:${offset}`;
}

/** Cells without a name are known by the beginning of their hash. */
export function cellName(cell: string): string {
  return `cell ${cell.slice(0, 8)}`;
}
