import { bytesEqual } from "../../values/bytes.js";
import { copyBits, slack } from "./bits.js";
import { CellError } from "./cell-error.js";
import type { CellNode, CellType } from "./cell-node.js";
import { checkMerkleDepths, checkMerkleHashes, computeDepth, isMerkle, readExoticType } from "./exotic.js";
import { hashHex } from "./hash-hex.js";
import { computeHashes, hashCount, type KnownHashes } from "./hashing.js";
import { hashIndex, isSignificant, maxLevel } from "./level.js";
import { Slice } from "./slice.js";

/** Bits of a cell. `data` contains the completion tag, followed by `slack` spare bytes. */
type CellContent = { data: Uint8Array; dataStart: number; bits: number; exotic: boolean };

/** Sets the completion tag in an array that is zero after its `bits` bits. */
export function sealed(data: Uint8Array, bits: number, exotic: boolean): CellContent {
  if ((bits & 7) !== 0) data[bits >> 3]! |= 0x80 >> (bits & 7);
  return { data, dataStart: 0, bits, exotic };
}

/**
 * An immutable cell: up to 1023 bits and four references. This class holds its parts in memory; subclasses read them
 * lazily from a bag of cells (boc-table.ts) or present a virtualized view (cell-view.ts). A cell is validated when it
 * is created.
 */
export class Cell implements CellNode {
  static readonly empty: Cell = Cell.of(
    { data: new Uint8Array(4), dataStart: 0, bits: 0, exotic: false },
    [],
  );

  readonly bits: number;
  readonly refCount: number;
  readonly exotic: boolean;
  readonly type: CellType;
  /** Bit i is set if a cell below is pruned for the Merkle cell i + 1 levels up. */
  readonly levelMask: number;
  /** Backing bytes, starting at `dataStart`. Only this folder may read them directly. */
  readonly data: Uint8Array;
  readonly dataStart: number;

  protected children: (Cell | undefined)[];
  /** All hashes, concatenated, lowest level first. Computed on first use. */
  protected hashes: Uint8Array | undefined;
  private isSettled: boolean;
  /** A single number if the depth is the same at every level, otherwise one per hash. */
  private depths: number | readonly number[];

  protected constructor(
    content: CellContent,
    type: CellType,
    refCount: number,
    levelMask: number,
    children: (Cell | undefined)[],
  ) {
    this.bits = content.bits;
    this.refCount = refCount;
    this.exotic = content.exotic;
    this.type = type;
    this.levelMask = levelMask;
    this.data = content.data;
    this.dataStart = content.dataStart;
    this.children = children;
    this.hashes = undefined;
    this.depths = 0;
    this.isSettled = false;
  }

  /** Creates a cell. Throws `CellError` if an exotic cell violates the rules of its type or the tree is too deep. */
  static of(content: CellContent, refs: Cell[]): Cell {
    const { data, dataStart, bits, exotic } = content;
    const type = exotic ? readExoticType(data, dataStart, bits, refs.length) : "ordinary";
    let mask = 0;
    for (const ref of refs) mask |= ref.levelMask;
    if (type === "pruned") mask = data[dataStart + 1]!;
    else if (isMerkle(type)) mask >>= 1;
    const cell = new Cell(content, type, refs.length, mask, refs);
    cell.depths = mask === 0 ? computeDepth(cell, 0) : computeDepths(cell);
    if (isMerkle(type)) {
      checkMerkleDepths(cell);
      checkMerkleHashes(cell);
    }
    return cell;
  }

  /**
   * Copies a cell with partially pruned references. Pruning inside `merkleDepth` Merkle cells does not change the
   * hashes up to that level, so these are copied instead of computed.
   */
  static partial(whole: Cell, refs: Cell[], merkleDepth: number): Cell {
    const cell = Cell.of(whole, refs);
    cell.hashes = cell.computeAll({ of: whole, upTo: merkleDepth });
    return cell;
  }

