import { bocError, readChecksum, readUint } from "../../../shared/ton/cells/boc/boc-header.js";
import { crc32c } from "../../../shared/ton/cells/boc/crc32c.js";
import {
  bitsAt,
  checkPadding,
  hasStoredHashes,
  isExotic,
  storedHashBytes,
} from "../../../shared/ton/cells/cell-bytes.js";
import type { CellNode, CellType } from "../../../shared/ton/cells/cell-node.js";
import {
  checkMerkleDepths,
  computeDepth,
  computeLevelMask,
  isMerkle,
  readExoticType,
} from "../../../shared/ton/cells/exotic.js";
import { computeHashes, hashCount } from "../../../shared/ton/cells/hashing.js";
import { isSignificant, maxLevel } from "../../../shared/ton/cells/level.js";
import { refsOf } from "../../../shared/ton/cells/stored-cell.js";
import { TimeSlice } from "../../chain/time-slice.js";
import type { BagFile } from "./bag-file.js";
import type { WorkFile } from "./work-file.js";

/** Cells between two records of progress. */
const defaultStride = 1 << 20;
/** Bytes whose checksum is computed in one step. */
const checkBytes = 1 << 16;
const sliceMs = 20;

type Options = {
  signal: AbortSignal;
  /** Called now and then with the number of cells that are done in one of the two passes. */
  onProgress?: (cells: number) => void;
  stride?: number;
};

/** Reads a bag once from its first to its last cell and once back, and stores what is known of its cells. */
export async function indexCells(bag: BagFile, work: WorkFile, options: Options): Promise<void> {
  if (work.progress.phase === "locating") await locate(bag, work, options);
  if (work.progress.phase === "hashing") await hash(bag, work, options);
}

/** Finds where cells end, and verifies the bag's index and checksum. */
async function locate(bag: BagFile, work: WorkFile, options: Options): Promise<void> {
  if (work.progress.phase !== "locating") return;
  const { signal, onProgress, stride = defaultStride } = options;
  const { cellCount, dataStart, dataEnd, hasCrc, index } = bag.header;
  const slice = new TimeSlice(sliceMs);
  let { offset, checksum, checked } = work.progress;
  const checkTo = (end: number) => {
    for (; hasCrc && checked < end; ) {
      const length = Math.min(checkBytes, end - checked);
      checksum = crc32c(bag.read(checked, length), length, checksum);
      checked += length;
    }
  };
  for (let i = work.progress.next; i < cellCount; ) {
    offset = bag.endOfCellAt(offset);
    if (!index) work.setEnd(i, offset);
    else if (bag.statedEnd(i) !== offset) throw bocError("the index does not match the cells");
    if (dataStart + offset - checked >= checkBytes) checkTo(dataStart + offset);
    i++;
    if (i % stride === 0) work.keep({ phase: "locating", next: i, offset, checksum, checked });
    if (i % 1024 !== 0) continue;
    onProgress?.(i);
    await slice.yieldIfDue();
    signal.throwIfAborted();
  }
  if (dataStart + offset !== dataEnd) throw bocError("the cells are shorter than the stated size");
  checkTo(dataEnd);
  if (hasCrc && checksum !== readChecksum(bag.read(dataEnd, 4), 0)) throw bocError("checksum mismatch");
  work.keep({ phase: "hashing", next: cellCount - 1, side: 0 });
}

/** Validates and hashes the cells from the last one on: references point forward only. */
async function hash(bag: BagFile, work: WorkFile, options: Options): Promise<void> {
  if (work.progress.phase !== "hashing") return;
  const { signal, onProgress, stride = defaultStride } = options;
  const { cellCount } = bag.header;
  const slice = new TimeSlice(sliceMs);
  const hasher = new CellHasher(bag, work);
  for (let i = work.progress.next; i >= 0; ) {
    hasher.hash(i);
    i--;
    if (i % stride === 0) work.keep({ phase: "hashing", next: i, side: work.side });
    if (i % 1024 !== 0) continue;
    onProgress?.(cellCount - 1 - i);
    await slice.yieldIfDue();
    signal.throwIfAborted();
  }
  work.keep({ phase: "complete" });
}

/** The end of a cell, from the bag's own index or from the one that was made. */
function endOf(bag: BagFile, work: WorkFile, i: number): number {
  return bag.header.index ? bag.statedEnd(i) : work.end(i);
}

/** A cell's bytes. A view: read it before the next call. */
export function bytesOf(bag: BagFile, work: WorkFile, i: number): Uint8Array {
  const start = i === 0 ? 0 : endOf(bag, work, i - 1);
  return bag.read(bag.header.dataStart + start, endOf(bag, work, i) - start);
}

/** A movable view of one cell of a bag whose later cells are hashed. */
class CellHasher implements CellNode {
  type: CellType = "ordinary";
  bits = 0;
  refCount = 0;
  levelMask = 0;
  data = new Uint8Array(0);
  dataStart = 0;
  readonly #bag: BagFile;
  readonly #work: WorkFile;
  readonly #hashes = new Uint8Array(32 * (maxLevel + 1));
  #refs: readonly number[] = [];

  constructor(bag: BagFile, work: WorkFile) {
    this.#bag = bag;
    this.#work = work;
  }

  hash(i: number): void {
    const { cellCount, refSize } = this.#bag.header;
    const bytes = bytesOf(this.#bag, this.#work, i);
    const [first, second] = [bytes[0]!, bytes[1]!];
    this.data = bytes as Uint8Array<ArrayBuffer>;
    this.dataStart = 2 + storedHashBytes(first);
    checkPadding(bytes, second, this.dataStart);
    this.bits = bitsAt(bytes, second, this.dataStart);
    this.refCount = first & 7;
    this.levelMask = first >> 5;
    this.type = isExotic(first)
      ? readExoticType(bytes, this.dataStart, this.bits, this.refCount)
      : "ordinary";
    this.#refs = refsOf(bytes, refSize);
    for (const ref of this.#refs)
      if (ref <= i || ref >= cellCount) throw bocError("a reference does not point to a later cell");
    if (computeLevelMask(this) !== this.levelMask) throw bocError("a cell has a wrong level mask");
    const depths: number[] = [];
    for (let level = 0; level <= maxLevel; level++)
      if (isSignificant(this.levelMask, level)) depths.push(computeDepth(this, level));
    if (isMerkle(this.type)) checkMerkleDepths(this);
    computeHashes(this, this.#hashes, 0, 0, hashCount(this.levelMask));
    if (hasStoredHashes(first)) this.#compareStored(bytes, depths);
    this.#work.setHashes(i, this.levelMask, this.#hashes, depths);
  }

  refMask(k: number): number {
    return this.#work.mask(this.#refs[k]!);
  }

  refDepth(k: number, level: number): number {
    return this.#work.depth(this.#refs[k]!, level);
  }

  copyRefHash(k: number, level: number, target: Uint8Array, at: number): void {
    target.set(this.#work.hash(this.#refs[k]!, level), at);
  }

  #compareStored(bytes: Uint8Array, depths: readonly number[]): void {
    const end = 32 * depths.length;
    for (let j = 0; j < end; j++)
      if (bytes[2 + j] !== this.#hashes[j]) throw bocError("a stored hash is wrong");
    for (const [level, depth] of depths.entries())
      if (readUint(bytes, 2 + end + 2 * level, 2) !== depth) throw bocError("a stored depth is wrong");
  }
}
