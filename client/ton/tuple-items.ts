import { Cell, type TupleItem } from "@ton/core";
import { isTuple, type LegacyItem, type StackItem, stack } from "../values/stack.js";

// Conversion of get-method stacks to and from the types of @ton/core.

/** Encodes arguments for `runGetMethod`. */
export function toLegacyStack(items: readonly TupleItem[]): LegacyItem[] {
  return stack.encode(items.map(toStackItem));
}

/** Marks tuples of `toTupleItem` that were lists. */
const isList = Symbol("list");

export function toStackItem(item: TupleItem): StackItem {
  if (item.type === "tuple" && isList in item) return { list: item.items.map(toStackItem) };
  switch (item.type) {
    case "int":
      return item.value;
    case "null":
      return null;
    case "nan":
      throw new TypeError("NaN cannot be passed to a get-method");
    case "tuple":
      return item.items.map(toStackItem);
    case "cell":
      return { cell: toBase64(item.cell) };
    case "slice":
      return { slice: toBase64(item.cell) };
    case "builder":
      return { builder: toBase64(item.cell) };
  }
}

/** Decodes the result stack of `runGetMethod`. */
export function toTupleItems(answered: readonly unknown[]): TupleItem[] {
  return stack.decode(answered).map(toTupleItem);
}

export function toTupleItem(item: StackItem): TupleItem {
  if (typeof item === "bigint") return { type: "int", value: item };
  if (item === null) return { type: "null" };
  if (isTuple(item)) return { type: "tuple", items: item.map(toTupleItem) };
  if ("cell" in item) return { type: "cell", cell: Cell.fromBase64(item.cell) };
  if ("slice" in item) return { type: "slice", cell: Cell.fromBase64(item.slice) };
  if ("builder" in item) return { type: "builder", cell: Cell.fromBase64(item.builder) };
  // @ton/ton represents lists as tuples of their elements.
  if ("list" in item)
    return Object.defineProperty({ type: "tuple", items: item.list.map(toTupleItem) }, isList, {
      value: true,
    });
  throw new TypeError("the stack has an unsupported value");
}

/** A cell as a bag of cells in base64. */
export function toBase64(cell: Cell): string {
  return cell.toBoc().toString("base64");
}
