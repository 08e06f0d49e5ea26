import { addToGroup } from "../../values/groups.js";
import { AbiError } from "./abi-error.js";
import type { AbiType, ContractAbi, Declaration, Field, PlainKind, Prefix, TypeIndex } from "./model.js";

/** Bounds of a scheme; that of TON's blocks has about 500 constructors. */
const limits = { words: 200_000, name: 256, constructors: 4096, fields: 1000, depth: 64 } as const;
const opcodeBits = 32;

type Node =
  | { readonly kind: "apply"; readonly name: string; readonly parameters: readonly Node[] }
  | { readonly kind: "reference"; readonly of: Node }
  | { readonly kind: "record"; readonly fields: readonly Part[] }
  /** Whose encoding depends on values, or is not known. */
  | { readonly kind: "unknown" };
type Part = { readonly name: string; readonly type: Node };
type Constructor = {
  readonly name: string;
  readonly prefix: Prefix;
  readonly fields: readonly Part[];
  readonly type: string;
};

/**
 * The messages of a scheme in TL-B: constructors with a tag of 32 bits. `undefined` for a text without one. Types whose
 * encoding depends on values or on parameters are read as the rest of their cell.
 */
export function readTlb(text: string): ContractAbi | undefined {
  const words = wordsOf(text);
  const constructors: Constructor[] = [];
  /** Types of which a constructor cannot be read. */
  const unknown = new Set<string>();
  let start = 0;
  for (let end = words.indexOf(";"); end >= 0; end = words.indexOf(";", start)) {
    const line = words.slice(start, end);
    start = end + 1;
    const read = new Line(line).constructorOrUndefined();
    if (read) constructors.push(read);
    else unknown.add(typeIn(line));
    if (constructors.length > limits.constructors)
      throw new AbiError(`a scheme has at most ${limits.constructors} constructors`);
  }
  return constructors.some(isMessage) ? new Scheme(constructors, unknown).read() : undefined;
}

function isMessage({ prefix }: Constructor): boolean {
  return prefix.len === opcodeBits;
}

/** The words of a scheme without its comments. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let isComment = false;
  for (const [word] of text.matchAll(/\/\/[^\n]*|\/\*|\*\/|##|#<=?|#[0-9a-fA-F]*_?|\$[01]*_?|\w+|[^\s\w]/g)) {
    if (word === "/*") isComment = true;
    else if (word === "*/") isComment = false;
    else if (!isComment && !word.startsWith("//")) words.push(word);
    if (words.length > limits.words) throw new AbiError(`a scheme has at most ${limits.words} words`);
  }
  return words;
}

/** The name of the type of a constructor. */
function typeIn(line: readonly string[]): string {
  return line[line.lastIndexOf("=") + 1] ?? "";
}

