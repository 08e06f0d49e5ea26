import type { CellInput, StackInput } from "../../../../shared/schema/v2-stack-params.js";
import type { Cell } from "../../../cells/cell.js";
import { StackError, type StackValue, storeStack } from "../../../chain/executor/stack.js";
import { ServiceError } from "../../../errors.js";
import { CellRoom, cellOfParts } from "./cells.js";

/** Arguments as the executor takes them. */
export function stackOf(given: readonly StackInput[]): StackValue[] {
  const room = new CellRoom();
  const stack = given.map((value) => valueFrom(value, room));
  assertFits(stack);
  return stack;
}

function valueFrom(given: StackInput, room: CellRoom): StackValue {
  switch (given.type) {
    case "null":
      return { type: "null" };
    case "int":
      return { type: "int", value: given.value };
    case "tuple":
      return { type: "tuple", items: given.items.map((item) => valueFrom(item, room)) };
    case "list":
      return listOf(given.items.map((item) => valueFrom(item, room)));
    case "unsupported":
      // Spelt as tonlib spells it.
      throw new ServiceError("liteserver-error", "Unsuppored stack entry");
    default:
      return { type: given.type, cell: cellOf(given.cell, room) };
  }
}

/** Pairs of an item and the rest, ending in null. */
function listOf(items: readonly StackValue[]): StackValue {
  return items.reduceRight<StackValue>((rest, item) => ({ type: "tuple", items: [item, rest] }), {
    type: "null",
  });
}

function cellOf(given: CellInput, room: CellRoom): Cell {
  const cell = given instanceof Uint8Array ? room.take(given) : cellOfParts(given);
  // TON Center finds out in tonlib, whose failures have this status.
  if (!cell) throw new ServiceError("bad-boc", "INVALID_BAG_OF_CELLS: stack", { status: 500 });
  return cell;
}

/** A stack travels to the executor as a tree of cells, which may be 1024 deep. */
function assertFits(stack: readonly StackValue[]): void {
  try {
    storeStack(stack);
  } catch (cause) {
    if (!(cause instanceof StackError)) throw cause;
    const limit = cause.code === "size" ? "size" : "depth";
    const data = { param: "stack" };
    throw new ServiceError("invalid-params", `TVM stack input exceeds ${limit} limit`, { data, cause });
  }
}
