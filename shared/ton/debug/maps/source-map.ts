import { firstPassing } from "../../../values/first-passing.js";
import { AbiError } from "../../abi/abi-error.js";
import type { AbiCoder } from "../../abi/coder.js";
import type { CodeCells } from "../../tvm/code/code-cells.js";
import { CellSections, type Located, type Section } from "./cell-sections.js";
import type { MarkPlaces } from "./mark-places.js";
import { inOrder, type Mark } from "./marks.js";

const none: readonly Mark[] = [];

/** The places of a code's instructions in its sources, and its variables. A code's hash does not prove them. */
export class SourceMap {
  /** Reads values by the types of the variables; absent if the map has no types. */
  readonly types: AbiCoder | undefined;
  /** Names of the global variables, from number 1; none if the map does not number them. */
  readonly globals: readonly string[];
  readonly #code: CodeCells;
  readonly #places: MarkPlaces;
  readonly #marksOf: (id: number) => readonly Mark[];
  readonly #cells = new Map<string, readonly Section[]>();

  constructor(parts: {
    code: CodeCells;
    places: MarkPlaces;
    /** The marks of a number; none of one that is not known. */
    marksOf: (id: number) => readonly Mark[];
    types?: AbiCoder | undefined;
    globals?: readonly string[];
  }) {
    this.#code = parts.code;
    this.#places = parts.places;
    this.#marksOf = parts.marksOf;
    this.types = parts.types;
    this.globals = parts.globals ?? [];
  }

  /** Hashes of the cells that it has marks of. */
  get cells(): Iterable<string> {
    return this.#places.keys();
  }

  has(cell: string): boolean {
    return this.#places.has(cell);
  }

  /** Whether a cell is a part of its code, with marks or without. */
  covers(cell: string): boolean {
    return this.#code.cell(cell) !== undefined;
  }

  /** The place of the last mark at or before an offset. */
  at(cell: string, offset: number): Located | undefined {
    return this.#section(cell, offset)?.located;
  }

  /** The marks at exactly this place, in order. */
  marksAt(cell: string, offset: number): readonly Mark[] {
    const section = this.#section(cell, offset);
    return section?.offset === offset ? section.marks : none;
  }

  #section(cell: string, offset: number): Section | undefined {
    const sections = this.#sectionsOf(cell);
    return sections[firstPassing(0, sections.length, (n) => sections[n]!.offset > offset) - 1];
  }

  #sectionsOf(cell: string): readonly Section[] {
    const known = this.#cells.get(cell);
    const places = this.#places.get(cell);
    if (known || !places) return known ?? [];
    const reading = new CellSections(
      places.map(({ offset, marks }) => ({ offset, marks: this.#inOrder(marks) })),
    );
    const sections = reading.read(this.#code.cell(cell), this.#code.startOf(cell));
    this.#cells.set(cell, sections);
    return sections;
  }

  #inOrder(ids: readonly number[]): readonly Mark[] {
    const known = ids
      .map((id) => ({ id, marks: this.#readMarks(id) }))
      .filter(({ marks }) => marks.length > 0);
    return inOrder(known).flatMap(({ marks }) => marks);
  }

  /** A malformed mark is none: the others are of use. */
  #readMarks(id: number): readonly Mark[] {
    try {
      return this.#marksOf(id);
    } catch (error) {
      if (error instanceof AbiError) return none;
      throw error;
    }
  }
}
