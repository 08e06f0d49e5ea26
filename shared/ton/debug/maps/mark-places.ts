import { bytesToHex } from "../../../values/bytes.js";
import { AbiError } from "../../abi/abi-error.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { anySlice, bytesKey, Dictionary, uintKey } from "../../cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../cells/dictionaries/dictionary-codec.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";

/** Marks of the cells that the machine sees, by their hashes in lower-case hex: offsets in order, and the marks at each. */
export type MarkPlaces = ReadonlyMap<string, readonly MarkPlace[]>;
type MarkPlace = { readonly offset: number; readonly marks: readonly number[] };

/** Marks of a code, which real ones have some thousand of, and marks of one place. */
const limits = { marks: 262_144, atPlace: 256 } as const;
const maxOffset = 1023;

/** Collects marks, which come in any order. Throws an AbiError if there are too many. */
export class MarkCollector {
  readonly #cells = new Map<string, Map<number, number[]>>();
  #count = 0;

  /** Counts an entry: dictionaries can share branches. */
  spend(): void {
    if (++this.#count > limits.marks) throw new AbiError(`a source map has at most ${limits.marks} marks`);
  }

  add(cell: string, offset: number, mark: number): void {
    this.spend();
    // Bits behind the end of a cell are nowhere.
    if (offset > maxOffset) return;
    const offsets = this.#cells.get(cell) ?? new Map<number, number[]>();
    this.#cells.set(cell, offsets);
    const marks = offsets.get(offset) ?? [];
    offsets.set(offset, marks);
    if (marks.length < limits.atPlace) marks.push(mark);
  }

  get places(): MarkPlaces {
    return new Map(
      [...this.#cells].map(([cell, offsets]) => [
        cell,
        [...offsets]
          .sort(([a], [b]) => a - b)
          .map(([offset, marks]) => ({ offset, marks: marks.sort((a, b) => a - b) })),
      ]),
    );
  }
}

const offsetsOnly: ValueCodec<undefined> = { load: () => undefined, store: () => {} };

/**
 * The marks that an assembler writes: `Hashmap 256 [not_top:Bit HashmapE 32 ^(Hashmap 10 #)]`, offsets of marks by cells.
 * It names a procedure by its own code, which in the end is in the leaf of a dictionary, behind a label; procedures that
 * are nowhere in the code were put into others, or left out. Throws an AbiError if the marks are malformed.
 */
export function readMarks(marks: Cell, code: CodeCells): MarkPlaces {
  const leaves = new Map(
    code.methods.map(({ cell, offset, body }) => [body.toCell().hashHex(), { cell: cell.hashHex(), offset }]),
  );
  const collector = new MarkCollector();
  try {
    for (const [hash, value] of Dictionary.loadDirect(marks, bytesKey(32), anySlice).entries()) {
      collector.spend();
      const own = bytesToHex(hash);
      const isTop = !value.loadBit();
      const place = (isTop ? leaves.get(own) : undefined) ?? { cell: own, offset: 0 };
      if (isTop && !code.cell(place.cell)) continue;
      for (const [mark, reference] of Dictionary.load(value, uintKey(32), anySlice).entries()) {
        collector.spend();
        for (const offset of Dictionary.loadDirect(reference.loadRef(), uintKey(10), offsetsOnly).keys())
          collector.add(place.cell, place.offset + offset, mark);
      }
    }
  } catch (error) {
    if (error instanceof CellError) throw new AbiError(`the marks are no dictionary: ${error.message}`);
    throw error;
  }
  return collector.places;
}
