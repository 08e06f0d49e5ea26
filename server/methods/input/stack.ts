import type { CellInput, StackInput } from "../../../shared/schema/v2/stack-params.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { ServiceError } from "../../errors.js";
import { CellBudget, cellOfParts } from "./cells.js";

/** The values as a stack for the executor. Their number and depth were checked by the schema. Throws `bad-boc`. */
export function readStack(values: readonly StackInput[]): StackValue[] {
  const budget = new CellBudget();
  return values.map((value) => readValue(value, budget));
}

function readValue(value: StackInput, budget: CellBudget): StackValue {
  switch (value.type) {
    case "null":
      return { type: "null" };
    case "int":
      return { type: "int", value: value.value };
    case "tuple":
      return { type: "tuple", items: value.items.map((item) => readValue(item, budget)) };
    case "list":
      return listOf(value.items.map((item) => readValue(item, budget)));
    case "unsupported":
      // tonlib's own spelling.
      throw new ServiceError("liteserver-error", "Unsuppored stack entry");
    default:
      return { type: value.type, cell: readCell(value.cell, budget) };
  }
}

/** A TVM list: nested pairs of an item and the rest, ending in null. */
function listOf(items: readonly StackValue[]): StackValue {
  return items.reduceRight<StackValue>((rest, item) => ({ type: "tuple", items: [item, rest] }), {
    type: "null",
  });
}

function readCell(input: CellInput, budget: CellBudget): Cell {
  const cell = input instanceof Uint8Array ? budget.parse(input) : cellOfParts(input);
  // TON Center parses these cells in tonlib, whose errors have status 500.
  if (!cell) throw new ServiceError("bad-boc", "INVALID_BAG_OF_CELLS: stack", { status: 500 });
  return cell;
}
