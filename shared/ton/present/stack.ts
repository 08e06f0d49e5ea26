import type { LegacyStackEntry, StackEntry } from "../../schema/v2/stack.js";
import { itemAt } from "../../values/lookups.js";
import type { Cell } from "../cells/cell.js";
import { StackError, type StackValue } from "../tvm/stack.js";
import { countObjects, presentCellObject } from "./cell-object.js";
import { presentCell } from "./records.js";

const limits = {
  /** Nesting depth of tuples and lists. */
  depth: 256,
  /** Base64 characters of all cells of an answer: a stack can contain one big cell many times. */
  characters: 8 << 20,
  /** Cells presented as nested objects; any further cell is presented as BOC only. */
  objects: 10_000,
} as const;

/** Typed entries, also inside tuples and lists. */
export function presentTypedStack(stack: readonly StackValue[]): StackEntry[] {
  const presenter = new StackPresenter();
  return stack.map((value) => presenter.typed(value, 0));
}

/** Pairs of type and value; inside tuples and lists the typed form. */
export function presentLegacyStack(stack: readonly StackValue[]): LegacyStackEntry[] {
  const presenter = new StackPresenter();
  return stack.map((value) => presenter.legacy(value));
}

/** Presents one answer and enforces its limits. */
class StackPresenter {
  #charactersLeft = limits.characters;
  #objectsLeft = limits.objects;

  typed(value: StackValue, depth: number): StackEntry {
    if (depth >= limits.depth)
      throw new StackError("shown", `an answer shows at most ${limits.depth} levels of tuples`);
    switch (value.type) {
      case "int":
        return {
          "@type": "tvm.stackEntryNumber",
          number: { "@type": "tvm.numberDecimal", number: value.value.toString() },
        };
      case "cell":
        return { "@type": "tvm.stackEntryCell", cell: this.#cell(value.cell) };
      case "slice":
        return {
          "@type": "tvm.stackEntrySlice",
          slice: { "@type": "tvm.slice", bytes: this.#cell(value.cell).bytes },
        };
      case "null":
      case "tuple":
        return this.#typedGroup(value, depth);
      default:
        return { "@type": "tvm.stackEntryUnsupported" };
    }
  }

  legacy(value: StackValue): LegacyStackEntry {
    switch (value.type) {
      case "int":
        return ["num", hexOf(value.value)];
      case "cell":
      case "slice":
        return ["cell", this.#legacyCell(value.cell)];
      case "null":
      case "tuple": {
        const group = this.#typedGroup(value, 0);
        return "list" in group ? ["list", group.list] : ["tuple", group.tuple];
      }
      default:
        return ["unsupported", ""];
    }
  }

  #typedGroup(value: Extract<StackValue, { type: "tuple" }> | { type: "null" | "nan" }, depth: number) {
    const list = itemsOfList(value);
    const items = list ?? (value.type === "tuple" ? value.items : []);
    const elements = items.map((item) => this.typed(item, depth + 1));
    return list
      ? ({ "@type": "tvm.stackEntryList", list: { "@type": "tvm.list", elements } } as const)
      : ({ "@type": "tvm.stackEntryTuple", tuple: { "@type": "tvm.tuple", elements } } as const);
  }

  #cell(cell: Cell) {
    const presented = presentCell(cell);
    this.#charactersLeft -= presented.bytes.length;
    if (this.#charactersLeft < 0) throw new StackError("size", "the cells of the stack are too large");
    return presented;
  }

  #legacyCell(cell: Cell) {
    const { bytes } = this.#cell(cell);
    const objects = countObjects(cell, this.#objectsLeft);
    if (objects > this.#objectsLeft) return { bytes };
    this.#objectsLeft -= objects;
    return { bytes, object: presentCellObject(cell) };
  }
}

/** The items of a TVM list: null, or nested pairs that end in null. Any pair with null is a list of one item. */
export function itemsOfList(value: StackValue): StackValue[] | undefined {
  const items: StackValue[] = [];
  let rest: StackValue | undefined = value;
  while (rest?.type === "tuple" && rest.items.length === 2) {
    items.push(itemAt(rest.items, 0));
    rest = rest.items[1];
  }
  return rest?.type === "null" ? items : undefined;
}

export function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
