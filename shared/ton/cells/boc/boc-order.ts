import type { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import { CellSet } from "../cell-set.js";

/** Cells in file order, the positions each cell refers to, and the positions of the roots. */
export type Arrangement = { cells: Cell[]; refs: number[][]; roots: number[] };

const maxWeight = 64;

/**
 * Orders cells as the TON node and tonlib write them (the reordering of crypto/vm/boc.cpp): subtrees that fit a budget
 * of 64 cells stay together, the cells above them come first.
 */
export function arrange(roots: readonly Cell[]): Arrangement {
  // Fast path: most message bodies are a single cell.
  if (roots.length === 1 && roots[0]!.refCount === 0)
    return { cells: [roots[0]!.physical], refs: [[]], roots: [0] };
  const imported = new Import();
  const rootEntries = roots.map((root) => imported.add(root));
  const { entries } = imported;
  weigh(entries);
  const numbers = new Numbering(entries).of(rootEntries);
  const count = entries.length;
  const cells = new Array<Cell>(count);
  const refs = new Array<number[]>(count);
  for (let i = 0; i < count; i++) {
    const position = count - 1 - numbers[i]!;
    const entry = entries[i]!;
    // The entries are not needed any more, so their lists of references are reused for the positions.
    for (let k = 0; k < entry.refs.length; k++) entry.refs[k] = count - 1 - numbers[entry.refs[k]!]!;
    cells[position] = entry.cell;
    refs[position] = entry.refs;
  }
  return { cells, refs, roots: rootEntries.map((entry) => count - 1 - numbers[entry]!) };
}

/** `weight` is 0 if the subtree does not fit the budget. */
type Entry = { readonly cell: Cell; readonly refs: number[]; weight: number };

/** Distinct cells, children before parents. */
class Import {
  readonly entries: Entry[] = [];
  private readonly known = new CellSet();

  /** Returns the index of the cell's entry. Recursion is bounded by the depth limit of cells. */
  add(shown: Cell): number {
    const cell = shown.physical;
    const again = this.known.find(cell);
    if (again >= 0) return again;
    const refs: number[] = [];
    let weight = 1;
    for (let i = 0; i < cell.refCount; i++) {
      const ref = cell.ref(i);
      if (ref.physical.levelMask !== ref.levelMask)
        throw new CellError(
          "invalid",
          "a cell that contains virtualized cells of a proof cannot be serialized",
        );
      const child = this.add(ref);
      refs.push(child);
      weight += this.entries[child]!.weight;
    }
    this.known.add(cell);
    return this.entries.push({ cell, refs, weight: Math.min(255, weight) }) - 1;
  }
}

function weigh(entries: readonly Entry[]): void {
  for (let i = entries.length - 1; i >= 0; i--) shareBudget(entries, entries[i]!.refs);
  for (const entry of entries) {
    let sum = 1;
    for (const ref of entry.refs) sum += entries[ref]!.weight;
    entry.weight = sum <= entry.weight ? sum : 0;
  }
}

/** Children below their share of the budget keep their weight; the others divide the rest. */
function shareBudget(entries: readonly Entry[], children: readonly number[]): void {
  let left = maxWeight - 1;
  const heavy: Entry[] = [];
  for (let j = 0; j < children.length; j++) {
    const child = entries[children[j]!]!;
    if (child.weight <= Math.floor((maxWeight - 1 + j) / children.length)) left -= child.weight;
    else heavy.push(child);
  }
  for (const child of heavy) child.weight = Math.min(child.weight, Math.floor(left++ / heavy.length));
}

const fresh = -1;
const previsited = -2;
const visited = -3;

/** Assigns each cell its position, counted from the end of the bag. */
class Numbering {
  private readonly entries: readonly Entry[];
  private readonly numbers: Int32Array;
  private next = 0;

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    this.numbers = new Int32Array(entries.length).fill(fresh);
  }

  of(roots: readonly number[]): Int32Array {
    for (const root of roots) {
      this.previsit(root);
      this.visit(root);
    }
    for (const root of roots) this.number(root);
    return this.numbers;
  }

  private previsit(i: number): void {
    if (this.numbers[i] !== fresh) return;
    const { refs } = this.entries[i]!;
    for (let j = refs.length - 1; j >= 0; j--) {
      const child = refs[j]!;
      if (this.entries[child]!.weight === 0) this.visit(child);
      else this.previsit(child);
    }
    this.numbers[i] = previsited;
  }

  private visit(i: number): void {
    if (this.numbers[i]! >= 0 || this.numbers[i] === visited) return;
    const { refs, weight } = this.entries[i]!;
    if (weight === 0) this.previsit(i);
    for (let j = refs.length - 1; j >= 0; j--) this.visit(refs[j]!);
    for (let j = refs.length - 1; j >= 0; j--) this.number(refs[j]!);
    this.numbers[i] = visited;
  }

  private number(i: number): void {
    if (this.numbers[i]! < 0) this.numbers[i] = this.next++;
  }
}
