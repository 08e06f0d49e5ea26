import { valueAt } from "../../values/lookups.js";
import type { Slice } from "../cells/slice.js";
import type { Budget } from "./budget.js";
import {
  type Alternative,
  actions,
  anyReference,
  chain,
  chunks,
  dependent,
  dictionary,
  either,
  firstThatFits,
  many,
  maybe,
  reference,
} from "./composed.js";
import type { Declaration, Field, TypeNode } from "./declaration.js";
import { type Reader, simpleReader } from "./simple.js";
import type { Fields, Value } from "./value.js";

/**
 * Makes readers for a family of declarations, whose fields have types of the family itself or of `outer`. `special`
 * readers replace built-in types.
 */
export class Types {
  readonly #constructors = new Map<string, Alternative<Fields>[]>();
  readonly #outer: Types | undefined;
  readonly #special: ReadonlyMap<string, Reader>;

  constructor(
    declarations: readonly Declaration[],
    outer?: Types,
    special: ReadonlyMap<string, Reader> = new Map(),
  ) {
    this.#outer = outer;
    this.#special = special;
    // Names first: types refer to each other, and to themselves.
    for (const { type } of declarations) if (type !== undefined) this.#constructors.set(type, []);
    for (const each of declarations)
      if (each.type !== undefined) valueAt(this.#constructors, each.type).push(this.#constructorOf(each));
  }

  /** The constructors of a type, in the order they were declared. */
  named(name: string): readonly Alternative<Fields>[] | undefined {
    return this.#constructors.get(name) ?? this.#outer?.named(name);
  }

  /** The record has no `$type`. */
  bodyOf({ tag, fields }: Declaration): Alternative<Fields> {
    const read = this.#record(fields);
    return { ...tagOf(tag), read: (from, budget) => read(from, budget, {}) };
  }

  #constructorOf(declaration: Declaration): Alternative<Fields> {
    const { name, tag, fields } = declaration;
    if (name === "_") return this.bodyOf(declaration);
    const read = this.#record(fields);
    return { ...tagOf(tag), read: (from, budget) => read(from, budget, { $type: name }) };
  }

  #record(fields: readonly Field[]) {
    const readers = fields.map(({ name, type }) => [name, this.#reader(type)] as const);
    return (from: Slice, budget: Budget, record: Record<string, Value>): Fields => {
      for (const [name, read] of readers) {
        budget.spendValue();
        const value = read(from, budget, record);
        // Only record types have the name `_`; their fields are merged.
        if (name === "_") mix(value as Fields, record);
        else record[name] = value;
      }
      return record;
    };
  }

  #reader(type: TypeNode): Reader {
    if (type.kind === "record") {
      const read = this.#record(type.fields);
      return (from, budget) => read(from, budget, {});
    }
    const { name, parameters } = type;
    if (parameters.length > 0) return this.#composed(name, parameters);
    const simple = this.#special.get(name) ?? simpleReader(name);
    if (simple) return simple;
    const constructors = this.named(name);
    if (!constructors) throw unknownType(name);
    return (from, budget) => firstThatFits(constructors, from, budget);
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
      Chunks: () => chunks(wordOf(first), this.#reader(second)),
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
    return reference([{ ...tagOf(""), read: this.#reader(type) }]);
  }
}

function tagOf(bits: string) {
  return { tag: bits === "" ? 0 : Number.parseInt(bits, 2), tagBits: bits.length };
}

function mix(from: Fields, into: Record<string, Value>): void {
  for (const [name, value] of Object.entries(from)) if (name !== "$type") into[name] = value;
}

function wordOf(type: TypeNode): string {
  return type.kind === "apply" && type.parameters.length === 0 ? type.name : "";
}

function unknownType(name: string): TypeError {
  return new TypeError(`${name} is not a type known to the declarations`);
}
