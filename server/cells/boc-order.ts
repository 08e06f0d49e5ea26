import type { Cell } from "./cell.js";
import { CellError } from "./cell-error.js";
import { CellSet } from "./cell-set.js";

/** Cells in the order of a bag of cells, the positions each refers to, and the positions of the roots. */
export type Arrangement = { cells: Cell[]; refs: number[][]; roots: number[] };

const maxWeight = 64;

/**
 * The order the TON node and tonlib write cells in (the reordering of crypto/vm/boc.cpp): subtrees that fit a budget
 * of 64 cells stay together, the cells on top of them come first.
 */
export function arrange(roots: readonly Cell[]): Arrangement {
  const imported = importCells(roots);
  weigh(imported.entries);
  const numbers = allocate(imported);
  const count = imported.entries.length;
  const position = (entry: number) => count - 1 - numbers[entry]!;
  const cells = new Array<Cell>(count);
  const refs = new Array<number[]>(count);
  imported.entries.forEach((entry, i) => {
    cells[position(i)] = entry.cell;
    refs[position(i)] = entry.refs.map(position);
  });
  return { cells, refs, roots: imported.roots.map(position) };
}

/** `weight` 0 marks a cell whose subtree does not fit the budget. */
type Entry = { cell: Cell; refs: number[]; weight: number };
type Imported = { entries: Entry[]; roots: number[] };

/** Distinct cells, children before parents. Recursion is bounded by the depth of cells. */
function importCells(roots: readonly Cell[]): Imported {
  const entries: Entry[] = [];
  const known = new CellSet();
  const add = (shown: Cell): number => {
    const cell = shown.physical;
    const again = known.find(cell);
    if (again >= 0) return again;
    const refs: number[] = [];
    let weight = 1;
    for (let i = 0; i < cell.refCount; i++) {
      const ref = cell.ref(i);
      if (ref.physical.levelMask !== ref.levelMask)
        throw new CellError("invalid", "a cell built upon parts of a proof cannot be written");
      const child = add(ref);
      refs.push(child);
      weight += entries[child]!.weight;
    }
    known.add(cell);
    return entries.push({ cell, refs, weight: Math.min(255, weight) }) - 1;
  };
  return { roots: roots.map(add), entries };
}

function weigh(entries: readonly Entry[]): void {
  for (let i = entries.length - 1; i >= 0; i--) shareBudget(entries, entries[i]!.refs);
  for (const entry of entries) {
    let sum = 1;
    for (const ref of entry.refs) sum += entries[ref]!.weight;
    entry.weight = sum <= entry.weight ? sum : 0;
  }
}

/** Children that need less than their part keep their weight, the others share what is left. */
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

/** Numbers the cells; counted from the end of the bag. */
function allocate({ entries, roots }: Imported): Int32Array {
  const numbers = new Int32Array(entries.length).fill(fresh);
  let next = 0;
  const previsit = (i: number): void => {
    if (numbers[i] !== fresh) return;
    const { refs } = entries[i]!;
    for (let j = refs.length - 1; j >= 0; j--) {
      const child = refs[j]!;
      if (entries[child]!.weight === 0) visit(child);
      else previsit(child);
    }
    numbers[i] = previsited;
  };
  const visit = (i: number): void => {
    if (numbers[i]! >= 0 || numbers[i] === visited) return;
    const { refs, weight } = entries[i]!;
    if (weight === 0) previsit(i);
    for (let j = refs.length - 1; j >= 0; j--) visit(refs[j]!);
    for (let j = refs.length - 1; j >= 0; j--) number(refs[j]!);
    numbers[i] = visited;
  };
  const number = (i: number): void => {
    if (numbers[i]! < 0) numbers[i] = next++;
  };
  for (const root of roots) {
    previsit(root);
    visit(root);
  }
  for (const root of roots) number(root);
  return numbers;
}
