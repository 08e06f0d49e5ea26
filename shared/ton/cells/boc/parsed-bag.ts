import type { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import { defaultLimits, readHeader } from "./boc-header.js";
import { type BocRows, BocTable, ownBytes } from "./boc-table.js";

/** A bag of cells with all hashes computed: the work of parsing, in a form that can be posted to another thread. */
export type ParsedBag = { rows: BocRows; roots: readonly number[] };

/** Parses a bag with the default limits and hashes all cells. Throws `CellError` for invalid bytes. */
export function parseBag(bytes: Uint8Array): ParsedBag {
  const header = readHeader(bytes, defaultLimits);
  const table = BocTable.parse(ownBytes(bytes), header, defaultLimits);
  return { rows: table.hashedRows(), roots: header.roots };
}

/** The buffers of a bag, for `postMessage` to move instead of copy. */
export function buffersOf({ rows }: ParsedBag): ArrayBuffer[] {
  const { bytes, offsets, slots, depths, hashes } = rows;
  return [bytes, offsets, slots, depths, hashes].map(({ buffer }) => buffer as ArrayBuffer);
}

/**
 * The bytes of a bag that another thread has parsed. `parseBoc` returns their cells immediately, or throws the parsing
 * error.
 */
export class BagBytes extends Uint8Array<ArrayBufferLike> {
  readonly #roots: readonly Cell[] | undefined;
  readonly #problem: string | undefined;

  /** `outcome`: the parsed bag, or why the bytes are invalid. */
  constructor(bytes: Uint8Array, outcome: ParsedBag | string) {
    super(bytes.buffer, bytes.byteOffset, bytes.length);
    if (typeof outcome === "string") this.#problem = outcome;
    else {
      const table = new BocTable(outcome.rows);
      this.#roots = outcome.roots.map((root) => table.cell(root));
    }
  }

  /** Parts of the bytes are plain arrays. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  roots(): Cell[] {
    if (this.#roots === undefined) throw new CellError("boc", this.#problem!);
    return [...this.#roots];
  }
}
