import {
  type BocHeader,
  bocError,
  longestHead,
  readLayout,
  readUint,
} from "../../../shared/ton/cells/boc/boc-header.js";
import { cellLength, checkDescriptor } from "../../../shared/ton/cells/cell-bytes.js";
import { PagedFile } from "./paged-file.js";

/** Cells that one file may have. */
const maxCells = 2 ** 31 - 1;
const maxDepth = 1024;

/** A bag of cells in a file of any size, of which only the header is in memory. */
export class BagFile {
  readonly header: BocHeader;
  readonly size: number;
  readonly mtimeMs: number;
  readonly #file: PagedFile;

  private constructor(file: PagedFile) {
    this.#file = file;
    const { size, mtimeMs } = file.stat();
    this.size = size;
    this.mtimeMs = mtimeMs;
    const head = file.read(0, Math.min(size, longestHead + 4));
    const limits = { bytes: Number.MAX_SAFE_INTEGER, cells: maxCells, depth: maxDepth, roots: 1 };
    this.header = readLayout(head, size, limits);
  }

  /** Throws `CellError` if the file does not begin as a bag with one root, or has another length than it states. */
  static open(path: string, maxPages: number): BagFile {
    const file = PagedFile.toRead(path, maxPages);
    try {
      return new BagFile(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get root(): number {
    return this.header.roots[0]!;
  }

  read(at: number, length: number): Uint8Array {
    return this.#file.read(at, length);
  }

  /** The end of a cell by the bag's own index, as an offset from the first cell. */
  statedEnd(i: number): number {
    const { start, entrySize, cacheBits } = this.header.index!;
    const entry = readUint(this.#file.read(start + i * entrySize, entrySize), 0, entrySize);
    return cacheBits ? Math.floor(entry / 2) : entry;
  }

  /** The end of the cell that begins at an offset from the first cell. */
  endOfCellAt(offset: number): number {
    const { dataStart, dataEnd, refSize } = this.header;
    const at = dataStart + offset;
    if (at + 2 > dataEnd) throw bocError("a cell is truncated");
    const descriptors = this.#file.read(at, 2);
    checkDescriptor(descriptors[0]!);
    const end = offset + cellLength(descriptors[0]!, descriptors[1]!, refSize);
    if (dataStart + end > dataEnd) throw bocError("a cell is truncated");
    return end;
  }

  close(): void {
    this.#file.close();
  }
}