/** A constructor, from left to right. */
class Line {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** `undefined` if it has parameters, conditions or very long names, or is malformed. */
  constructorOrUndefined(): Constructor | undefined {
    if (this.#words.some((word) => word.length > limits.name)) return undefined;
    const name = this.#take();
    const isTagged = /^[#$]/.test(this.#words[this.#at] ?? "");
    const prefix = isTagged ? prefixOf(this.#take()) : name === "_" ? noPrefix : undefined;
    if (!/^\w+$/.test(name) || !prefix) return undefined;
    const fields = this.#fields("=", 0);
    const type = this.#take();
    return fields && this.#at === this.#words.length && /^\w+$/.test(type)
      ? { name, prefix, fields, type }
      : undefined;
  }

  /** Up to the word at their end. */
  #fields(end: string, depth: number): Part[] | undefined {
    const fields: Part[] = [];
    const names = new Set<string>();
    for (let name = this.#take(); name !== end; name = this.#take()) {
      if (!/^\w+$/.test(name) || name === "__proto__" || this.#take() !== ":") return undefined;
      const type = this.#type(depth + 1);
      if (!type) return undefined;
      if (fields.length === limits.fields) return undefined;
      fields.push({ name: names.has(name) ? `${name}${fields.length}` : name, type });
      names.add(name);
      // What follows depends on values: a condition, a product, or a member of a bit field.
      if (/^[.?*]$/.test(this.#words[this.#at] ?? "")) return undefined;
    }
    return fields;
  }

  #type(depth: number): Node | undefined {
    if (depth > limits.depth) return undefined;
    const word = this.#take();
    if (word === "^") {
      const of = this.#type(depth + 1);
      return of && { kind: "reference", of };
    }
    if (word === "[") {
      const fields = this.#fields("]", depth);
      return fields && { kind: "record", fields };
    }
    if (word !== "(") return isName(word) ? { kind: "apply", name: word, parameters: [] } : undefined;
    const name = this.#take();
    const parameters: Node[] = [];
    while (this.#words[this.#at] !== ")") {
      const parameter = this.#type(depth + 1);
      if (!parameter) return undefined;
      parameters.push(parameter);
    }
    this.#at++;
    return isName(name) ? { kind: "apply", name, parameters } : { kind: "unknown" };
  }

  #take(): string {
    return this.#words[this.#at++] ?? "";
  }
}

function isName(word: string): boolean {
  return /^(\w+|##?)$/.test(word);
}

const noPrefix: Prefix = { num: 0n, len: 0 };

/** Bits of a tag: hex digits, of which a last `_` ends a filled-up one, or binary ones. Only explicit tags are known. */
function prefixOf(tag: string): Prefix | undefined {
  const digits = tag.slice(1).replace("_", "");
  if (!/^[#$]/.test(tag) || (digits === "" && !tag.endsWith("_"))) return undefined;
  if (digits === "") return noPrefix;
  if (digits.length > (tag[0] === "#" ? 16 : 64)) return undefined;
  if (tag[0] === "$") return { num: BigInt(`0b${digits}`), len: digits.length };
  const num = BigInt(`0x${digits}`);
  const len = 4 * digits.length;
  if (!tag.endsWith("_")) return { num, len };
  const bits = num.toString(2).padStart(len, "0").replace(/10*$/, "");
  return { num: bits === "" ? 0n : BigInt(`0b${bits}`), len: bits.length };
}

const plain: Readonly<Record<string, PlainKind>> = {
  Bool: "bool",
  Grams: "coins",
  Coins: "coins",
  MsgAddress: "addressAny",
  MsgAddressInt: "address",
  MsgAddressExt: "addressExt",
  Cell: "remaining",
  Any: "remaining",
};

class Scheme {
  readonly #constructors: readonly Constructor[];
  readonly #unknown: ReadonlySet<string>;
  readonly #ofType = new Map<string, Constructor[]>();
  readonly #types: AbiType[] = [];
  readonly #named = new Map<string, TypeIndex>();
  readonly #declarations = new Map<string, Declaration>();
  readonly #structs = new Map<Constructor, TypeIndex>();
  /** Fills structures. Later, as a scheme can be a long chain of types. */
  readonly #pending: (() => void)[] = [];

  constructor(constructors: readonly Constructor[], unknown: ReadonlySet<string>) {
    this.#constructors = constructors;
    this.#unknown = unknown;
    for (const each of constructors) addToGroup(this.#ofType, each.type, each);
  }

  read(): ContractAbi {
    // A scheme does not say who receives a message.
    const incoming = this.#constructors.filter(isMessage).map((each) => this.#struct(each));
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) next();
    return {
      contract: "",
      compiler: "",
      types: this.#types,
      declarations: this.#declarations,
      instances: new Map(),
      messages: { incoming, external: [], outgoing: [], events: [] },
      storage: [],
      getMethods: [],
      errors: new Map(),
    };
  }

  #add(type: AbiType): TypeIndex {
    return this.#types.push(type) - 1;
  }

  #struct(declared: Constructor): TypeIndex {
    const known = this.#structs.get(declared);
    if (known !== undefined) return known;
    const { name, prefix, type, fields } = declared;
    const index = this.#record(name === "_" ? type : name, fields, prefix);
    this.#structs.set(declared, index);
    return index;
  }

  #record(wanted: string, fields: readonly Part[], prefix = noPrefix): TypeIndex {
    let name = wanted.slice(0, limits.name);
    if (this.#declarations.has(name)) {
      const end = ` ${this.#declarations.size}`;
      name = wanted.slice(0, limits.name - end.length) + end;
    }
    const own: Field[] = [];
    this.#declarations.set(name, {
      ...{ kind: "struct", name, cells: [own], packsItself: false },
      prefix: prefix.len > 0 ? prefix : undefined,
    });
    this.#pending.push(() => {
      for (const field of fields) {
        const type = this.#type(field.type, `${name}.${field.name}`);
        own.push({ name: field.name, type, description: "", fallback: undefined });
      }
    });
    return this.#add({ kind: "struct", name, arguments: [] });
  }

  #type(node: Node, place: string): TypeIndex {
    switch (node.kind) {
      case "record":
        return this.#record(place, node.fields);
      case "reference":
        return node.of.kind === "apply" && plain[node.of.name] === "remaining"
          ? this.#add({ kind: "cell" })
          : this.#add({ kind: "cellOf", inner: this.#type(node.of, place) });
      case "apply":
        return this.#applied(node.name, node.parameters, place);
      default:
        return this.#add({ kind: "raw", name: "unknown" });
    }
  }

  #applied(name: string, parameters: readonly Node[], place: string): TypeIndex {
    const [first, second] = parameters;
    if (!first) return this.#name(name);
    const number = first.kind === "apply" && /^\d{1,4}$/.test(first.name) ? Number(first.name) : undefined;
    const sized = number === undefined ? undefined : sizedType(name, number);
    if (sized) return this.#add(sized);
    if (name === "Maybe")
      return this.#add({ kind: "nullable", inner: this.#type(first, place), width: 1, typeId: undefined });
    if (name === "HashmapE") {
      const inner = this.#add({ kind: "cell" });
      return this.#add({ kind: "nullable", inner, width: 1, typeId: undefined });
    }
    if (name === "Either" && second) {
      const variants = [first, second].map((each, i) => ({
        type: this.#type(each, `${place}.${i === 0 ? "left" : "right"}`),
        ...{ prefix: { num: BigInt(i), len: 1 }, isImplicit: true, typeId: undefined },
      }));
      return this.#add({ kind: "union", variants, width: 1 });
    }
    return this.#add({ kind: "raw", name });
  }

  #name(name: string): TypeIndex {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const [, word = name, digits = ""] = /^(u?int|bits)(\d{1,4})$/.exec(name) ?? [];
    const kind = Object.hasOwn(plain, name) ? plain[name] : undefined;
    const simple: AbiType | undefined =
      name === "#" ? { kind: "uintN", n: 32 } : kind ? { kind } : sizedType(word, Number(digits));
    if (simple) return this.#remember(name, this.#add(simple));
    const constructors = this.#unknown.has(name) ? [] : (this.#ofType.get(name) ?? []);
    const [only] = constructors;
    if (!only) return this.#remember(name, this.#add({ kind: "raw", name }));
    if (constructors.length === 1) return this.#remember(name, this.#struct(only));
    const variants: { type: TypeIndex; prefix: Prefix; isImplicit: false; typeId: undefined }[] = [];
    const union = this.#remember(name, this.#add({ kind: "union", variants, width: 1 }));
    for (const each of constructors)
      variants.push({
        ...{ type: this.#struct(each), prefix: each.prefix },
        ...{ isImplicit: false, typeId: undefined },
      });
    return union;
  }

  #remember(name: string, index: TypeIndex): TypeIndex {
    this.#named.set(name, index);
    return index;
  }
}

/** Integers and bits of a size. */
function sizedType(name: string, n: number): AbiType | undefined {
  if (!Number.isInteger(n) || n < 1) return undefined;
  switch (name) {
    case "uint":
    case "##":
      return n <= 256 ? { kind: "uintN", n } : undefined;
    case "int":
      return n <= 257 ? { kind: "intN", n } : undefined;
    case "bits":
      return n <= 1023 ? { kind: "bitsN", n } : undefined;
    case "VarUInteger":
      return n === 16 || n === 32 ? { kind: "varuintN", n } : undefined;
    case "VarInteger":
      return n === 16 || n === 32 ? { kind: "varintN", n } : undefined;
    default:
      return undefined;
  }
}
