import { AbiError } from "../../../shared/ton/abi/abi-error.js";
import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import type { Declaration, GetMethod, MessageList, TypeIndex } from "../../../shared/ton/abi/model.js";
import { Types, type Variant } from "../../../shared/ton/abi/types.js";
import { docLines, keyText, type Names, quoted } from "./names.js";

/** Bounds of one program: types can contain each other many times, or without end. */
const limits = { parts: 200_000, depth: 64 } as const;

/** Numbers of an enum without a name. */
const otherNumber = `\`\${bigint}\``;

/** The types of an ABI's values in TypeScript, as `AbiCoder` shows and takes them with integers as bigints. */
export class TypeTexts {
  readonly #coder: AbiCoder;
  readonly #types: Types;
  readonly #names: Names;
  /** Names of declared types, by what declares them: forms of a storage can share their fields. */
  readonly #known = new Map<unknown, string>();
  readonly #declarations: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #parts = 0;

  constructor(coder: AbiCoder, names: Names) {
    this.#coder = coder;
    this.#types = new Types(coder.abi);
    this.#names = names;
  }

  of(index: TypeIndex): string {
    return this.#text(index, new Set());
  }

  /** The declarations of all structures and enums that were named. */
  declarations(): readonly string[] {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next();
    return this.#declarations;
  }

  /** The fields of messages by name; of several with one name the first. */
  messages(list: MessageList): Map<string, string> {
    const found = new Map<string, string>();
    for (const message of this.#coder.messages(list)) {
      if (found.has(message.name)) continue;
      const type = this.of(message.type);
      found.set(message.name, this.#coder.hasFields(message) ? type : `{ value: ${type} }`);
    }
    return found;
  }

  method({ parameters, returns }: GetMethod): string {
    const given = parameters.map(
      ({ name, type, fallback }) => `${keyText(name)}${fallback ? "?" : ""}: ${this.of(type)}`,
    );
    return `(${given.length > 0 ? `args: { ${given.join("; ")} }` : ""}) => ${this.of(returns)}`;
  }

  /** `open` has the types around it that have no text of their own. */
  #text(index: TypeIndex, open: ReadonlySet<TypeIndex>): string {
    if (++this.#parts > limits.parts) throw new AbiError("the types are too large for a program");
    // A value of such a type would have no end.
    if (open.has(index) || open.size > limits.depth) return "unknown";
    const within = new Set(open).add(index);
    const inner = (at: TypeIndex) => this.#text(at, within);
    const { abi } = this.#coder;
    const type = abi.types[index]!;
    switch (type.kind) {
      case "int":
      case "coins":
      case "intN":
      case "uintN":
      case "varintN":
      case "varuintN":
        return "bigint";
      case "bool":
        return "boolean";
      case "address":
        return "Address";
      case "addressOpt":
      case "addressAny":
        return "Address | null";
      case "string":
      case "text":
      case "addressExt":
      case "bitsN":
        return "string";
      case "nullLiteral":
      case "void":
        return "null";
      case "nullable":
        return `${inner(type.inner)} | null`;
      case "cellOf":
      case "tupled":
        return inner(type.inner);
      case "arrayOf":
      case "lispListOf":
        return `readonly ${grouped(inner(type.inner))}[]`;
      case "mapKV":
        return `{ [key: string]: ${inner(type.value)} }`;
      case "tensor":
      case "shapedTuple":
        return `readonly [${type.items.map(inner).join(", ")}]`;
      case "union":
        return this.#types
          .variants(index)!
          .map((each) => this.#variant(each, inner))
          .join(" | ");
      case "raw":
        return "unknown";
      case "struct":
      case "alias":
      case "enum": {
        const declared = abi.declarations.get(type.name)!;
        const text =
          declared.kind === "alias"
            ? inner(abi.instances.get(index)?.[0] ?? declared.target)
            : this.#named(declared, index);
        return declared.packsItself ? `Boc | ${text}` : text;
      }
      default:
        return "Boc";
    }
  }

  #variant({ type, label, form }: Variant, inner: (at: TypeIndex) => string): string {
    if (form === "null") return "null";
    const tag = `"@type": ${quoted(label)}`;
    return form === "structure" ? `({ ${tag} } & ${inner(type)})` : `{ ${tag}; value: ${inner(type)} }`;
  }

  #named(declared: Exclude<Declaration, { kind: "alias" }>, index: TypeIndex): string {
    const { abi } = this.#coder;
    const instance = abi.instances.get(index);
    const key = instance ?? (declared.kind === "struct" ? declared.cells : declared);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // In Tact's ABI a form of the storage has a note after its name.
    const name = this.#names.take(this.#coder.nameOf(index).replace(/ \(.*/, ""));
    this.#known.set(key, name);
    this.#waiting.push(() => this.#declare(name, declared, instance));
    return name;
  }

  #declare(
    name: string,
    declared: Exclude<Declaration, { kind: "alias" }>,
    instance: readonly TypeIndex[] | undefined,
  ): void {
    if (declared.kind === "enum") {
      const members = declared.members.map((member) => quoted(member.name));
      this.#declarations.push(`export type ${name} = ${[...members, otherNumber].join(" | ")};`);
      return;
    }
    const fields = declared.cells
      .flat()
      .flatMap((field, i) => [
        ...docLines(field.description, "  "),
        `  ${keyText(field.name)}: ${this.of(instance?.[i] ?? field.type)};`,
      ]);
    this.#declarations.push(
      fields.length > 0
        ? `export type ${name} = {
${fields.join("\n")}
};`
        : `export type ${name} = {};`,
    );
  }
}

/** A type that a suffix or another operator follows. */
function grouped(text: string): string {
  return /[ |&]/.test(text) ? `(${text})` : text;
}
