import { lazy } from "../../values/lazy.js";
import { AbiError } from "./abi-error.js";
import type { Kind } from "./kind.js";
import { address, addressAny, addressExt, addressOpt } from "./kinds/addresses.js";
import { nothing, nullable, nullLiteral, shapedTuple, tensor, tupled, typedCell } from "./kinds/composed.js";
import { arrayOf, lispListOf } from "./kinds/lists.js";
import { mapOf } from "./kinds/maps.js";
import { enumeration, selfPacked, structure } from "./kinds/named.js";
import { bool, coins, int, intN, uintN, varintN, varuintN } from "./kinds/numbers.js";
import { raw, rawAs, reference, remaining } from "./kinds/raw.js";
import { bitsN, text } from "./kinds/texts.js";
import { union, type VariantKind, Variants } from "./kinds/unions.js";
import type { AbiType, ContractAbi, PlainKind, Prefix, Structure, TypeIndex } from "./model.js";
import { TypeNames } from "./type-names.js";

/** A variant of a union: values have its label in `@type`, and fields beside it if it is a structure, else `value`. */
export type Variant = VariantKind & { readonly type: TypeIndex };

const plain: Readonly<Record<PlainKind, Kind>> = {
  int,
  coins,
  bool,
  cell: reference("cell"),
  // Values of these types are only written by the contract itself.
  builder: rawAs("builder"),
  slice: rawAs("slice"),
  string: text("cell"),
  remaining: remaining("slice"),
  address,
  addressOpt,
  addressExt,
  addressAny,
  nullLiteral,
  void: nothing,
  sliceRef: reference("slice"),
  builderRef: reference("builder"),
  remainingCell: remaining("cell"),
  remainingBuilder: remaining("builder"),
  text: text("slice"),
};

/** A type of an argument that takes more of the stack than this is hostile. */
const maxWidth = 255;
const maxDepth = 128;

const enumEncodings: ReadonlySet<AbiType["kind"]> = new Set<AbiType["kind"]>([
  "bool",
  "coins",
  "intN",
  "uintN",
  "varintN",
  "varuintN",
]);

type Union = AbiType & { kind: "union" };
/** What an alias stands for, and how many aliases there are before it. */
type Target = { readonly index: TypeIndex; readonly type: AbiType; readonly depth: number };

/** The kinds of an ABI's types, made when they are first used. */
export class Types {
  readonly names: TypeNames;
  readonly #abi: ContractAbi;
  readonly #kinds = new Map<TypeIndex, Kind>();
  /** Kinds of declared types without own types of their fields, by name: thousands of types can refer to one of them. */
  readonly #declared = new Map<string, Kind>();
  readonly #targets = new Map<TypeIndex, Target>();
  readonly #variants = new Map<Union, readonly Variant[]>();
  readonly #widths = new Map<Kind, number>();
  /** Kinds whose width is being computed. */
  readonly #open = new Set<Kind>();

  constructor(abi: ContractAbi) {
    this.#abi = abi;
    this.names = new TypeNames(abi);
  }

  kind(index: TypeIndex): Kind {
    const known = this.#kinds.get(index);
    if (known) return known;
    const type = this.#at(index);
    const isNamed = type.kind === "struct" || type.kind === "alias" || type.kind === "enum";
    const name = isNamed && !this.#abi.instances.has(index) ? type.name : undefined;
    const kind = (name === undefined ? undefined : this.#declared.get(name)) ?? this.#measured(type, index);
    if (name !== undefined) this.#declared.set(name, kind);
    this.#kinds.set(index, kind);
    return kind;
  }

  #measured(type: AbiType, index: TypeIndex): Kind {
    const made = this.#make(type, index);
    return { ...made, width: () => this.#width(made) };
  }

  /** Follows aliases to the type that they stand for. */
  behindAliases(index: TypeIndex): Target {
    return this.#behind(index, 0);
  }

  #behind(index: TypeIndex, passed: number): Target {
    const known = this.#targets.get(index);
    if (known) return known;
    const type = this.#at(index);
    const aliased = type.kind === "alias" ? this.#aliasTarget(type.name, index) : undefined;
    const target = aliased === undefined ? { index, type, depth: 0 } : this.#beyond(aliased, passed + 1);
    this.#targets.set(index, target);
    return target;
  }

