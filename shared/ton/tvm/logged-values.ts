// Values as the virtual machine writes them to its log, with cells as bags of cells in hex.
import { hexToBytes } from "../../values/bytes.js";
import { parseBocRoot } from "../cells/boc/boc.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";

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

export function readLoggedValue(text: string, depth = 0): LoggedValue {
  if (number.test(text)) return { type: "int", value: text };
  if (text === "()" || text === "(null)") return { type: "null" };
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
