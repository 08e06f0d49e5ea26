import { methodId } from "../tvm/method-id.js";
import { AbiError } from "./abi-error.js";
import { Shape } from "./json-shape.js";
import type {
  AbiType,
  ContractAbi,
  Declaration,
  Field,
  GetMethod,
  PlainKind,
  Structure,
  ThrownError,
  TypeIndex,
} from "./model.js";

const limits = { types: 4096, members: 65_536, tuple: 15 } as const;

/** What a value takes of a cell. */
type Size = { readonly bits: number; readonly refs: number };
/** Where a type is used: nested values are tuples in arguments, and in a row in results and cells. */
type Use = "cell" | "argument";

/** Whether JSON is an ABI of Tact's compiler. */
export function isTactAbi(json: unknown): boolean {
  return (
    typeof json === "object" &&
    json !== null &&
    ["types", "receivers", "errors"].every((member) => Object.hasOwn(json, member))
  );
}

/** Reads and checks the `.abi` of Tact's compiler. Throws an AbiError if it is malformed or too large. */
export function readTactAbi(json: unknown, compiler = "tact"): ContractAbi {
  return new TactReader(new Shape(json, "abi")).read(compiler);
}

class TactReader {
  readonly #root: Shape;
  readonly #structures = new Map<string, { readonly header: Shape; readonly fields: Shape[] }>();
  readonly #types: AbiType[] = [];
  readonly #places = new Map<string, TypeIndex>();
  readonly #declarations = new Map<string, Declaration>();
  readonly #sizes = new Map<string, Size>();
  /** Structures whose size is being computed. */
  readonly #open = new Set<string>();

  constructor(root: Shape) {
    this.#root = root;
    let members = 0;
    for (const type of root.member("types").list(limits.types)) {
      const fields = type.member("fields").list(limits.types);
      members += fields.length;
      if (members > limits.members) throw new AbiError(`an ABI has at most ${limits.members} fields`);
      this.#structures.set(type.member("name").memberName(), { header: type.member("header"), fields });
    }
  }

  read(compiler: string): ContractAbi {
    for (const name of this.#structures.keys()) this.#declare(name);
    const contract = this.#root.member("name").name("optional");
    const received = (receiver: string) =>
      this.#root
        .member("receivers")
        .list(limits.types)
        .filter((each) => each.member("receiver").value === receiver)
        .map((each) => each.member("message"))
        .filter((message) => message.member("kind").value === "typed")
        .map((message) => this.#structure(message.member("type")));
    const incoming = received("internal");
    const external = received("external");
    return {
      contract,
      compiler,
      types: this.#types,
      declarations: this.#declarations,
      instances: new Map(),
      // The ABI does not say what a contract sends: of messages that it does not receive it may be any.
      messages: { incoming, external, outgoing: this.#others([...incoming, ...external]), events: [] },
      storage: this.#storage(`${contract}$Data`),
      getMethods: this.#root
        .member("getters")
        .list(limits.types)
        .map((getter) => this.#getMethod(getter)),
      errors: this.#errors(),
    };
  }

  #declare(name: string): void {
    const { header, fields } = this.#structures.get(name)!;
    const isContract = name.endsWith("$Data");
    const opcode = header.isAbsent ? undefined : header.integer(0, 0xffffffff);
    const own = fields.map((field) => this.#field(field, "cell"));
    const { cells } = this.#allocate(fields, {
      bits: opcode === undefined ? 0 : 32,
      refs: isContract ? 1 : 0,
    });
    this.#declarations.set(name, {
      kind: "struct",
      name,
      prefix: opcode === undefined ? undefined : { num: BigInt(opcode), len: 32 },
      cells: cells.map((count) => own.splice(0, count)),
      packsItself: false,
    });
  }

  /** The storage has a bit before its fields that says whether `init` has run, unless the contract has no `init`. */
  #storage(name: string): TypeIndex[] {
    const declared = this.#declarations.get(name);
    if (declared?.kind !== "struct") return [];
    const begun: Structure = { ...declared, name: `${name} (initialized)`, prefix: { num: 1n, len: 1 } };
    this.#declarations.set(begun.name, begun);
    return [this.#struct(begun.name), this.#struct(name)];
  }

