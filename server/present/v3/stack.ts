import type { StackEntry } from "../../../shared/schema/v3/stack.js";
import { presentBoc } from "../../../shared/ton/present/records.js";
import { hexOf, itemsOfList } from "../../../shared/ton/present/stack.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { ServiceError } from "../../errors.js";

const limits = {
  /** Maximum nesting of tuples and lists. */
  depth: 256,
  /** Limit on the total size of an answer's cells: a stack can contain one big cell many times. */
  characters: 8 << 20,
} as const;

/** The result of a get-method in the form of this interface: entries are objects of type and value. */
export function presentStack(stack: readonly StackValue[]): StackEntry[] {
  const budget = { characters: limits.characters as number };
  return stack.map((value) => presentValue(value, 0, budget));
}

function presentValue(value: StackValue, depth: number, budget: { characters: number }): StackEntry {
  if (depth >= limits.depth) throw new ServiceError("stack-too-deep");
  switch (value.type) {
    case "int":
      return { type: "num", value: hexOf(value.value) };
    case "cell":
    case "slice": {
      const boc = presentBoc(value.cell);
      budget.characters -= boc.length;
      if (budget.characters < 0) throw new ServiceError("liteserver-error", "TVM stack size exceeds limit");
      return { type: value.type, value: boc };
    }
    case "null":
    case "tuple": {
      const list = itemsOfList(value);
      const items = list ?? (value.type === "tuple" ? value.items : []);
      return {
        type: list ? "list" : "tuple",
        value: items.map((item) => presentValue(item, depth + 1, budget)),
      };
    }
    default:
      return { type: "unsupported" };
  }
}
