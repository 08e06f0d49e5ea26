import { bitAt, commonBits, copyBits, slack } from "../bits.js";
import { type Builder, beginCell } from "../builder.js";
import type { Cell } from "../cell.js";
import type { Slice } from "../slice.js";
import { type BitString, loadLabel, storeLabel } from "./dictionary-label.js";

/** The content of a node after its label. Plain and augmented dictionaries differ only in this. */
export interface NodeShape<V> {
  storeLeaf(value: V, builder: Builder): void;
  loadLeaf(slice: Slice): V;
  /** `belowBits` is the number of key bits the two subtrees have left. */
  storeFork(left: Cell, right: Cell, belowBits: number, builder: Builder): void;
  skipFork(slice: Slice): void;
}

/** `key` contains the key bits from its start and `slack` spare bytes. Value `undefined` deletes. */
export type Change<V> = { key: Uint8Array; value: V | undefined };

/** The tree algorithms of `Hashmap n X` and `HashmapAug n X Y`. Stateless: cells in, cells out. */
export class DictionaryTree<V> {
  readonly keyBits: number;
  private readonly shape: NodeShape<V>;

  constructor(keyBits: number, shape: NodeShape<V>) {
    this.keyBits = keyBits;
    this.shape = shape;
  }

  /**
   * Returns the leaf of a key, or undefined if there is none. Throws `pruned` if the path leads into a pruned branch.
   */
  find(root: Cell, key: Uint8Array): Slice | undefined {
    let cell = root;
    for (let at = 0; ; at++) {
      const slice = cell.parse();
      const label = loadLabel(slice, this.keyBits - at);
      if (commonBits(key, at, label.bytes, label.at, label.count) < label.count) return undefined;
      at += label.count;
      if (at === this.keyBits) return slice;
      cell = slice.preloadRef(bitAt(key, at) ? 1 : 0);
    }
  }

  /** Applies changes in one descent. They must be sorted by unique keys. Unchanged subtrees stay the same cells. */
  update(root: Cell | undefined, changes: readonly Change<V>[]): Cell | undefined {
    return this.change(root, 0, changes, 0, changes.length);
  }

  /** Reads a tree whose root node is stored inline in the slice, and returns the root as a cell. */
  loadInline(slice: Slice): Cell {
    const rest = slice.clone();
    if (loadLabel(rest, this.keyBits).count === this.keyBits) this.shape.loadLeaf(rest);
    else this.shape.skipFork(rest);
    const bits = slice.remainingBits - rest.remainingBits;
    return slice.loadBits(bits, slice.remainingRefs - rest.remainingRefs).toCell();
  }

  private change(
    cell: Cell | undefined,
    at: number,
    changes: readonly Change<V>[],
    from: number,
    to: number,
  ): Cell | undefined {
    if (from === to) return cell;
    if (cell === undefined) return this.build(at, insertions(changes, from, to));
    const rest = cell.parse();
    const label = loadLabel(rest, this.keyBits - at);
    // Keys are sorted, so the one with the shortest common prefix is the first or the last.
    const shared = Math.min(
      commonBits(changes[from]!.key, at, label.bytes, label.at, label.count),
      commonBits(changes[to - 1]!.key, at, label.bytes, label.at, label.count),
    );
    const end = at + shared;
    if (end === this.keyBits) return this.leaf(at, changes[from]!);
    const middle = partition(changes, from, to, end);
    if (shared < label.count) {
      const node = this.relabel(rest, tail(label, shared + 1), end + 1);
      const onRight = bitAt(label.bytes, label.at + shared);
      const left = this.change(onRight ? undefined : node, end + 1, changes, from, middle);
      const right = this.change(onRight ? node : undefined, end + 1, changes, middle, to);
      const untouched = onRight ? left === undefined && right === node : left === node && right === undefined;
      return untouched ? cell : this.join(at, { ...label, count: shared }, left, right);
    }
    const left = rest.preloadRef(0);
    const right = rest.preloadRef(1);
    const newLeft = this.change(left, end + 1, changes, from, middle);
    const newRight = this.change(right, end + 1, changes, middle, to);
    return newLeft === left && newRight === right ? cell : this.join(at, label, newLeft, newRight);
  }

  private build(at: number, changes: readonly Change<V>[], from = 0, to = changes.length): Cell | undefined {
    if (from === to) return undefined;
    const first = changes[from]!;
    if (to - from === 1) return this.leaf(at, first);
    const count = commonBits(first.key, at, changes[to - 1]!.key, at, this.keyBits - at);
    const middle = partition(changes, from, to, at + count);
    const below = at + count + 1;
    const left = this.build(below, changes, from, middle);
    const right = this.build(below, changes, middle, to);
    return this.join(at, { bytes: first.key, at, count }, left, right);
  }

  private leaf(at: number, { key, value }: Change<V>): Cell | undefined {
    if (value === undefined) return undefined;
    const builder = beginCell();
    storeLabel(builder, { bytes: key, at, count: this.keyBits - at }, this.keyBits - at);
    this.shape.storeLeaf(value, builder);
    return builder.endCell();
  }

  /** Builds a fork. If one subtree is missing, the other replaces the fork with a longer label. */
  private join(
    at: number,
    label: BitString,
    left: Cell | undefined,
    right: Cell | undefined,
  ): Cell | undefined {
    const below = this.keyBits - at - label.count - 1;
    if (left !== undefined && right !== undefined) {
      const builder = beginCell();
      storeLabel(builder, label, this.keyBits - at);
      this.shape.storeFork(left, right, below, builder);
      return builder.endCell();
    }
    const only = left ?? right;
    if (only === undefined) return undefined;
    const rest = only.parse();
    return this.relabel(rest, concatenate(label, only === right, loadLabel(rest, below)), at);
  }

  private relabel(rest: Slice, label: BitString, at: number): Cell {
    const builder = beginCell();
    storeLabel(builder, label, this.keyBits - at);
    return builder.storeSlice(rest).endCell();
  }
}

function insertions<V>(changes: readonly Change<V>[], from: number, to: number): Change<V>[] {
  const inserted: Change<V>[] = [];
  for (let i = from; i < to; i++) if (changes[i]!.value !== undefined) inserted.push(changes[i]!);
  return inserted;
}

/** Index of the first key in the range whose bit `at` is set. The keys are sorted and equal up to that bit. */
function partition<V>(changes: readonly Change<V>[], from: number, to: number, at: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bitAt(changes[middle]!.key, at)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function tail(label: BitString, skipped: number): BitString {
  return { bytes: label.bytes, at: label.at + skipped, count: label.count - skipped };
}

function concatenate(upper: BitString, bit: boolean, lower: BitString): BitString {
  const count = upper.count + 1 + lower.count;
  const bytes = new Uint8Array((count >> 3) + 1 + slack);
  copyBits(upper.bytes, upper.at, bytes, 0, upper.count);
  if (bit) bytes[upper.count >> 3]! |= 0x80 >> (upper.count & 7);
  copyBits(lower.bytes, lower.at, bytes, upper.count + 1, lower.count);
  return { bytes, at: 0, count };
}