  #others(received: readonly TypeIndex[]): TypeIndex[] {
    const known = new Set(received);
    return [...this.#structures]
      .filter(([, { header }]) => !header.isAbsent)
      .map(([name]) => this.#struct(name))
      .filter((type) => !known.has(type));
  }

  #getMethod(getter: Shape): GetMethod {
    const name = getter.member("name").name();
    const id = getter.member("methodId");
    const returns = getter.member("returnType");
    return {
      name,
      id: id.isAbsent ? methodId(name) : id.integer(-(2 ** 31), 2 ** 31 - 1),
      parameters: getter
        .member("arguments")
        .list(limits.types)
        .map((argument) => this.#field(argument, "argument")),
      returns: returns.isAbsent ? this.#type({ kind: "void" }) : this.#typeOf(returns, "cell"),
      description: "",
    };
  }

  #errors(): Map<number, ThrownError> {
    const errors = new Map<number, ThrownError>();
    const given = this.#root.member("errors");
    for (const code of Object.keys(given.value ?? {}).slice(0, limits.types))
      if (/^-?\d{1,10}$/.test(code))
        errors.set(Number(code), {
          name: "",
          description: given.member(code).member("message").description(),
        });
    return errors;
  }

  #field(field: Shape, use: Use): Field {
    return {
      name: field.member("name").memberName(),
      type: this.#typeOf(field.member("type"), use),
      description: "",
      fallback: undefined,
    };
  }

  #typeOf(given: Shape, use: Use): TypeIndex {
    if (given.member("kind").value === "dict") return this.#map(given);
    const name = given.member("type").name();
    const isOptional = given.member("optional").value === true;
    if (name === "address") return this.#type({ kind: isOptional ? "addressOpt" : "address" });
    const inner = this.#plain(name, given.member("format"), isOptional || use === "argument");
    return isOptional ? this.#type({ kind: "nullable", inner, width: 1, typeId: undefined }) : inner;
  }

  /** A type without `optional`. `isTuple`: a structure is a tuple on the stack. */
  #plain(name: string, format: Shape, isTuple: boolean): TypeIndex {
    const number = typeof format.value === "number" ? format : undefined;
    switch (`${name} ${number ? "n" : (format.value ?? "")}`) {
      case "int n":
        return this.#type({ kind: "intN", n: format.integer(1, 257) });
      case "int ":
        return this.#type({ kind: "intN", n: 257 });
      case "int varint16":
      case "int varint32":
        return this.#type({ kind: "varintN", n: Number(String(format.value).slice(-2)) });
      case "uint n":
        return this.#type({ kind: "uintN", n: format.integer(1, 256) });
      case "uint ":
        return this.#type({ kind: "uintN", n: 256 });
      case "uint coins":
        return this.#type({ kind: "coins" });
      case "uint varuint16":
      case "uint varuint32":
        return this.#type({ kind: "varuintN", n: Number(String(format.value).slice(-2)) });
      case "fixed-bytes n":
        return this.#type({ kind: "bitsN", n: 8 * format.integer(1, 127) });
      default: {
        const kind = plainKindsOf.get(`${name} ${format.value ?? ""}`);
        if (kind) return this.#type({ kind });
        return this.#structures.has(name) ? this.#structureType(name, format, isTuple) : this.#raw(name);
      }
    }
  }

  #structureType(name: string, format: Shape, isTuple: boolean): TypeIndex {
    const inner = this.#struct(name);
    if (format.value === "ref") return this.#type({ kind: "cellOf", inner });
    if (!format.isAbsent) return this.#raw(name);
    if (!isTuple) return inner;
    return this.#isFlat(name) ? this.#type({ kind: "tupled", inner }) : this.#raw(name);
  }

  /** Whether a structure is one tuple: larger ones, and structures in structures, are tuples in tuples. */
  #isFlat(name: string): boolean {
    const { fields } = this.#structures.get(name)!;
    return (
      fields.length <= limits.tuple &&
      !fields.some((field) => this.#structures.has(String(field.member("type").member("type").value)))
    );
  }

  #map(given: Shape): TypeIndex {
    const part = (name: string, format: string) => {
      const type = given.member(name).name();
      return type === "address"
        ? this.#type({ kind: "address" })
        : this.#plain(type, given.member(format), false);
    };
    const key = part("key", "keyFormat");
    const value = part("value", "valueFormat");
    const isStructure = this.#types[value]!.kind === "struct";
    // Structures are in a cell of their own.
    return this.#type({
      kind: "mapKV",
      key,
      value: isStructure ? this.#type({ kind: "cellOf", inner: value }) : value,
    });
  }

  #struct(name: string): TypeIndex {
    return this.#type({ kind: "struct", name, arguments: [] });
  }

  #structure(given: Shape): TypeIndex {
    const name = given.name();
    return this.#structures.has(name)
      ? this.#struct(name)
      : given.refuse(`structure ${name} is not declared`);
  }

  #raw(name: string): TypeIndex {
    return this.#type({ kind: "raw", name });
  }

  #type(type: AbiType): TypeIndex {
    const text = JSON.stringify(type);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.#types.push(type) - 1;
    this.#places.set(text, place);
    return place;
  }

  /** How many fields each cell of a structure has, as the compiler divides them. */
  #allocate(fields: readonly Shape[], reserved: Size): { cells: number[]; size: Size } {
    const sizes = fields.map((field) => this.#sizeOf(field.member("type")));
    const cells: number[] = [];
    let size: Size | undefined;
    // One bit and one reference of the first cell are reserved.
    let free = { bits: 1023 - reserved.bits - 1, refs: 4 - reserved.refs - 1 };
    for (let start = 0; ; free = { bits: 1023, refs: 4 }) {
      const { count, used, isLast } = fill(sizes, start, free);
      cells.push(count);
      size ??= { bits: used.bits + reserved.bits, refs: used.refs + reserved.refs };
      start += count;
      if (isLast) return { cells, size };
      if (count === 0 && cells.length > 1) throw new AbiError("a field does not fit a cell");
    }
  }

  #sizeOf(type: Shape): Size {
    if (type.member("kind").value === "dict") return { bits: 1, refs: 1 };
    const name = type.member("type").name();
    const { value: format } = type.member("format");
    const optional = type.member("optional").value === true && name !== "address" ? 1 : 0;
    const bits = (count: number) => ({ bits: count + optional, refs: 0 });
    if (name === "address") return bits(267);
    if (name === "bool") return bits(1);
    if (name === "fixed-bytes") return bits(8 * Number(format));
    if (name === "int" || name === "uint") return bits(integerBits(name, format));
    if (format === "remainder") return { bits: 0, refs: 0 };
    if (!this.#structures.has(name) || format === "ref") return { bits: optional, refs: 1 };
    const inner = this.#structureSize(name);
    return { bits: inner.bits + optional, refs: inner.refs };
  }

  #structureSize(name: string): Size {
    const known = this.#sizes.get(name);
    if (known) return known;
    if (this.#open.has(name) || this.#open.size > 128)
      throw new AbiError(`structure ${name} contains itself`);
    this.#open.add(name);
    const { header, fields } = this.#structures.get(name)!;
    const { size } = this.#allocate(fields, { bits: header.isAbsent ? 0 : 32, refs: 0 });
    this.#open.delete(name);
    this.#sizes.set(name, size);
    return size;
  }
}

