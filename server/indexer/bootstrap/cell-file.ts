import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type CellStore, refsOf, StoredCell } from "../../../shared/ton/cells/stored-cell.js";
import { BagFile } from "./bag-file.js";
import { bytesOf, indexCells } from "./index-cells.js";
import { WorkFile } from "./work-file.js";

/** Cells that stay in memory. None of them keeps others. */
const keptCells = 50_000;
/** Pages of a bag, and of what is known of its cells, that stay in memory. */
const keptPages = { bag: 512, work: 1024 };

export type OpenOptions = {
  signal: AbortSignal;
  /** Called with the cells that are done, of all, in two passes together. */
  onProgress?: (done: number, all: number) => void;
  /** Cells between two records of progress. */
  stride?: number;
};

/** The cells of a bag of cells in a file, read on demand. Its cells are validated and hashed before it is open. */
export class CellFile implements CellStore {
  readonly #bag: BagFile;
  readonly #work: WorkFile;
  readonly #cells: LRUCache<number, Cell>;

  private constructor(bag: BagFile, work: WorkFile, files: number) {
    this.#bag = bag;
    this.#work = work;
    this.#cells = new LRUCache({ max: Math.ceil(keptCells / files) });
  }

  /**
   * `workPath`: a file in which what is known of the cells is kept. `files`: how many share the memory of one. Throws
   * `CellError` for an invalid bag.
   */
  static async open(
    path: string,
    workPath: string,
    { signal, onProgress, stride }: OpenOptions,
    files = 1,
  ): Promise<CellFile> {
    const bag = BagFile.open(path, Math.ceil(keptPages.bag / files));
    let work: WorkFile | undefined;
    try {
      const { size, mtimeMs, header } = bag;
      const { cellCount: cells, index } = header;
      const subject = { size, mtimeMs, cells, hasIndex: index !== undefined };
      work = new WorkFile(workPath, subject, Math.ceil(keptPages.work / files));
      const pass = work;
      await indexCells(bag, work, {
        signal,
        ...(stride !== undefined && { stride }),
        onProgress: (done) =>
          onProgress?.(pass.progress.phase === "locating" ? done : cells + done, 2 * cells),
      });
      return new CellFile(bag, work, files);
    } catch (error) {
      bag.close();
      work?.close();
      throw error;
    }
  }

  get root(): Cell {
    return this.cell(this.#bag.root);
  }

  cell(index: number): Cell {
    let cell = this.#cells.get(index);
    if (!cell) {
      const bytes = bytesOf(this.#bag, this.#work, index);
      cell = new StoredCell(this, index, bytes, this.#bag.header.refSize);
      this.#cells.set(index, cell);
    }
    return cell;
  }

  hash(index: number, level: number): Uint8Array {
    return this.#work.hash(index, level).slice();
  }

  depth(index: number, level: number): number {
    return this.#work.depth(index, level);
  }

  /** The number of different cells in a tree of this file, or a number above `max`. */
  countCells(root: Cell, max: number): number {
    const { refSize } = this.#bag.header;
    const seen = new Set<number>();
    const waiting = [(root as StoredCell).index];
    for (let index = waiting.pop(); index !== undefined && seen.size <= max; index = waiting.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      waiting.push(...refsOf(bytesOf(this.#bag, this.#work, index), refSize));
    }
    return seen.size;
  }

  close(): void {
    this.#bag.close();
    this.#work.close();
  }
}
