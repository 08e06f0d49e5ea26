import { slack } from "../bits.js";
import { Cell } from "../cell.js";
import {
  bitsAt,
  cellLength,
  checkDescriptor,
  checkPadding,
  dataBytes,
  hasStoredHashes,
  isExotic,
  refAt,
  storedHashBytes,
} from "../cell-bytes.js";
import type { CellError } from "../cell-error.js";
import type { CellNode, CellType } from "../cell-node.js";
import {
  checkDepth,
  checkMerkleDepths,
  checkMerkleHashes,
  computeDepth,
  computeLevelMask,
  isMerkle,
  readExoticType,
} from "../exotic.js";
import { computeHashes, hashCount } from "../hashing.js";
import { hashIndex, highestLevel, isSignificant, maxLevel } from "../level.js";
import { type BocHeader, type BocLimits, bocError, readUint } from "./boc-header.js";

const noDepths = new Uint16Array(0);
/** First data byte of a Merkle proof. A Merkle update has the next higher one; all other exotic cells lower ones. */
const merkleProofTag = 3;

/** The typed arrays of a table whose cells are all hashed. */
export type BocRows = {
  bytes: Uint8Array;
  refSize: number;
  offsets: Uint32Array;
  slots: Uint32Array;
  depths: Uint16Array;
  hashes: Uint8Array;
};

/** A copy with the spare bytes that reading bits needs. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const own = new Uint8Array(bytes.length + slack);
  own.set(bytes);
  return own;
}

/**
 * The cells of a bag of cells as rows of typed arrays over its bytes. `parse` validates everything but hashes in one
 * pass. Cell objects and hashes are created on first use.
 */
export class BocTable {
  readonly bytes: Uint8Array;
  private readonly refSize: number;
  /** Byte offset of each cell. */
  private readonly offsets: Uint32Array;
  /** Index of the first hash of each cell; a cell has one hash per significant level. */
  private readonly slots: Uint32Array;
  /** One depth per slot. */
  private depths: Uint16Array;
  private hashes: Uint8Array | undefined;
  /** Number of a cell's hashes in `hashes`, lowest levels first; undefined while there are none. */
  private hashed: Uint8Array | undefined;
  private readonly cells: (Cell | undefined)[];
  /** Applies to all cells of the table; see `settle` in merkle-update.ts. */
  settled = false;

  /** Adopts validated rows; rows of another thread have all hashes. */
  constructor({
    bytes,
    refSize,
    offsets,
    slots,
    depths,
    hashes,
  }: Omit<BocRows, "hashes"> & Partial<BocRows>) {
    this.bytes = bytes;
    this.refSize = refSize;
    this.offsets = offsets;
    this.slots = slots;
    this.depths = depths;
    this.hashes = hashes;
    if (hashes) this.hashed = new Uint8Array(offsets.length).fill(maxLevel + 1);
    this.cells = new Array<Cell | undefined>(offsets.length);
  }

  static parse(bytes: Uint8Array, header: BocHeader, limits: BocLimits): BocTable {
    const { cellCount, refSize } = header;
    const offsets = new Uint32Array(cellCount);
    const slots = new Uint32Array(cellCount + 1);
    const table = new BocTable({ bytes, refSize, offsets, slots, depths: noDepths });
    table.locate(header);
    table.depths = new Uint16Array(slots[cellCount]!);
    // References only point forward, so children are checked before their parents.
    for (let i = cellCount - 1; i >= 0; i--) table.check(i, limits);
    return table;
  }

  /** All rows, with the hashes of all cells. */
  hashedRows(): BocRows {
    const { bytes, refSize, offsets, slots, depths } = this;
    for (let i = offsets.length - 1; i >= 0; i--) this.ensureHash(i, maxLevel);
    return { bytes, refSize, offsets, slots, depths, hashes: this.allHashes };
  }

  /** Computes the offset of every cell from the descriptors. */
  private locate(header: BocHeader): void {
    const { bytes, offsets, slots } = this;
    let at = header.dataStart;
    for (let i = 0; i < header.cellCount; i++) {
      if (at + 2 > header.dataEnd) throw bocError("a cell is truncated");
      const descriptor = bytes[at]!;
      checkDescriptor(descriptor);
      offsets[i] = at;
      slots[i + 1] = slots[i]! + hashCount(descriptor >> 5);
      at += cellLength(descriptor, bytes[at + 1]!, header.refSize);
      if (at > header.dataEnd) throw bocError("a cell is truncated");
      if (header.index !== undefined && indexEntry(bytes, header.index, i) !== at - header.dataStart)
        throw bocError("the index does not match the cells");
    }
    if (at !== header.dataEnd) throw bocError("the cells are shorter than the stated size");
  }

