import type { ContractAbi, Prefix, TypeIndex, UnionVariant } from "./model.js";

/** Types in one name: it is for people, and tables can be cyclic. */
const maxParts = 64;
/** Characters of the name of a composed type. That of a declared one has as many at most. */
const maxCharacters = 256;

/** The names of an ABI's types as in Tolk: `map<int32, Order?>`. Long ones are cut. */
export class TypeNames {
  readonly #abi: ContractAbi;
  readonly #names = new Map<TypeIndex, string>();

  constructor(abi: ContractAbi) {
    this.#abi = abi;
  }

  of(index: TypeIndex): string {
    const known = this.#names.get(index);
    if (known !== undefined) return known;
    const name = cut(composed(this.#abi, index, maxCharacters));
    this.#names.set(index, name);
    return name;
  }

  /** The name with all of its parts, unless there are very many of them. */
  whole(index: TypeIndex): string {
    return composed(this.#abi, index, Number.POSITIVE_INFINITY);
  }

  /** The name without type arguments, by which the variants of a union are told apart if they can be. */
  short(index: TypeIndex): string {
    const { types, declarations, instances } = this.#abi;
    let at = index;
    for (let steps = 0; steps < maxParts; steps++) {
      const type = types[at];
      const declared = type?.kind === "alias" ? declarations.get(type.name) : undefined;
      if (declared?.kind !== "alias") break;
      at = instances.get(at)?.[0] ?? declared.target;
    }
    const type = types[at];
    switch (type?.kind) {
      case "struct":
      case "enum":
        return type.name;
      case "cellOf":
        return "Cell";
      case "arrayOf":
        return "array";
      case "lispListOf":
        return "lisp_list";
      case "mapKV":
        return "map";
      case "tensor":
      case "shapedTuple":
        return "tensor";
      default:
        return this.of(at);
    }
  }

  /**
   * The labels by which the variants of a union are told apart: their short names if those differ, else their names. Equal
   * ones are numbered.
   */
  labels(variants: readonly TypeIndex[]): string[] {
    const short = variants.map((type) => this.short(type));
    const isAmbiguous = new Set(short).size !== short.length;
    const labels = new Set<string>();
    let number = 1;
    for (const [at, type] of variants.entries()) {
      const name = isAmbiguous ? this.of(type) : short[at]!;
      let label = name;
      while (labels.has(label)) label = cut(name, ` ${++number}`);
      labels.add(label);
    }
    return [...labels];
  }
}

function cut(name: string, end = ""): string {
  const room = maxCharacters - end.length;
  return name.length > room ? `${name.slice(0, room - 1)}…${end}` : name + end;
}

/** `enough`: characters of names after which the rest is left out. */
function composed(abi: ContractAbi, index: TypeIndex, enough: number): string {
  let [parts, characters] = [0, 0];
  const isFull = () => parts > maxParts || characters > enough;
  const declared = (text: string) => {
    characters += text.length;
    return text;
  };
  const name = (at: TypeIndex): string => {
    const type = abi.types[at];
    parts++;
    if (!type || isFull()) return "…";
    const all = (items: readonly (TypeIndex | UnionVariant)[]) => {
      const names: string[] = [];
      for (const item of items) {
        names.push(name(typeof item === "number" ? item : item.type));
        if (isFull()) break;
      }
      return names;
    };
    switch (type.kind) {
      case "intN":
      case "uintN":
      case "varintN":
      case "varuintN":
      case "bitsN":
        return `${type.kind.slice(0, -1)}${type.n}`;
      case "nullable":
        return `${name(type.inner)}?`;
      case "cellOf":
        return `Cell<${name(type.inner)}>`;
      case "tupled":
        return name(type.inner);
      case "arrayOf":
        return `array<${name(type.inner)}>`;
      case "lispListOf":
        return `lisp_list<${name(type.inner)}>`;
      case "mapKV":
        return `map<${name(type.key)}, ${name(type.value)}>`;
      case "tensor":
        return `(${all(type.items).join(", ")})`;
      case "shapedTuple":
        return `[${all(type.items).join(", ")}]`;
      case "union":
        return all(type.variants).join(" | ");
      case "struct":
      case "alias":
      case "enum":
        return type.arguments.length === 0
          ? declared(type.name)
          : `${declared(type.name)}<${all(type.arguments).join(", ")}>`;
      case "raw":
        return declared(type.name);
      default:
        return plainNames.get(type.kind) ?? type.kind;
    }
  };
  return name(index);
}

const plainNames: ReadonlyMap<string, string> = new Map([
  ["remaining", "RemainingBitsAndRefs"],
  ["addressOpt", "address?"],
  ["addressExt", "ext_address"],
  ["addressAny", "any_address"],
  ["nullLiteral", "null"],
  ["sliceRef", "slice"],
  ["builderRef", "builder"],
  ["remainingCell", "cell"],
  ["remainingBuilder", "builder"],
  ["text", "string"],
]);

/** A prefix in hex. */
export function prefixText({ num, len }: Prefix): string {
  return `0x${num.toString(16).padStart(Math.ceil(len / 4), "0")}`;
}
