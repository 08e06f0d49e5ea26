import type { DebugLocal, DebugSource, DebugValue } from "../../../schema/v3/debug-values.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import { serializeBoc } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { countCells } from "../../cells/cell-set.js";
import type { Local } from "../../debug/locals.js";
import type { Located } from "../../debug/maps/cell-sections.js";
import type { LoggedValue } from "../../tvm/logged-values.js";

/** Characters of the cells of an answer, about. */
const maxLength = 4 * 1024 * 1024;
/** Cells of a tree that is small. */
const maxSmall = 1000;

/** Presents values of the machine, and keeps the cells that they name, each once. */
export class ShownValues {
  readonly #withCells: boolean;
  readonly #cells = new Map<string, string>();
  #length = 0;

  constructor(withCells: boolean) {
    this.#withCells = withCells;
  }

  /** Characters of the cells. */
  get length(): number {
    return this.#length;
  }

  get cells(): Record<string, string> {
    return Object.fromEntries(this.#cells);
  }

  present(value: LoggedValue): DebugValue {
    if ("items" in value) return { type: value.type, items: value.items.map((item) => this.present(item)) };
    return "cell" in value ? this.cell(value.cell, value.type) : value;
  }

  /** Presents a value of which only small cells are kept: others, such as the configuration, are named by their hashes. */
  presentSmall(value: LoggedValue): DebugValue {
    if ("items" in value)
      return { type: value.type, items: value.items.map((item) => this.presentSmall(item)) };
    if (!("cell" in value)) return value;
    return countCells(value.cell, maxSmall) > maxSmall
      ? shownCell(value.cell, value.type)
      : this.cell(value.cell, value.type);
  }

  cell(cell: Cell, type: "cell" | "slice" | "builder" = "cell"): DebugValue {
    if (this.#withCells) this.#keep(cell);
    return shownCell(cell, type);
  }

  local({ name, type, values, typed, seen }: Local): DebugLocal {
    return {
      name,
      ...(type !== undefined && { type }),
      values: values.map((value) => (value ? this.present(value) : null)),
      ...(typed !== undefined && { typed }),
      ...(seen !== undefined && { seen }),
    };
  }

  #keep(cell: Cell): void {
    const hash = cell.hashHex();
    if (this.#cells.has(hash) || this.#length > maxLength) return;
    const boc = bytesToBase64(serializeBoc(cell));
    this.#cells.set(hash, boc);
    this.#length += boc.length;
  }
}

function shownCell(cell: Cell, type: "cell" | "slice" | "builder"): DebugValue {
  return { type, hash: bytesToBase64(cell.hash()), bits: cell.bits, refs: cell.refCount };
}

/** The members of a step that tell its place in the sources. */
export function presentLocated(located: Located | undefined): { source?: DebugSource; function?: string } {
  if (!located) return {};
  const { file, line, column, endLine, endColumn } = located.place;
  return {
    source: {
      ...{ file, line, column },
      ...(endLine !== undefined && { end_line: endLine }),
      ...(endColumn !== undefined && { end_column: endColumn }),
    },
    ...(located.function !== undefined && { function: located.function }),
  };
}