  #beyond(aliased: TypeIndex, passed: number): Target {
    const target = passed < maxDepth ? this.#behind(aliased, passed) : undefined;
    if (!target || target.depth + 1 >= maxDepth) throw new AbiError("aliases nest too deeply");
    return { ...target, depth: target.depth + 1 };
  }

  /** The first bits of a structure's values; undefined for other types, and for structures without such bits. */
  prefixOf(index: TypeIndex): Prefix | undefined {
    const { type } = this.behindAliases(index);
    const declared = type.kind === "struct" ? this.#abi.declarations.get(type.name) : undefined;
    const prefix = declared?.kind === "struct" ? declared.prefix : undefined;
    return prefix?.len ? prefix : undefined;
  }

  /** Whether values are shown as an object of fields, or of keys. */
  hasFields(index: TypeIndex): boolean {
    let at = index;
    for (let steps = 0; steps < maxDepth; steps++) {
      const { type } = this.behindAliases(at);
      if (type.kind === "struct") return !this.#abi.declarations.get(type.name)?.packsItself;
      if (type.kind !== "cellOf" && type.kind !== "tupled") return type.kind === "mapKV";
      at = type.inner;
    }
    return false;
  }

  #at(index: TypeIndex): AbiType {
    const type = this.#abi.types[index];
    if (!type) throw new AbiError(`there is no type ${index}`);
    return type;
  }

  #width(kind: Kind): number {
    const known = this.#widths.get(kind);
    if (known !== undefined) return known;
    if (this.#open.has(kind)) throw new AbiError("a type contains itself");
    if (this.#open.size >= maxDepth) throw new AbiError("types nest too deeply");
    this.#open.add(kind);
    try {
      const width = kind.width();
      if (width > maxWidth) throw new AbiError(`a type has more than ${maxWidth} values on the stack`);
      this.#widths.set(kind, width);
      return width;
    } finally {
      this.#open.delete(kind);
    }
  }

  #make(type: AbiType, index: TypeIndex): Kind {
    const inner = (of: TypeIndex) => () => this.kind(of);
    switch (type.kind) {
      case "intN":
        return intN(type.n);
      case "uintN":
        return uintN(type.n);
      case "varintN":
        return varintN(type.n);
      case "varuintN":
        return varuintN(type.n);
      case "bitsN":
        return bitsN(type.n);
      case "nullable":
        return nullable(inner(type.inner), type.width, type.typeId);
      case "cellOf":
        return typedCell(inner(type.inner));
      case "tupled":
        return tupled(aliasOf(inner(type.inner)));
      case "arrayOf":
        return arrayOf(inner(type.inner));
      case "lispListOf":
        return lispListOf(inner(type.inner));
      case "mapKV": {
        const { bits, isSigned } = this.#mapKey(type.key);
        return mapOf(inner(type.key), bits, isSigned, inner(type.value));
      }
      case "tensor":
        return tensor(type.items.map(inner));
      case "shapedTuple":
        return shapedTuple(type.items.map(inner));
      case "union":
        return union(
          lazy(() => new Variants(this.#variantsOf(type))),
          type.width,
        );
      case "struct":
      case "alias":
      case "enum":
        return this.#named(type.name, index);
      case "raw":
        return raw;
      default:
        return plain[type.kind];
    }
  }

  /** Fields of a structure by cells, with the types that they have in this instance; `undefined` for other types. */
  fields(index: TypeIndex): Structure["cells"] | undefined {
    const { index: at, type } = this.behindAliases(index);
    const declared = type.kind === "struct" ? this.#abi.declarations.get(type.name) : undefined;
    return declared?.kind === "struct" ? this.#fieldsIn(declared.cells, at) : undefined;
  }

  #fieldsIn(cells: Structure["cells"], index: TypeIndex): Structure["cells"] {
    const instance = this.#abi.instances.get(index);
    if (!instance) return cells;
    let place = 0;
    return cells.map((fields) =>
      fields.map((field) => ({ ...field, type: instance[place++] ?? field.type })),
    );
  }

  #named(name: string, index: TypeIndex): Kind {
    const declared = this.#abi.declarations.get(name);
    const kind = (() => {
      switch (declared?.kind) {
        case "struct":
          return structure(name, declared.prefix, this.#fieldKinds(declared.cells, index));
        case "enum": {
          const { index: encoding, type } = this.behindAliases(declared.encoding);
          if (!enumEncodings.has(type.kind)) throw new AbiError(`${name} is not encoded as an integer`);
          return enumeration(() => this.kind(encoding), type.kind === "bool", declared.members);
        }
        case "alias": {
          const target = this.#abi.instances.get(index)?.[0] ?? declared.target;
          return aliasOf(() => this.kind(target));
        }
        default:
          throw new AbiError(`${name} is not declared`);
      }
    })();
    return declared?.packsItself ? selfPacked(kind) : kind;
  }

  #fieldKinds(cells: Structure["cells"], index: TypeIndex) {
    return this.#fieldsIn(cells, index).map((fields) =>
      fields.map(({ name, type, fallback }) => ({ name, kind: () => this.kind(type), fallback })),
    );
  }

  #aliasTarget(name: string, index: TypeIndex): TypeIndex | undefined {
    const declared = this.#abi.declarations.get(name);
    if (declared?.kind !== "alias" || declared.packsItself) return undefined;
    return this.#abi.instances.get(index)?.[0] ?? declared.target;
  }

  /** Variants of a union; `undefined` for other types. */
  variants(index: TypeIndex): readonly Variant[] | undefined {
    const { type } = this.behindAliases(index);
    return type.kind === "union" ? this.#variantsOf(type) : undefined;
  }

  /** Made when they are used, as labels need the variants' types. */
  #variantsOf(type: Union): readonly Variant[] {
    const known = this.#variants.get(type);
    if (known) return known;
    const labels = this.names.labels(type.variants.map((variant) => variant.type));
    const variants = type.variants.map((variant, at) => ({
      ...variant,
      kind: () => this.kind(variant.type),
      label: labels[at]!,
      name: lazy(() => this.names.whole(variant.type)),
      form: this.formOf(variant.type),
    }));
    this.#variants.set(type, variants);
    return variants;
  }

  formOf(index: TypeIndex): VariantKind["form"] {
    const { type } = this.behindAliases(index);
    if (type.kind === "nullLiteral") return "null";
    const declared = type.kind === "struct" ? this.#abi.declarations.get(type.name) : undefined;
    return declared && !declared.packsItself ? "structure" : "value";
  }

  #mapKey(index: TypeIndex): { bits: number; isSigned: boolean } {
    const { type } = this.behindAliases(index);
    switch (type.kind) {
      case "bool":
        return { bits: 1, isSigned: false };
      case "intN":
        return { bits: type.n, isSigned: true };
      case "uintN":
      case "bitsN":
        return { bits: type.n, isSigned: false };
      case "address":
        return { bits: 267, isSigned: false };
      case "enum": {
        const declared = this.#abi.declarations.get(type.name);
        // Enums are encoded as integers, so this does not go on.
        if (declared?.kind === "enum" && this.behindAliases(declared.encoding).type.kind !== "enum")
          return this.#mapKey(declared.encoding);
        break;
      }
    }
    throw new AbiError(`${this.names.of(index)} cannot be the key of a map`);
  }
}

/** The kind of an alias, which is that of its target. */
function aliasOf(target: () => Kind): Kind {
  return {
    load: (from, work) => work.part("", () => target().load(from, work)),
    store: (value, to, work) => work.part("", () => target().store(value, to, work)),
    width: () => target().width(),
    pop: (slots, work) => work.part("", () => target().pop(slots, work)),
    push: (value, to, work) => work.part("", () => target().push(value, to, work)),
    show: (value, work) => work.part("", () => target().show(value, work)),
    parse: (json, work) => work.part("", () => target().parse(json, work)),
  };
}