/** Fields that have one form. */
const plainKindsOf: ReadonlyMap<string, PlainKind> = new Map([
  ["bool ", "bool"],
  ["cell ", "cell"],
  ["cell ref", "cell"],
  ["cell remainder", "remainingCell"],
  ["slice ", "sliceRef"],
  ["slice ref", "sliceRef"],
  ["slice remainder", "remaining"],
  ["builder ", "builderRef"],
  ["builder ref", "builderRef"],
  ["builder remainder", "remainingBuilder"],
  ["string ", "text"],
]);

function integerBits(name: string, format: unknown): number {
  if (typeof format === "number") return format;
  if (format === undefined || format === null) return name === "int" ? 257 : 256;
  return String(format).endsWith("32") ? 253 : 124;
}

/** As many fields as fit a cell, which keeps a reference for the next one if it needs one. Looks no further than they fit. */
function fill(
  sizes: readonly Size[],
  start: number,
  free: Size,
): { count: number; used: Size; isLast: boolean } {
  let total: Size = { bits: 0, refs: 0 };
  let used: Size = { bits: 0, refs: 1 };
  let end = start;
  for (let at = start; at < sizes.length; at++) {
    total = plus(total, sizes[at]!);
    if (!fits(total, free)) return { count: end - start, used, isLast: false };
    const next = plus(used, sizes[at]!);
    if (end < at || !fits(next, free)) continue;
    used = next;
    end++;
  }
  return { count: sizes.length - start, used: total, isLast: true };
}

function plus(a: Size, b: Size): Size {
  return { bits: a.bits + b.bits, refs: a.refs + b.refs };
}

function fits({ bits, refs }: Size, free: Size): boolean {
  return bits <= free.bits && refs <= free.refs;
}
