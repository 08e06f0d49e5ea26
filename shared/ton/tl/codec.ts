import { itemAt, valueAt } from "../../values/lookups.js";
import { type Declaration, type Field, type FieldType, readDeclarations } from "./declaration.js";
import { TlError } from "./tl-error.js";
import { TlReader } from "./tl-reader.js";
import { TlWriter } from "./tl-writer.js";

/**
 * A value of TL as plain data: fields in camelCase, `int` a number, `long` a bigint, `int256` and `bytes` a
 * Uint8Array. Where a type has several constructors, `type` names the one: `back` of liteServer.blockLinkBack.
 */
export type TlValue = number | bigint | boolean | string | Uint8Array | readonly TlValue[] | TlObject;
export type TlObject = { readonly [field: string]: TlValue | undefined };

/** A decoded object and the name of its constructor. */
export type Named = { name: string; value: TlObject };

/** Encodes and decodes values by the declarations of a schema. Decoding accepts only the canonical encoding. */
export class TlCodec {
  readonly #byName = new Map<string, Combinator>();
  readonly #byId = new Map<number, Combinator>();

  constructor(...schemas: readonly string[]) {
    const declarations = schemas.flatMap(readDeclarations);
    const codecs = new TypeCodecs(this.#byName);
    for (const declaration of declarations) {
      const type = tagOf(declaration, declarations);
      const combinator = new Combinator(declaration, type, codecs);
      this.#byName.set(declaration.name, combinator);
      this.#byId.set(declaration.id, combinator);
    }
  }

  /** All declarations, in the order of the schemas. */
  get declarations(): Declaration[] {
    return Array.from(this.#byName.values(), ({ declaration }) => declaration);
  }

  /** Encodes a boxed object. Throws a TlError if a field is missing, superfluous or out of range. */
  encode(name: string, value: TlObject = {}): Uint8Array {
    const writer = new TlWriter();
    const combinator = this.#find(name);
    writer.int32(combinator.declaration.id);
    combinator.write(writer, value);
    return writer.finish();
  }

  /** Decodes one boxed object of any constructor. Throws a TlError, also for trailing bytes. */
  decode(bytes: Uint8Array): Named {
    const reader = new TlReader(bytes);
    const object = this.read(reader);
    reader.end();
    return object;
  }

  read(reader: TlReader): Named {
    const id = reader.uint32();
    const combinator = this.#byId.get(id);
    if (!combinator) throw new UnknownConstructor(id);
    return { name: combinator.declaration.name, value: combinator.read(reader) };
  }

  #find(name: string): Combinator {
    const combinator = this.#byName.get(name);
    if (!combinator) throw new TlError(`${name} is not in the schema`);
    return combinator;
  }
}

/** The constructor id is not in the schema. */
export class UnknownConstructor extends TlError {
  static override readonly name = "UnknownConstructor";
  constructor(id: number) {
    super(`no constructor has the id ${id.toString(16).padStart(8, "0")}`);
  }
}

interface Codec {
  /** Minimum length of an encoded value. */
  readonly minBytes: number;
  read(reader: TlReader): TlValue;
  write(writer: TlWriter, value: TlValue): void;
}

/** Codec of one declaration. Its fields are resolved on first use, as their types may be declared later. */
class Combinator implements Codec {
  readonly declaration: Declaration;
  /** Tag that distinguishes the constructors of one type; absent if the type has one constructor. */
  readonly type: string | undefined;
  readonly #codecs: TypeCodecs;
  #fields: CompiledField[] | undefined;

  constructor(declaration: Declaration, type: string | undefined, codecs: TypeCodecs) {
    this.declaration = declaration;
    this.type = type;
    this.#codecs = codecs;
  }

  get minBytes(): number {
    return this.#compiled().reduce((sum, { flag, codec }) => sum + (flag ? 0 : codec.minBytes), 0);
  }

