/** A value on the stack of a get-method. Cells, slices and builders are bags of cells in base64. */
export type StackItem =
  | bigint
  | null
  | {
      /** A cell as a bag of cells in base64. */
      readonly cell: string;
    }
  | { readonly slice: string }
  | { readonly builder: string }
  /** A tuple. */
  | readonly StackItem[]
  /** A Lisp-style list: nested pairs of head and tail, ending in null. */
  | { readonly list: readonly StackItem[] }
  /** A value that the API cannot represent, such as a continuation. */
  | { readonly unsupported: true };

/** Stack entry of `runGetMethod`: `["num", "0x1f"]`. */
export type LegacyItem = [type: string, value: unknown];
/** Stack entry of `runGetMethodStd`. */
export type StdItem = { readonly "@type": string; readonly [member: string]: unknown };
/** Stack entry of `v3.runGetMethod`. */
export type V3Item = {
  /** `num`, `cell` or `slice`. */
  readonly type: string;
  /** An integer, or a bag of cells in base64. */
  readonly value: string | number | bigint;
};

/** Converts get-method stacks to and from the formats of the API. Throws a TypeError for values it cannot convert. */
export const stack = {
  /** Encodes arguments for `runGetMethod`. */
  encode: (items: readonly StackItem[]): LegacyItem[] => items.map(toLegacy),
  /** Encodes arguments for `runGetMethodStd`. */
  encodeStd: (items: readonly StackItem[]): StdItem[] => items.map(toStd),
  /** Decodes the result stack of `runGetMethod`, `runGetMethodStd` and `v3.runGetMethod`. */
  decode: (items: readonly unknown[]): StackItem[] => items.map((item) => toItem(item as Wire, 0)),
};

function toStd(item: StackItem): StdItem {
  if (typeof item === "bigint") return std("Number", { "@type": "tvm.numberDecimal", number: String(item) });
  if (item === null) return toStd({ list: [] });
  if (isTuple(item)) return std("Tuple", { elements: item.map(toStd) });
  if ("cell" in item) return std("Cell", { bytes: item.cell });
  if ("slice" in item) return std("Slice", { bytes: item.slice });
  if ("list" in item) return std("List", { elements: item.list.map(toStd) });
  throw new TypeError(`runGetMethodStd takes no ${Object.keys(item)[0]}`);
}

/** The type of the value is that of the entry in lower case, unless `value` names another. */
function std(type: string, value: object): StdItem {
  const member = type.toLowerCase();
  return { "@type": `tvm.stackEntry${type}`, [member]: { "@type": `tvm.${member}`, ...value } };
}

function toLegacy(item: StackItem): LegacyItem {
  if (typeof item === "bigint") return ["num", hex(item)];
  if (item === null) return toLegacy({ list: [] });
  if (isTuple(item)) return ["tuple", toStd(item)["tuple"]];
  if ("cell" in item) return ["tvm.Cell", item.cell];
  if ("slice" in item) return ["tvm.Slice", item.slice];
  if ("builder" in item) return ["tvm.Builder", item.builder];
  if ("list" in item) return ["list", toStd(item)["list"]];
  throw new TypeError("an unsupported value cannot be encoded");
}

/** Whether a value is a tuple. */
export function isTuple(item: StackItem): item is readonly StackItem[] {
  return Array.isArray(item);
}

/** Always with `0x`: numbers without it are decimal in some interfaces and hex in others. */
function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON in three formats; every member is checked before use
type Wire = any;

/** Deeper than any valid answer; guards against a stack overflow in this program. */
const maxDepth = 1024;

function toItem(wire: Wire, depth: number): StackItem {
  if (depth > maxDepth) throw new RangeError(`the stack is nested deeper than ${maxDepth}`);
  // Three formats: a pair, a v3 record, or a record with `@type`.
  const [type, value]: Wire[] = Array.isArray(wire) ? wire : partsOf(wire);
  const bytes = typeof value === "string" ? value : value?.bytes;
  switch (
    String(type)
      .replace(/^tvm\.(stackEntry)?/, "")
      .toLowerCase()
  ) {
    case "num":
    case "number":
      return integer(value?.number ?? value);
    case "cell":
      return { cell: text(bytes) };
    case "slice":
      return { slice: text(bytes) };
    case "builder":
      return { builder: text(bytes) };
    case "null":
      return null;
    case "tuple":
      return elements(value, depth);
    case "list": {
      const list = elements(value, depth);
      return list.length > 0 ? { list } : null;
    }
    case "unsupported":
      return { unsupported: true };
    default:
      throw new TypeError(`unknown stack entry type ${String(type)}`);
  }
}

function partsOf(wire: Wire): [unknown, unknown] {
  const { "@type": name, type, value, ...rest } = wire ?? {};
  return name === undefined ? [type, value] : [name, Object.values(rest)[0]];
}

function elements(value: Wire, depth: number): StackItem[] {
  const items: unknown = value?.elements ?? value ?? [];
  if (!Array.isArray(items)) throw new TypeError("a tuple has no elements");
  return items.map((item) => toItem(item, depth + 1));
}

function integer(value: unknown): bigint {
  const match = /^(-?)(0x[\da-f]+|\d+)$/i.exec(String(value));
  if (!match) throw new TypeError(`${value} is not a number`);
  return match[1] ? -BigInt(match[2]!) : BigInt(match[2]!);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("a cell has no bytes");
}