  /** Throws `CellError` with code `underflow` if there is no such reference. */
  ref(index: number): Cell {
    const child = this.children[index];
    if (child === undefined) throw this.noRef(index);
    return child;
  }

  get refs(): readonly Cell[] {
    return this.mapRefs((ref) => ref);
  }

  mapRefs<T>(change: (ref: Cell) => T): T[] {
    const changed: T[] = [];
    for (let i = 0; i < this.refCount; i++) changed.push(change(this.ref(i)));
    return changed;
  }

  /** The hash at a level; by default the representation hash. The bytes are shared: do not modify them. */
  hash(level: number = maxLevel): Uint8Array {
    this.hashes ??= this.computeAll();
    return this.pickHash(this.hashes, level);
  }

  /** Throws `CellError` unless a Merkle cell states the hashes of its trees, if that was not verified yet. */
  verifyStated(): void {}

  private computeAll(known?: KnownHashes): Uint8Array {
    // Hash the children first: hashing.ts uses one shared buffer, so it must not be entered recursively.
    for (const child of this.children) child!.hash();
    const count = hashCount(this.levelMask);
    const hashes = new Uint8Array(32 * count);
    computeHashes(this, hashes, 0, 0, count, known);
    return hashes;
  }

  private pickHash(hashes: Uint8Array, level: number): Uint8Array {
    if (this.levelMask === 0) return hashes;
    const at = 32 * hashIndex(this.levelMask, level);
    return hashes.subarray(at, at + 32);
  }

  depth(level: number = maxLevel): number {
    return typeof this.depths === "number" ? this.depths : this.depths[hashIndex(this.levelMask, level)]!;
  }

  hashHex(level?: number): string {
    return hashHex(this.hash(level));
  }

  /** Compares representation hashes. */
  equals(other: Cell): boolean {
    return this === other || bytesEqual(this.hash(), other.hash());
  }

  /** Opens an ordinary cell. Throws `CellError`, with code `pruned` for a pruned branch. */
  parse(): Slice {
    if (this.type === "ordinary") return this.parseExotic();
    if (this.type === "pruned") throw new CellError("pruned", "the content of this cell is pruned");
    throw new CellError("invalid", `a ${this.type} cell cannot be parsed as an ordinary one`);
  }

  /** Opens the raw data of a cell of any type. */
  parseExotic(): Slice {
    return new Slice(this);
  }

  /** The underlying cell of a view; the cell itself otherwise. */
  get physical(): Cell {
    return this;
  }

  /** Whether the cell is marked as part of an older tree; see `settle` in merkle-update.ts. */
  get settled(): boolean {
    return this.isSettled;
  }

  markSettled(): void {
    this.isSettled = true;
  }

  /** Copies `bits` bits from bit offset `at` and `refCount` references from `firstRef` into a new ordinary cell. */
  cut(at: number, bits: number, firstRef: number, refCount: number): Cell {
    const data = new Uint8Array((bits >> 3) + 1 + slack);
    copyBits(this.data, this.dataStart * 8 + at, data, 0, bits);
    return Cell.of(sealed(data, bits, false), this.refs.slice(firstRef, firstRef + refCount));
  }

  refMask(index: number): number {
    return this.ref(index).levelMask;
  }

  refDepth(index: number, level: number): number {
    return this.ref(index).depth(level);
  }

  copyRefHash(index: number, level: number, target: Uint8Array, at: number): void {
    const hash = this.ref(index).hash(level);
    for (let i = 0; i < 32; i++) target[at + i] = hash[i]!;
  }

  protected noRef(index: number): CellError {
    return new CellError("underflow", `a cell with ${this.refCount} references has no reference ${index}`);
  }
}

function computeDepths(cell: Cell): number[] {
  const depths: number[] = [];
  for (let level = 0; level <= maxLevel; level++)
    if (isSignificant(cell.levelMask, level)) depths.push(computeDepth(cell, level));
  return depths;
}