  private check(i: number, limits: BocLimits): void {
    const { bytes, offsets, depths, slots } = this;
    checkPadding(bytes, bytes[offsets[i]! + 1]!, this.dataStart(i));
    const refCount = this.refCount(i);
    let mask = this.exotic(i) ? 1 : 0;
    let depth = 0;
    for (let k = 0; k < refCount; k++) {
      const ref = this.refIndex(i, k);
      if (ref <= i || ref >= offsets.length) throw bocError("a reference does not point to a later cell");
      mask |= this.mask(ref);
      depth = Math.max(depth, depths[slots[ref]!]! + 1);
    }
    if (mask !== 0) {
      this.checkLevels(i, limits);
      return;
    }
    // Fast path: nearly all cells are ordinary and have nothing pruned below.
    if (this.mask(i) !== 0) throw bocError("a cell has a wrong level mask");
    if (depth > limits.depth) {
      checkDepth(depth);
      throw tooDeep(limits);
    }
    depths[slots[i]!] = depth;
  }

  private checkLevels(i: number, limits: BocLimits): void {
    const row = new BocRow(this).at(i);
    const mask = this.mask(i);
    if (computeLevelMask(row) !== mask) throw bocError("a cell has a wrong level mask");
    let slot = this.slots[i]!;
    for (let level = 0; level <= maxLevel; level++)
      if (isSignificant(mask, level)) {
        const depth = computeDepth(row, level);
        if (depth > limits.depth) throw tooDeep(limits);
        this.depths[slot++] = depth;
      }
    if (isMerkle(row.type)) checkMerkleDepths(row);
  }

  cell(i: number): Cell {
    let cell = this.cells[i];
    if (cell === undefined) {
      cell = new BocCell(this, i);
      this.cells[i] = cell;
    }
    return cell;
  }

  mask(i: number): number {
    return this.bytes[this.offsets[i]!]! >> 5;
  }

  refCount(i: number): number {
    return this.bytes[this.offsets[i]!]! & 7;
  }

  exotic(i: number): boolean {
    return isExotic(this.bytes[this.offsets[i]!]!);
  }

  bits(i: number): number {
    return bitsAt(this.bytes, this.bytes[this.offsets[i]! + 1]!, this.dataStart(i));
  }

  private withHashes(i: number): boolean {
    return hasStoredHashes(this.bytes[this.offsets[i]!]!);
  }

  dataStart(i: number): number {
    const at = this.offsets[i]!;
    return at + 2 + storedHashBytes(this.bytes[at]!);
  }

  private dataLength(i: number): number {
    return dataBytes(this.bytes[this.offsets[i]! + 1]!);
  }

  /** Negative for a stated index of 2^31 or more, which is always out of range. */
  refIndex(i: number, k: number): number {
    const { bytes, refSize } = this;
    return refAt(bytes, this.dataStart(i) + this.dataLength(i) + k * refSize, refSize);
  }

  depth(i: number, level: number): number {
    return this.depths[this.slots[i]! + hashIndex(this.mask(i), level)]!;
  }

  /** Verifies all hashes that the bag states: those in Merkle cells and those stored in front of a cell's data. */
  verifyHashes(): void {
    for (let i = 0; i < this.offsets.length; i++) {
      if (this.isMerkle(i)) this.verifyMerkle(i);
      if (this.withHashes(i)) this.ensureHash(i, maxLevel);
    }
  }

  /** Verifies the hashes stated in a Merkle cell. Only the lowest level, because higher ones are rarely used. */
  verifyMerkle(i: number): void {
    for (let k = 0; k < this.refCount(i); k++) this.ensureHash(this.refIndex(i, k), 0);
    checkMerkleHashes(new BocRow(this).at(i));
  }

  private isMerkle(i: number): boolean {
    return this.exotic(i) && this.bytes[this.dataStart(i)]! >= merkleProofTag;
  }

  /** The array of all hashes and the offset of one of them, which is computed if necessary. */
  hashAt(i: number, level: number): { hashes: Uint8Array; at: number } {
    const hashes = this.ensureHash(i, level);
    return { hashes, at: this.hashStart(i, level) };
  }

  /** Offset of a hash in `allHashes`. The cell must be hashed already. */
  hashStart(i: number, level: number): number {
    return 32 * (this.slots[i]! + hashIndex(this.mask(i), level));
  }

  get allHashes(): Uint8Array {
    this.hashes ??= new Uint8Array(32 * this.depths.length);
    return this.hashes;
  }

  private ensureHash(i: number, level: number): Uint8Array {
    const hashes = this.allHashes;
    this.hashed ??= new Uint8Array(this.offsets.length);
    if (this.hashed[i]! <= hashIndex(this.mask(i), level))
      this.computeHash(i, level, { hashes, hashed: this.hashed, row: new BocRow(this) });
    return hashes;
  }

