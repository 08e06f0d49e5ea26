import type { DebugValue } from "../../../shared/schema/v3/debug-values.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { base64ToBytes, bytesToHex } from "../../../shared/values/bytes.js";
import { lazy } from "../../../shared/values/lazy.js";

/** What two values are compared by. */
export type Scalar = bigint | string | boolean | null;

/** A value that unfolds. */
export type Tree = {
  /** In short. */
  readonly text: string;
  readonly type?: string | undefined;
  /** Absent for values that have parts only. */
  readonly scalar?: Scalar;
  /** The cell that it is, or that is in it. */
  readonly cell?: () => Cell | undefined;
  /** How many parts it has, and the parts from one on. Absent if it has none. */
  readonly parts?: Parts;
};

export type Part = { readonly name: string; readonly value: Tree };

type Parts = {
  readonly count: number;
  /** Whether parts are numbered, not named. */
  readonly isList: boolean;
  readonly at: (index: number) => Part;
};

/** The cells that values name, by hash, as bags of cells. */
export type Cells = Readonly<Record<string, string>>;

const maxText = 400;
const hexDigits = 254;

export function leaf(text: string, scalar: Scalar = text, type?: string): Tree {
  return { text: text.length > maxText ? `${text.slice(0, maxText)}…` : text, scalar, type };
}

export function group(text: string, parts: readonly Part[], type?: string): Tree {
  return {
    text,
    type,
    ...(parts.length > 0 && { parts: { count: parts.length, isList: false, at: (index) => parts[index]! } }),
  };
}

export function list(text: string, count: number, itemAt: (index: number) => Tree, type?: string): Tree {
  const at = (index: number) => ({ name: String(index), value: itemAt(index) });
  return { text, type, ...(count > 0 && { parts: { count, isList: true, at } }) };
}

/** A value of JSON: what a service has read by a type. */
export function jsonTree(json: unknown): Tree {
  if (Array.isArray(json)) return list(`[${json.length}]`, json.length, (index) => jsonTree(json[index]));
  if (typeof json === "object" && json !== null) {
    const entries = Object.entries(json);
    const at = (index: number): Part => {
      const [name, value] = entries[index]!;
      return { name, value: jsonTree(value) };
    };
    const { length: count } = entries;
    return { text: summary(entries), ...(count > 0 && { parts: { count, isList: false, at } }) };
  }
  if (json === null || json === undefined) return leaf("null", null);
  if (typeof json === "boolean") return leaf(String(json), json);
  const text = String(json);
  return leaf(text, /^-?\d{1,80}$/.test(text) ? BigInt(text) : text);
}

function summary(entries: readonly (readonly [string, unknown])[]): string {
  const shown = entries.slice(0, 4).map(([name, value]) => {
    const text = typeof value === "object" && value !== null ? "…" : String(value);
    return `${name}: ${text.slice(0, 40)}`;
  });
  return `{${shown.join(", ")}${entries.length > shown.length ? ", …" : ""}}`;
}

/** A value of the machine. */
export function valueTree(value: DebugValue, cells: Cells): Tree {
  const { type, items } = value;
  if (items)
    return list(`${type} of ${items.length}`, items.length, (index) => valueTree(items[index]!, cells), type);
  if (value.hash !== undefined) return cellValue(value, cells);
  if (type === "int") {
    const text = value.value ?? "NaN";
    return leaf(text, text === "NaN" ? text : BigInt(text), type);
  }
  if (type === "null") return leaf("null", null, type);
  return leaf(value.text ?? type, value.text ?? type, type);
}

/** The cell is read when its parts are asked for. */
function cellValue({ type, hash, bits = 0, refs = 0 }: DebugValue, cells: Cells): Tree {
  const hex = bytesToHex(base64ToBytes(hash ?? "") ?? new Uint8Array());
  const text = sizeText(type, bits, refs);
  const boc = cells[hex];
  if (boc === undefined) return { text: `${text}, ${hex}`, type, scalar: hex };
  const cell = lazy(() => cellOf(boc));
  const whole = lazy(() => cellTree(cell(), boc));
  const at = (index: number) => itemOf(whole(), index);
  return { text, type, scalar: hex, cell, parts: { count: refs + 3, isList: false, at } };
}

/** The cell in a bag of cells in base64; undefined if the text is none. */
export function cellOf(boc: string): Cell | undefined {
  const bytes = base64ToBytes(boc);
  return bytes && ifReadable(() => parseBocRoot(bytes));
}

function itemOf({ parts }: Tree, index: number): Part {
  return parts && index < parts.count
    ? parts.at(index)
    : { name: String(index), value: leaf("not readable") };
}

/** The parts of a cell are made when they are asked for: a tree of cells may share them many times. */
function cellTree(cell: Cell | undefined, boc?: string): Tree {
  if (!cell) return leaf("not readable");
  const names = [
    "hash",
    "bits",
    ...cell.refs.map((_, index) => `ref${index}`),
    ...(boc === undefined ? [] : ["boc"]),
  ];
  const at = (index: number): Part => {
    const name = names[index]!;
    const ref = cell.refs[index - 2];
    if (ref) return { name, value: cellTree(ref) };
    if (name === "boc" && boc !== undefined) return { name, value: { text: boc, scalar: boc } };
    return { name, value: leaf(name === "hash" ? cell.hashHex() : bitsOf(cell)) };
  };
  return {
    ...{ text: sizeText("cell", cell.bits, cell.refCount), type: "cell", scalar: cell.hashHex() },
    cell: () => cell,
    parts: { count: names.length, isList: false, at },
  };
}

function sizeText(type: string, bits: number, refs: number): string {
  return `${type} of ${bits} bits, ${refs} refs`;
}

/** The bits in hex; a part of a digit is written in binary. */
function bitsOf(cell: Cell): string {
  const slice = cell.exotic ? cell.parseExotic() : cell.parse();
  let hex = "";
  let left = cell.bits;
  for (; left >= 4 && hex.length < hexDigits; left -= 4) hex += slice.loadUint(4).toString(16);
  if (left === 0) return `x${hex}`;
  return `x${hex} b${slice.loadUint(left).toString(2).padStart(left, "0")}`;
}