  read(reader: TlReader): TlObject {
    const object: Record<string, TlValue> = this.type === undefined ? {} : { type: this.type };
    for (const { name, flag, codec } of this.#compiled())
      if (isPresent(flag, object)) object[name] = codec.read(reader);
    return object;
  }

  write(writer: TlWriter, object: TlValue): void {
    const values = object as TlObject;
    for (const { name, flag, codec } of this.#compiled()) {
      const value = values[name];
      const present = isPresent(flag, values);
      if (present !== (value !== undefined))
        throw new TlError(`${this.declaration.name}: ${name} is ${present ? "missing" : "not in the flags"}`);
      if (value !== undefined) codec.write(writer, value);
    }
  }

  #compiled(): CompiledField[] {
    // Fields of type `true` only name a bit and have no bytes.
    this.#fields ??= this.declaration.fields
      .filter(({ type }) => type.kind !== "true")
      .map((field) => ({ ...field, codec: this.#codecs.of(field.type, field.name) }));
    return this.#fields;
  }
}

type CompiledField = Field & { codec: Codec };

function isPresent(flag: Field["flag"], object: TlObject): boolean {
  return flag === undefined || ((object[flag.field] as number) & (1 << flag.bit)) !== 0;
}

/** `int` and `long` fields that are unsigned; all others are signed, as in TL. */
const unsigned = new Set([
  "seqno",
  "shard",
  "lt",
  "afterLt",
  "minLt",
  "maxLt",
  "initiatorLt",
  "capabilities",
  "now",
  "utime",
  "lastUtime",
  "modifiedAfter",
  "validatorSetHash",
  "catchainSeqno",
  "ccSeqno",
  "slot",
]);

const int: Codec = { minBytes: 4, read: (r) => r.int32(), write: (w, v) => w.int32(v as number) };
const uint: Codec = { ...int, read: (r) => r.uint32() };
const long: Codec = { minBytes: 8, read: (r) => r.int64(), write: (w, v) => w.int64(v as bigint) };
const ulong: Codec = { ...long, read: (r) => r.uint64() };
const bool: Codec = { minBytes: 4, read: (r) => r.bool(), write: (w, v) => w.bool(v as boolean) };
const int256: Codec = { minBytes: 32, read: (r) => r.int256(), write: (w, v) => w.int256(v as Uint8Array) };
const bytes: Codec = { minBytes: 4, read: (r) => r.bytes(), write: (w, v) => w.bytes(v as Uint8Array) };
const string: Codec = { minBytes: 4, read: (r) => r.string(), write: (w, v) => w.string(v as string) };

/** Looks up the codec of a field. Values to write are cast: the types of LiteApi have checked them. */
class TypeCodecs {
  readonly #combinators: ReadonlyMap<string, Combinator>;

  constructor(combinators: ReadonlyMap<string, Combinator>) {
    this.#combinators = combinators;
  }

  of(type: FieldType, name: string): Codec {
    switch (type.kind) {
      case "int":
        return unsigned.has(name) ? uint : int;
      case "long":
        return unsigned.has(name) ? ulong : long;
      case "flags":
        return uint;
      case "bool":
        return bool;
      case "int256":
        return int256;
      case "bytes":
        return bytes;
      case "string":
        return string;
      case "vector":
        return vectorOf(this.of(type.item, name));
      case "bare":
        return valueAt(this.#combinators, type.constructor);
      case "boxed":
        return this.#boxed(type.type);
      case "true":
        throw new TlError(`${name} is only a bit and has no codec`);
    }
  }

  #boxed(type: string): Codec {
    const all = [...this.#combinators.values()].filter(
      ({ declaration }) => declaration.result === type && !declaration.isFunction,
    );
    const byId = new Map(all.map((each) => [each.declaration.id, each]));
    const byType = new Map(all.map((each) => [each.type, each]));
    return {
      minBytes: 4 + Math.min(...all.map(({ minBytes }) => minBytes)),
      read(reader) {
        const id = reader.uint32();
        const combinator = byId.get(id);
        if (!combinator) throw new UnknownConstructor(id);
        return combinator.read(reader);
      },
      write(writer, value) {
        const combinator = byType.get((value as { type?: string }).type);
        if (!combinator) throw new TlError(`a value is not a ${type}`);
        writer.int32(combinator.declaration.id);
        combinator.write(writer, value);
      },
    };
  }
}

function vectorOf(item: Codec): Codec {
  return {
    minBytes: 4,
    read: (reader) => Array.from({ length: reader.count(item.minBytes) }, () => item.read(reader)),
    write(writer, value) {
      const items = value as readonly TlValue[];
      writer.int32(items.length);
      for (const each of items) item.write(writer, each);
    },
  };
}

/** The constructor's name without that of its type; undefined if the type has one constructor. */
function tagOf({ name, result, isFunction }: Declaration, all: readonly Declaration[]): string | undefined {
  const siblings = all.filter((other) => other.result === result && !other.isFunction);
  if (isFunction || siblings.length === 1) return undefined;
  const common = result.toLowerCase();
  const rest = name.toLowerCase().startsWith(common) ? name.slice(common.length).replace(/^\./, "") : "";
  const tag = rest || name.slice(name.lastIndexOf(".") + 1);
  return itemAt(tag, 0).toLowerCase() + tag.slice(1);
}
