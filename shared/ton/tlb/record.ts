import type { Slice } from "../cells/slice.js";
import { type Codec, type Decoded, decode, encode } from "./codec.js";
import { loadTag, startsWith, storeTag, type Tag, tagOf, wrongTag } from "./tag.js";

// Layouts of the scheme as data. A `record` is one constructor, a `choice` is a type of several constructors, an
// `enumeration` is a type whose constructors are all empty.

type Fields = { readonly [name: string]: Codec<unknown> };
type NoFields = Record<never, never>;
type RecordOf<F extends Fields> = { -readonly [K in keyof F]: Decoded<F[K]> };

/** A constructor, which can also read its fields into an existing object. */
// Exported for declarations: types of constants in other files contain it.
export interface TaggedCodec<T> extends Codec<T> {
  readonly tag: Tag;
  loadInto(target: object, slice: Slice): void;
}

/**
 * Codec of one constructor: its name with its tag as in the scheme, and its fields in order. `inCell` has the fields of
 * a trailing `^[ ... ]`, which become fields of the same object.
 */
export function record<const F extends Fields, const G extends Fields = NoFields>(
  name: string,
  fields: F,
  inCell?: G,
): TaggedCodec<RecordOf<F & G>> {
  type Value = RecordOf<F & G>;
  const tag = tagOf(name);
  const outer = Object.entries(fields);
  const inner = inCell && record(`${name} ^[]`, inCell);

  function loadInto(target: object, slice: Slice): void {
    loadTag(slice, tag, name);
    // The cast is safe: each field gets the type of its codec, which no index signature can express.
    const open = target as Record<string, unknown>;
    for (const [key, type] of outer) open[key] = type.load(slice);
    if (inner) Object.assign(target, decode(inner, slice.loadRef()));
  }

  return {
    name,
    tag,
    loadInto,
    load(slice) {
      const value = {};
      loadInto(value, slice);
      return value as Value;
    },
    store(value, builder) {
      storeTag(tag, builder);
      const open = value as Record<string, unknown>;
      for (const [key, type] of outer) type.store(open[key], builder);
      if (inner) builder.storeRef(encode(inner, value));
    },
  };
}

/** A constructor whose fields are checked against each other by `check`, which throws. */
export function checked<T extends object>(type: TaggedCodec<T>, check: (value: T) => void): TaggedCodec<T> {
  return {
    ...type,
    loadInto(target, slice) {
      type.loadInto(target, slice);
      check(target as T);
    },
    load(slice) {
      const value = type.load(slice);
      check(value);
      return value;
    },
  };
}

type Variants = { readonly [kind: string]: TaggedCodec<object> };
type ChoiceOf<V extends Variants> = { [K in keyof V]: { kind: K } & Decoded<V[K]> }[keyof V];

/** Codec of a type with several constructors. `kind` names the constructor of a value. */
export function choice<const V extends Variants>(name: string, variants: V): Codec<ChoiceOf<V>> {
  const list = Object.entries(variants);
  const expected = list.map(([, { tag }]) => tag.text).join(" or ");
  return {
    name,
    load(slice) {
      for (const [kind, variant] of list) {
        if (!startsWith(slice, variant.tag)) continue;
        const value = { kind };
        variant.loadInto(value, slice);
        return value as ChoiceOf<V>;
      }
      throw wrongTag(slice, name, expected);
    },
    store(value, builder) {
      variants[value.kind as string]!.store(value, builder);
    },
  };
}

/** Codec of a type whose constructors are all empty. Values are their names. */
export function enumeration<const V extends string>(
  name: string,
  tags: { readonly [K in V]: string },
): Codec<V> {
  const values = Object.entries<string>(tags).map(([value, text]) => ({
    value: value as V,
    tag: tagOf(text),
  }));
  const expected = values.map(({ tag }) => tag.text).join(" or ");
  return {
    name,
    load(slice) {
      for (const { value, tag } of values) {
        if (!startsWith(slice, tag)) continue;
        slice.skip(tag.bits);
        return value;
      }
      throw wrongTag(slice, name, expected);
    },
    store(value, builder) {
      storeTag(values.find((known) => known.value === value)!.tag, builder);
    },
  };
}
