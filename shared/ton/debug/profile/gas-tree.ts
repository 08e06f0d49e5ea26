import type { LoggedStep, MachineLog } from "../../tvm/machine-log.js";
import type { SourcePlace } from "../maps/marks.js";
import type { RunCode } from "../run-code.js";
import { cellName, type RunFrames } from "../run-frames.js";

export const profileKinds = ["function", "line", "instruction", "cell"] as const;
/** What the gas is divided by, within the functions that were called; cells have no calls. */
export type ProfileKind = (typeof profileKinds)[number];

export type ProfiledRun = {
  /** Name of its root. */
  readonly name: string;
  readonly log: MachineLog;
  readonly frames: RunFrames;
  readonly code: RunCode;
  /** Gas that it used; absent if that is not the sum of its steps. */
  readonly gasUsed: number | undefined;
};

export type GasNode = {
  readonly name: string;
  readonly parent: number;
  readonly place: SourcePlace | undefined;
  /** Of itself, without its children. */
  gas: number;
  steps: number;
};

/**
 * Gas by calls. `order`: the nodes that used gas after each other, with the gas and their first step; neighbours of one node are
 * one entry.
 */
export type GasTree = {
  readonly nodes: readonly GasNode[];
  readonly order: readonly { readonly node: number; readonly from: number; gas: number }[];
  readonly total: number;
  readonly isApproximate: boolean;
};

/** A run that is being added. */
type Reading = {
  readonly run: ProfiledRun;
  readonly root: number;
  readonly nodeOfFrame: Map<number, number>;
  n: number;
  sum: number;
};

/** Nodes of a tree. More share those of their parents. */
const maxNodes = 50_000;
const missing = "(not in the log)";
const errorName = "(error)";

/** Where the gas of runs went: each has a root of its own. */
export class GasTreeBuilder {
  readonly #by: ProfileKind;
  readonly #nodes: GasNode[] = [];
  readonly #order: { node: number; from: number; gas: number }[] = [];
  readonly #known = new Map<string, number>();
  #total = 0;
  #isApproximate = false;

  constructor(by: ProfileKind) {
    this.#by = by;
  }

  /** Adds a run. Call what it returns with numbers of steps to look at, until there are no more. */
  adding(run: ProfiledRun): (steps: number) => boolean {
    const root = this.#node(-1, run.name, undefined);
    const reading = { run, root, nodeOfFrame: new Map([[-1, root]]), n: run.log.first, sum: 0 };
    return (steps) => this.#read(reading, steps);
  }

  #read(reading: Reading, steps: number): boolean {
    const { run, root, nodeOfFrame } = reading;
    const { log, frames } = run;
    for (const until = Math.min(log.end, reading.n + steps); reading.n < until; reading.n++) {
      const { n } = reading;
      const step = log.at(n);
      const { gas = 0 } = step;
      const parent = this.#by === "cell" ? root : this.#frameNode(frames.frameOf(n), run, n, nodeOfFrame);
      this.#spend(this.#leaf(parent, run, step), n, { gas, steps: 1 });
      reading.sum += gas;
    }
    if (reading.n < log.end) return true;
    this.#end(reading);
    return false;
  }

  #end({ run: { log, gasUsed, frames }, root, sum }: Reading): void {
    const rest = (gasUsed ?? sum) - sum;
    if (rest > 0) this.#spend(this.#node(root, missing, undefined), log.end, { gas: rest, steps: 0 });
    this.#total += Math.max(sum, gasUsed ?? sum);
    if (this.#by !== "cell") this.#isApproximate ||= frames.isApproximate;
  }

  finish(): GasTree {
    return { nodes: this.#nodes, order: this.#order, total: this.#total, isApproximate: this.#isApproximate };
  }

  #frameNode(frame: number, run: ProfiledRun, n: number, known: Map<number, number>): number {
    const node = known.get(frame);
    if (node !== undefined) return node;
    const { name, parent } = run.frames.frames[frame]!;
    const made = this.#node(this.#frameNode(parent, run, n, known), name, run.frames.located(n)?.place);
    known.set(frame, made);
    return made;
  }

  #leaf(parent: number, { frames, code }: ProfiledRun, { n, at, text }: LoggedStep): number {
    const place = frames.located(n)?.place;
    switch (this.#by) {
      case "function":
        return parent;
      case "line":
        return place ? this.#node(parent, `${place.file}:${place.line}`, place) : parent;
      case "instruction":
        return this.#node(parent, nameOfStep(code, at, text), undefined);
      case "cell":
        return at ? this.#node(parent, cellName(at.cell), undefined) : parent;
    }
  }

  #node(parent: number, name: string, place: SourcePlace | undefined): number {
    const key = `${parent} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined && parent >= 0) return known;
    if (this.#nodes.length >= maxNodes && parent >= 0) return parent;
    const made = this.#nodes.push({ name, parent, place, gas: 0, steps: 0 }) - 1;
    this.#known.set(key, made);
    return made;
  }

  #spend(node: number, from: number, { gas, steps }: { gas: number; steps: number }): void {
    const known = this.#nodes[node]!;
    known.gas += gas;
    known.steps += steps;
    if (gas === 0) return;
    const last = this.#order.at(-1);
    if (last?.node === node) last.gas += gas;
    else this.#order.push({ node, from, gas });
  }
}

/** The name of a step's instruction: that of the code at its place, or the machine's own. */
export function nameOfStep(
  code: RunCode,
  at: { cell: string; offset: number } | undefined,
  text: string | undefined,
): string {
  if (text === undefined) return errorName;
  const name = at && code.cells.at(at.cell, at.offset)?.name;
  return name ?? /^(?:implicit )?\S*/.exec(text)?.[0] ?? text;
}

/** Nodes from the root to one. */
export function pathOf(nodes: GasTree["nodes"], node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = nodes[at]!.parent) path.push(at);
  return path.reverse();
}

/** The nodes between two paths: those that end, the innermost first, and those that begin, the outermost first. */
export function crossed(from: readonly number[], to: readonly number[]) {
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  return { left: from.slice(same).reverse(), entered: to.slice(same) };
}
