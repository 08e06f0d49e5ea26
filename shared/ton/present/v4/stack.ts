import type { z } from "zod";
import type { v4StackItem } from "../../../schema/v4/records.js";
import type { Cell } from "../../cells/cell.js";
import { StackError, type StackValue } from "../../tvm/stack.js";
import { presentBoc } from "../records.js";

type StackItem = z.output<typeof v4StackItem>;

const limits = {
  /** Nesting depth of tuples. */
  depth: 255,
  /** Base64 characters of all cells: a stack can contain one big cell many times. */
  characters: 8 << 20,
} as const;

/**
 * The values from bottom to top; `undefined` if they are nested too deep or one is a continuation, which has no form here.
 * Throws a StackError for too large cells.
 */
export function presentV4Stack(stack: readonly StackValue[]): StackItem[] | undefined {
  return new Presenter().items(stack, 0);
}

class Presenter {
  #charactersLeft: number = limits.characters;

  items(values: readonly StackValue[], depth: number): StackItem[] | undefined {
    if (depth > limits.depth) return undefined;
    const items: StackItem[] = [];
    for (const value of values) {
      const item = this.#item(value, depth);
      if (!item) return undefined;
      items.push(item);
    }
    return items;
  }

  #item(value: StackValue, depth: number): StackItem | undefined {
    switch (value.type) {
      case "null":
      case "nan":
        return { type: value.type };
      case "int":
        return { type: "int", value: value.value.toString() };
      case "tuple": {
        const items = this.items(value.items, depth + 1);
        return items && { type: "tuple", items };
      }
      case "continuation":
        return undefined;
      default:
        return { type: value.type, cell: this.#boc(value.cell) };
    }
  }

  #boc(cell: Cell): string {
    const boc = presentBoc(cell);
    this.#charactersLeft -= boc.length;
    if (this.#charactersLeft < 0) throw new StackError("size", "the cells of the stack are too large");
    return boc;
  }
}
