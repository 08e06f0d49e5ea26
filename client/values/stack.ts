/** A value on the stack of a get-method. Cells, slices and builders are bags of cells in base64. */
export type StackItem =
  | bigint
  | null
  | { readonly cell: string }
  | { readonly slice: string }
  | { readonly builder: string }
  /** A tuple. */
  | readonly StackItem[]
  /** Pairs of head and tail that end in null. */
  | { readonly list: readonly StackItem[] }
  /** A value that the service has no form for, such as a continuation. */
  | { readonly unsupported: true };

/** A pair of `runGetMethod`: `["num", "0x1f"]`. */
export type LegacyItem = [type: string, value: unknown];
/** A record of `runGetMethodStd`. */
export type StdItem = { readonly "@type": string; readonly [member: string]: unknown };

/** Stacks of get-methods in the forms of the interfaces and back. */
export const stack = {
  /** Arguments for `runGetMethod`. */
  encode: (items: readonly StackItem[]): LegacyItem[] => items.map(toLegacy),
  /** Arguments for `runGetMethodStd`. */
  encodeStd: (items: readonly StackItem[]): StdItem[] => items.map(toStd),
  /** What `runGetMethod`, `runGetMethodStd` and `v3.runGetMethod` answer. */
  decode: (items: readonly unknown[]): StackItem[] => items.map((item) => toItem(item as Wire, 0)),
};

function toStd(item: StackItem): StdItem {
  if (typeof item === "bigint")
    return std("Number", "number", { "@type": "tvm.numberDecimal", number: String(item) });
  if (item === null) return toStd({ list: [] });
  if (isTuple(item)) return std("Tuple", "tuple", { "@type": "tvm.tuple", elements: item.map(toStd) });
  if ("cell" in item) return std("Cell", "cell", { "@type": "tvm.cell", bytes: item.cell });
  if ("slice" in item) return std("Slice", "slice", { "@type": "tvm.slice", bytes: item.slice });
  if ("list" in item) return std("List", "list", { "@type": "tvm.list", elements: item.list.map(toStd) });
  throw new TypeError(`runGetMethodStd takes no ${Object.keys(item)[0]}`);
}

function std(type: string, member: string, value: StdItem): StdItem {
  return { "@type": `tvm.stackEntry${type}`, [member]: value };
}

function toLegacy(item: StackItem): LegacyItem {
  if (typeof item === "bigint") return ["num", hex(item)];
  if (item === null) return toLegacy({ list: [] });
  if (isTuple(item)) return ["tuple", toStd(item)["tuple"]];
  if ("cell" in item) return ["tvm.Cell", item.cell];
  if ("slice" in item) return ["tvm.Slice", item.slice];
  if ("builder" in item) return ["tvm.Builder", item.builder];
  if ("list" in item) return ["list", toStd(item)["list"]];
  throw new TypeError("a value without a form cannot be given");
}

export function isTuple(item: StackItem): item is readonly StackItem[] {
  return Array.isArray(item);
}

/** Every interface understands it; text without `0x` is decimal to some and hex to others. */
function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON in three forms; every member is looked at before it is used
type Wire = any;

/** More than any answer has: such a nesting is an attack on the stack of this program. */
const deepest = 1024;

function toItem(wire: Wire, depth: number): StackItem {
  if (depth > deepest) throw new RangeError(`the stack is nested deeper than ${deepest}`);
  // A pair, a v3 record or a typed record: a word for the type, and the value.
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
      throw new TypeError(`the stack has an entry of type ${String(type)}`);
  }
}

function partsOf(wire: Wire): [unknown, unknown] {
  const { "@type": name, type, value, ...rest } = wire ?? {};
  return name === undefined ? [type, value] : [name, Object.values(rest)[0]];
}

function elements(value: Wire, depth: number): StackItem[] {
  const items: unknown = value?.elements ?? value ?? [];
  if (!Array.isArray(items)) throw new TypeError("a tuple of the stack has no elements");
  return items.map((item) => toItem(item, depth + 1));
}

function integer(value: unknown): bigint {
  const match = /^(-?)(0x[\da-f]+|\d+)$/i.exec(String(value));
  if (!match) throw new TypeError(`${value} is not a number of the stack`);
  return match[1] ? -BigInt(match[2]!) : BigInt(match[2]!);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("a cell of the stack has no bytes");
}
