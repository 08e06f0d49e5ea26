import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { StackError, type StackValue } from "../../../shared/ton/tvm/stack.js";
import { stackBoc } from "../../../shared/ton/tvm/store-stack.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { RpcError } from "../../errors.js";
import { isTuple, type StackItem, stack } from "../../values/stack.js";

/** The arguments of a run as values of the stack. Throws an RpcError if they are none. */
export function readArguments(entries: readonly unknown[]): StackValue[] {
  try {
    const values = stack.decode(entries.map(withKnownType)).map(valueFrom);
    // Checks their number and depth.
    stackBoc(values);
    return values;
  } catch (cause) {
    if (cause instanceof CellError)
      throw new RpcError("bad-boc", `a cell among the arguments: ${cause.message}`, { cause });
    const isRefused =
      cause instanceof TypeError || cause instanceof RangeError || cause instanceof StackError;
    if (!isRefused) throw cause;
    throw new RpcError("invalid-params", `arguments: ${cause.message}`, { cause });
  }
}

/** Services have two more names for numbers, which their answers lack. */
function withKnownType(entry: unknown): unknown {
  return Array.isArray(entry) && /^int(eger)?$/.test(entry[0]) ? ["num", entry[1]] : entry;
}

function valueFrom(item: StackItem): StackValue {
  if (item === null) return { type: "null" };
  if (typeof item === "bigint") return { type: "int", value: checkedInteger(item) };
  if (isTuple(item)) return { type: "tuple", items: item.map(valueFrom) };
  if ("cell" in item) return { type: "cell", cell: cellOf(item.cell) };
  if ("slice" in item) return { type: "slice", cell: cellOf(item.slice) };
  if ("builder" in item) return { type: "builder", cell: cellOf(item.builder) };
  if ("list" in item) return listOf(item.list.map(valueFrom));
  throw new TypeError("an unsupported value cannot be an argument");
}

/** Nested pairs of an item and the rest, ending in null. */
function listOf(items: readonly StackValue[]): StackValue {
  return items.reduceRight<StackValue>((rest, item) => ({ type: "tuple", items: [item, rest] }), {
    type: "null",
  });
}

function checkedInteger(value: bigint): bigint {
  if (BigInt.asIntN(257, value) !== value) throw new RangeError("a number has more than 257 bits");
  return value;
}

function cellOf(text: string): Cell {
  const bytes = base64ToBytes(text);
  if (!bytes) throw new TypeError("a bag of cells is not base64");
  const cell = parseBocRoot(bytes);
  if (cell.levelMask !== 0) throw new CellError("invalid", "it has pruned parts");
  return cell;
}
