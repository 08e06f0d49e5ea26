import { base64ToBytes } from "../../values/bytes.js";
import { ifJson } from "../../values/json.js";
import { Fault, input, quote, textOfNumber, unreadable } from "../input.js";
import { pairSchema, typedSchema } from "./stack-schemas.js";

/** A stack value of a request; its bags of cells are not parsed yet. */
export type StackInput =
  | { type: "null" | "unsupported" }
  | { type: "int"; value: bigint }
  | { type: "cell" | "slice" | "builder"; cell: CellInput }
  | { type: "tuple" | "list"; items: StackInput[] };

/** A bag of cells, or a cell given as nested objects. */
export type CellInput = Uint8Array | CellParts;
/** A cell as nested objects: `bits` is the number of bits in `data`. */
export type CellParts = { data: Uint8Array; bits: number; refs: CellParts[]; special: boolean };

/** Limits of a stack, including nested values. A list counts as its items, an empty one as one value. */
const limits = { values: 8000, depth: 1024 } as const;

/** Thrown by the nested readers below, and caught at the parameter. */
class Refusal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super();
    this.fault = fault;
  }
}

/** A stack as pairs of type and value, from bottom to top. */
export const legacyStack = input<readonly LegacyPair[], StackInput[]>(
  { type: "array", maxItems: limits.values, items: pairSchema },
  stackReader(readPair),
);
/** A stack entry of `runGetMethod`. */
type LegacyPair = readonly [type: string, value: unknown];

/** A stack as typed entries, from bottom to top. */
export const typedStack = input<readonly object[], StackInput[]>(
  { type: "array", maxItems: limits.values, items: typedSchema },
  stackReader(readTyped),
);

/** A cell as nested objects. A malformed one is passed on: TON Center refuses it after the other parameters. */
export const cellObject = input<object, CellParts | "malformed">(
  { type: "object", description: 'A cell as `{"data":{"b64","len"},"refs":[…],"special"}`.' },
  (given) => readCellParts(given, 1) ?? "malformed",
);

function stackReader(readEntry: (given: unknown, budget: Budget) => StackInput) {
  return (given: unknown): StackInput[] | Fault => {
    if (!Array.isArray(given)) return unreadable;
    const budget = new Budget();
    try {
      return given.map((entry) => readEntry(entry, budget));
    } catch (error) {
      if (error instanceof Refusal) return error.fault;
      throw error;
    }
  };
}

class Budget {
  #values = 0;

  spend(depth: number): void {
    if (++this.#values > limits.values) throw refuse("TVM stack input exceeds size limit");
    if (depth > limits.depth) throw refuse("TVM stack input exceeds depth limit");
  }
}

function readPair(given: unknown, budget: Budget): StackInput {
  if (!Array.isArray(given)) throw new Refusal(unreadable);
  if (given.length !== 2) throw refuse(`Expected 2 elements in stack entry, got: ${given.length}`);
  const [type, value] = given as [unknown, unknown];
  if (typeof type !== "string") throw refuse("Expected string as first element in stack entry");
  const read = pairs.get(type);
  if (!read) throw refuse(`Unsupported stack entry type: ${quote(type)}`);
  if (!lists.has(type)) budget.spend(1);
  return read(value, budget);
}

type ReadValue = (value: unknown, budget: Budget) => StackInput;

const lists: ReadonlySet<string> = new Set(["list", "tvm.List"]);

const pairs: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ...["num", "number", "int", "integer"].map((name) => [name, readNumber] as const),
  ["null", () => ({ type: "null" })],
  ["tvm.Cell", bocReader("cell", "tvm.Cell")],
  ["tvm.Slice", bocReader("slice", "tvm.Slice")],
  ["tvm.Builder", bocReader("builder", "tvm.Builder")],
  ["cell", cellReader("cell")],
  ["slice", cellReader("slice")],
  ...["tuple", "tvm.Tuple"].map((name) => [name, groupReader("tuple", "tvm.Tuple")] as const),
  ...[...lists].map((name) => [name, groupReader("list", "tvm.List")] as const),
]);

function readNumber(given: unknown): StackInput {
  if (typeof given !== "string" && typeof given !== "bigint" && !Number.isInteger(given))
    throw refuse("Wrong type of number in stack entry");
  const text = textOfNumber(given) ?? given;
  const value = typeof text === "string" ? integerOf(text) : undefined;
  if (value === undefined || BigInt.asIntN(257, value) !== value)
    throw refuse(`Invalid number: ${quote(text)}`);
  return { type: "int", value };
}

