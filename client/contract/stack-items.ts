import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { isTuple, type StackItem } from "../values/stack.js";

// Values of the machine's stack, as ABIs encode them, and as this package has them.

export function itemOf(value: StackValue): StackItem {
  switch (value.type) {
    case "int":
      return value.value;
    case "null":
      return null;
    case "tuple":
      return value.items.map(itemOf);
    case "cell":
      return { cell: bocOf(value.cell) };
    case "slice":
      return { slice: bocOf(value.cell) };
    case "builder":
      return { builder: bocOf(value.cell) };
    default:
      return { unsupported: true };
  }
}

export function slotOf(item: StackItem): StackValue {
  if (typeof item === "bigint") return { type: "int", value: item };
  if (item === null) return { type: "null" };
  if (isTuple(item)) return { type: "tuple", items: item.map(slotOf) };
  if ("cell" in item) return { type: "cell", cell: cellOf(item.cell) };
  if ("slice" in item) return { type: "slice", cell: cellOf(item.slice) };
  if ("builder" in item) return { type: "builder", cell: cellOf(item.builder) };
  if ("list" in item) return pairsOf(item.list);
  return { type: "nan" };
}

function pairsOf(list: readonly StackItem[]): StackValue {
  return list
    .map(slotOf)
    .reduceRight<StackValue>((rest, each) => ({ type: "tuple", items: [each, rest] }), { type: "null" });
}

export function bocOf(cell: Cell): string {
  return bytesToBase64(serializeBoc(cell, { crc32: false }));
}

/** Throws a `CellError` for what is no bag of cells. */
export function cellOf(boc: string): Cell {
  return parseBocRoot(base64ToBytes(boc) ?? new Uint8Array());
}
