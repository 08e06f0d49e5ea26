// Values as the virtual machine writes them to its log, with cells as bags of cells in hex.
import { hexToBytes } from "../../values/bytes.js";
import { parseBocRoot } from "../cells/boc/boc.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import type { StackValue } from "./stack.js";

/** A value of a stack; `text` is one that is not understood. */
export type LoggedValue =
  | { type: "int"; value: string }
  | { type: "null" }
  | { type: "cell" | "slice" | "builder"; cell: Cell }
  | { type: "cont" }
  | { type: "tuple" | "list"; items: LoggedValue[] }
  | { type: "text"; text: string };

/** Deeper tuples are texts. */
const maxDepth = 32;
const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);
const nulls: ReadonlySet<string> = new Set(["()", "(null)"]);
const number = /^(?:-?[0-9]+|NaN)$/;
const withCell = /^(C|CS|BC)\{([0-9A-F]*)\}$/;
const kinds = { C: "cell", CS: "slice", BC: "builder" } as const;

/** The texts of the values of a stack, or of a tuple, one by one. */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? " ";
    if (opening.has(character)) depth++;
    else if (closing.has(character)) depth--;
    else if (character === " " && depth === 0) {
      if (at > start) values.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return values;
}

/** The texts of the items of a tuple, one by one; undefined for other values. */
export function tupleItems(text: string): string[] | undefined {
  if (text.startsWith("[")) return splitValues(text.slice(1, -1));
  // A pair that ends in null, or in such a pair, is written as a list.
  if (!text.startsWith("(") || nulls.has(text)) return undefined;
  const [first = "", ...rest] = splitValues(text.slice(1, -1));
  return [first, rest.length === 0 ? "()" : `(${rest.join(" ")})`];
}

export function readLoggedValue(text: string, depth = 0): LoggedValue {
  if (number.test(text)) return { type: "int", value: text };
  if (nulls.has(text)) return { type: "null" };
  const [, kind, hex = ""] = withCell.exec(text) ?? [];
  if (kind === "C" || kind === "CS" || kind === "BC") {
    const cell = cellOf(hex);
    if (cell) return { type: kinds[kind], cell };
  }
  if (text.startsWith("Cont{")) return { type: "cont" };
  const type = text.startsWith("[") ? "tuple" : text.startsWith("(") ? "list" : "text";
  if (type === "text" || depth === maxDepth) return { type: "text", text };
  return { type, items: splitValues(text.slice(1, -1)).map((item) => readLoggedValue(item, depth + 1)) };
}

/** A value that was given to a run, as its log would have it. */
export function valueOfStack(value: StackValue): LoggedValue {
  switch (value.type) {
    case "int":
      return { type: "int", value: value.value.toString() };
    case "nan":
      return { type: "int", value: "NaN" };
    case "null":
      return { type: "null" };
    case "tuple":
      return tupleOf(value.items.map(valueOfStack));
    case "continuation":
      return { type: "cont" };
    default:
      return value;
  }
}

/** A pair that ends in null, or in such a pair, is a list. */
function tupleOf(items: LoggedValue[]): LoggedValue {
  const [first, rest] = items;
  if (items.length !== 2 || !first || !rest) return { type: "tuple", items };
  if (rest.type === "null") return { type: "list", items: [first] };
  return rest.type === "list" ? { type: "list", items: [first, ...rest.items] } : { type: "tuple", items };
}

function cellOf(hex: string): Cell | undefined {
  const bytes = hexToBytes(hex);
  try {
    return bytes && parseBocRoot(bytes);
  } catch (error) {
    // A log that was cut in the middle of a value; the text is shown.
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