/** Decimal, or hex after `0x`. The longest 257-bit integer has 78 digits. */
function integerOf(text: string): bigint | undefined {
  const match = /^(-?)(\d{1,80}|0x[0-9a-f]{1,80})$/i.exec(text);
  if (!match) return undefined;
  const value = BigInt(match[2]!.toLowerCase());
  return match[1] ? -value : value;
}

function bocReader(type: "cell" | "slice" | "builder", name: string): ReadValue {
  return (given) => {
    if (given === "") throw refuse(`Empty ${name}`);
    const bytes = typeof given === "string" ? base64ToBytes(given) : undefined;
    if (!bytes) throw refuse(`Invalid ${name}, base64 string expected`);
    return { type, cell: bytes };
  };
}

/** `{"bytes"}` or a cell as nested objects, given as an object or as JSON text. */
function cellReader(type: "cell" | "slice"): ReadValue {
  return (given) => {
    const object = typeof given === "string" ? ifJson(given) : given;
    if (member(object, "bytes") === "") throw refuse(`Empty ${type}`);
    const bytes = member(object, "bytes");
    const cell = typeof bytes === "string" ? base64ToBytes(bytes) : readCellParts(object, 1);
    if (!cell) throw refuse(`Invalid ${type}, object with field bytes expected`);
    return { type, cell };
  };
}

function groupReader(type: "tuple" | "list", name: string): ReadValue {
  return (given, budget) => {
    try {
      return { type, items: type === "list" ? readList(given, budget, 1) : readElements(given, budget, 1) };
    } catch (error) {
      if (error instanceof Refusal && error.fault === unreadable)
        throw refuse(`Invalid ${name}, valid tvm_stackEntry${name.slice(4)} expected`);
      throw error;
    }
  };
}

function readElements(given: unknown, budget: Budget, depth: number): StackInput[] {
  const elements = member(given, "elements");
  if (!Array.isArray(elements)) throw new Refusal(unreadable);
  return elements.map((element) => readTyped(element, budget, depth + 1));
}

function readList(given: unknown, budget: Budget, depth: number): StackInput[] {
  const items = readElements(given, budget, depth);
  if (items.length === 0) budget.spend(depth);
  return items;
}

function readTyped(given: unknown, budget: Budget, depth = 1): StackInput {
  const type = member(given, "@type");
  if (type !== "tvm.stackEntryList") budget.spend(depth);
  switch (type) {
    case "tvm.stackEntryNumber":
      return readTypedNumber(member(member(given, "number"), "number"));
    case "tvm.stackEntryCell":
      return { type: "cell", cell: readBytes(member(given, "cell")) };
    case "tvm.stackEntrySlice":
      return { type: "slice", cell: readBytes(member(given, "slice")) };
    case "tvm.stackEntryTuple":
      return { type: "tuple", items: readElements(member(given, "tuple"), budget, depth) };
    case "tvm.stackEntryList":
      return { type: "list", items: readList(member(given, "list"), budget, depth) };
    case "tvm.stackEntryUnsupported":
      return { type: "unsupported" };
    default:
      throw new Refusal(unreadable);
  }
}

function readTypedNumber(given: unknown): StackInput {
  const value = typeof given === "string" ? integerOf(given) : undefined;
  if (value === undefined || BigInt.asIntN(257, value) !== value) throw new Refusal(unreadable);
  return { type: "int", value };
}

function readBytes(given: unknown): Uint8Array {
  const text = member(given, "bytes");
  const bytes = typeof text === "string" ? base64ToBytes(text) : undefined;
  if (!bytes) throw new Refusal(unreadable);
  return bytes;
}

/** `undefined` if it is not a cell as nested objects. Whether the cell is valid is checked later. */
function readCellParts(given: unknown, depth: number): CellParts | undefined {
  const data = member(given, "data");
  const [b64, bits, refs, special = false] = [
    member(data, "b64"),
    member(data, "len"),
    member(given, "refs") ?? [],
    member(given, "special"),
  ];
  const bytes = typeof b64 === "string" ? base64ToBytes(b64) : undefined;
  if (!bytes || typeof bits !== "number" || !Number.isInteger(bits) || bits < 0 || bits > bytes.length * 8)
    return undefined;
  if (!Array.isArray(refs) || typeof special !== "boolean" || depth > limits.depth) return undefined;
  const below = refs.map((ref) => readCellParts(ref, depth + 1));
  return below.every((each) => each !== undefined) ? { data: bytes, bits, refs: below, special } : undefined;
}

function member(given: unknown, name: string): unknown {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>)[name] : undefined;
}

function refuse(text: string): Refusal {
  return new Refusal(new Fault("bare", () => text));
}
