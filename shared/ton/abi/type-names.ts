import type { ContractAbi, Prefix, TypeIndex } from "./model.js";

/** Types in one name: it is for people, and tables can be cyclic. */
const maxParts = 64;

/** The name of a type as in Tolk: `map<int32, Order?>`. Names of very large types are cut. */
export function nameOfType(abi: ContractAbi, index: TypeIndex): string {
  let parts = 0;
  const name = (at: TypeIndex): string => {
    const type = abi.types[at];
    if (!type || ++parts > maxParts) return "…";
    const all = (items: readonly TypeIndex[]) => items.slice(0, maxParts).map(name);
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
        return all(type.variants.map((variant) => variant.type)).join(" | ");
      case "struct":
      case "alias":
      case "enum":
        return type.arguments.length === 0 ? type.name : `${type.name}<${all(type.arguments).join(", ")}>`;
      case "raw":
        return type.name;
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

/** The name without type arguments, by which the variants of a union are told apart if they can be. */
export function shortName(abi: ContractAbi, index: TypeIndex): string {
  let at = index;
  for (let steps = 0; steps < maxParts; steps++) {
    const type = abi.types[at];
    const declared = type?.kind === "alias" ? abi.declarations.get(type.name) : undefined;
    if (declared?.kind !== "alias") break;
    at = abi.instances.get(at)?.[0] ?? declared.target;
  }
  const type = abi.types[at];
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
      return nameOfType(abi, at);
  }
}

/** A prefix in hex. */
export function prefixText({ num, len }: Prefix): string {
  return `0x${num.toString(16).padStart(Math.ceil(len / 4), "0")}`;
}