  /** Up to a level, or all that are compared with stored ones. Recursion is bounded by the depth limit. */
  private computeHash(i: number, level: number, into: Hashing): void {
    const { hashes, hashed, row } = into;
    const mask = this.mask(i);
    const stored = this.withHashes(i);
    const top = highestLevel(mask, stored ? maxLevel : level);
    const below = this.isMerkle(i) ? top + 1 : top;
    const refs = this.refCount(i);
    for (let k = 0; k < refs; k++) {
      const ref = this.refIndex(i, k);
      if (hashed[ref]! <= hashIndex(this.mask(ref), below)) this.computeHash(ref, below, into);
    }
    const end = hashIndex(mask, top) + 1;
    computeHashes(row.at(i), hashes, 32 * this.slots[i]!, hashed[i]!, end);
    if (stored) this.compareStored(i, hashes);
    hashed[i] = end;
  }

  /** Compares stored hashes: a writer may put all hashes and then all depths between a cell's descriptors and data. */
  private compareStored(i: number, hashes: Uint8Array): void {
    const { bytes } = this;
    const first = this.slots[i]!;
    const count = this.slots[i + 1]! - first;
    let at = this.offsets[i]! + 2;
    for (let j = 32 * first; j < 32 * (first + count); j++)
      if (bytes[at++] !== hashes[j]) throw bocError("a stored hash is wrong");
    for (let slot = first; slot < first + count; slot++, at += 2)
      if (readUint(bytes, at, 2) !== this.depths[slot]) throw bocError("a stored depth is wrong");
  }
}

function tooDeep({ depth }: BocLimits): CellError {
  return bocError(`deeper than ${depth}`);
}

function indexEntry(bytes: Uint8Array, index: NonNullable<BocHeader["index"]>, i: number): number {
  const entry = readUint(bytes, index.start + i * index.entrySize, index.entrySize);
  return index.cacheBits ? Math.floor(entry / 2) : entry;
}

/** Storage of hashes, their number per cell, and the row that reads cells. */
type Hashing = { hashes: Uint8Array; hashed: Uint8Array; row: BocRow };

/** A movable view of one row: avoids an object per cell while parsing and hashing. */
class BocRow implements CellNode {
  type: CellType = "ordinary";
  bits = 0;
  refCount = 0;
  levelMask = 0;
  readonly data: Uint8Array;
  dataStart = 0;
  private readonly table: BocTable;
  private index = 0;

  constructor(table: BocTable) {
    this.table = table;
    this.data = table.bytes;
  }

  at(index: number): this {
    const { table } = this;
    this.index = index;
    this.dataStart = table.dataStart(index);
    this.bits = table.bits(index);
    this.refCount = table.refCount(index);
    this.levelMask = table.mask(index);
    this.type = table.exotic(index)
      ? readExoticType(this.data, this.dataStart, this.bits, this.refCount)
      : "ordinary";
    return this;
  }

  refMask(k: number): number {
    return this.table.mask(this.table.refIndex(this.index, k));
  }

  refDepth(k: number, level: number): number {
    return this.table.depth(this.table.refIndex(this.index, k), level);
  }

  copyRefHash(k: number, level: number, target: Uint8Array, at: number): void {
    const from = this.table.hashStart(this.table.refIndex(this.index, k), level);
    const hashes = this.table.allHashes;
    for (let i = 0; i < 32; i++) target[at + i] = hashes[from + i]!;
  }
}

/** Shared by all `BocCell`s, which keep their children in the table. */
const inTable: never[] = [];

/** A cell backed by a bag of cells. */
class BocCell extends Cell {
  private readonly table: BocTable;
  private readonly index: number;

  constructor(table: BocTable, index: number) {
    const dataStart = table.dataStart(index);
    const bits = table.bits(index);
    const refCount = table.refCount(index);
    const exotic = table.exotic(index);
    const type = exotic ? readExoticType(table.bytes, dataStart, bits, refCount) : "ordinary";
    const content = { data: table.bytes, dataStart, bits, exotic };
    super(content, type, refCount, table.mask(index), inTable);
    this.table = table;
    this.index = index;
  }

  override ref(k: number): Cell {
    if (!(k >= 0 && k < this.refCount)) throw this.noRef(k);
    return this.table.cell(this.table.refIndex(this.index, k));
  }

  override hash(level: number = maxLevel): Uint8Array {
    if (this.hashes !== undefined) return this.hashes;
    const { hashes, at } = this.table.hashAt(this.index, level);
    const found = hashes.slice(at, at + 32);
    if (this.levelMask === 0) this.hashes = found;
    return found;
  }

  override verifyStated(): void {
    if (isMerkle(this.type)) this.table.verifyMerkle(this.index);
  }

  override depth(level: number = maxLevel): number {
    return this.table.depth(this.index, level);
  }

  override get settled(): boolean {
    return this.table.settled;
  }

  override markSettled(): void {
    this.table.settled = true;
  }
}
