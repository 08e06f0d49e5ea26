import { CellError } from "../../cells/cell-error.js";
import {
  actions,
  anyReference,
  chain,
  dependent,
  dictionary,
  either,
  firstThatFits,
  many,
  maybe,
  reference,
  valueCost,
} from "./composed.js";
import type { Declaration, Field, TypeNode } from "./declaration.js";
import type { Reading } from "./reading.js";
import { type Reader, simpleReader } from "./values.js";

/** The types a family of declarations knows: its own and those of `outer`. */
export class Types {
  readonly #constructors = new Map<string, Reader[]>();
  readonly #outer: Types | undefined;

  constructor(declarations: readonly Declaration[], outer?: Types) {
    this.#outer = outer;
    const declared = declarations.filter(({ type }) => type !== undefined);
    // Names first: types refer to each other, and to themselves.
    for (const { type } of declared) this.#constructors.set(type!, []);
    for (const each of declared) this.#constructors.get(each.type!)!.push(this.constructorOf(each));
  }

  /** Constructors in the order they were declared. */
  named(name: string): readonly Reader[] | undefined {
    return this.#constructors.get(name) ?? this.#outer?.named(name);
  }

  constructorOf({ name, tag, fields }: Declaration): Reader {
    const value = tag === "" ? 0 : Number.parseInt(tag, 2);
    const read = this.#record(fields);
    return (from, reading) => {
      if (from.loadUint(tag.length) !== value) throw new CellError("invalid", `this is no ${name}`);
      return read(from, reading, name === "_" ? {} : { "@type": name });
    };
  }

  #record(fields: readonly Field[]) {
    const readers = fields.map(({ name, type }) => [name, this.#reader(type)] as const);
    return (from: Parameters<Reader>[0], reading: Reading, record: Record<string, unknown>) => {
      for (const [name, read] of readers) {
        reading.spend(valueCost);
        const value = read(from, reading, record);
        if (name === "_") mix(value as object, record);
        else record[name] = value;
      }
      return record;
    };
  }

  #reader(type: TypeNode): Reader {
    if (type.kind === "record") {
      const read = this.#record(type.fields);
      return (from, reading) => read(from, reading, {});
    }
    const { name, parameters } = type;
    if (parameters.length > 0) return this.#composed(name, parameters);
    const simple = simpleReader(name);
    if (simple) return simple;
    const constructors = this.named(name);
    if (!constructors) throw unknownType(name);
    return (from, reading) => firstThatFits(constructors, from, reading);
  }

  #composed(name: string, parameters: readonly TypeNode[]): Reader {
    const [first, second] = parameters as [TypeNode, TypeNode];
    const composed: Record<string, () => Reader> = {
      Maybe: () => maybe(this.#reader(first)),
      Ref: () => this.#reference(first),
      Either: () => either(this.#reader(first), this.#reader(second)),
      HashmapE: () => dictionary(Number(wordOf(first)), this.#reader(second), false),
      Hashmap: () => dictionary(Number(wordOf(first)), this.#reader(second), true),
      If: () => dependent(wordOf(first), this.#reader(second)),
      Many: () => many(this.#reader(first)),
      Chain: () => chain(this.#reader(first)),
      Actions: () => actions(this.#reader(first)),
    };
    const make = composed[name];
    if (!make) throw unknownType(name);
    return make();
  }

  #reference(type: TypeNode): Reader {
    if (wordOf(type) === "Cell") return anyReference;
    const constructors = this.named(wordOf(type));
    if (constructors) return reference(constructors);
    return reference([this.#reader(type)]);
  }
}

function mix(from: object, into: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(from)) if (name !== "@type") into[name] = value;
}

function wordOf(type: TypeNode): string {
  return type.kind === "apply" && type.parameters.length === 0 ? type.name : "";
}

function unknownType(name: string): TypeError {
  return new TypeError(`${name} is no type of a body`);
}
