import type { Builder } from "../builder.js";
import { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import type { Slice } from "../slice.js";
import type { KeyCodec, ValueCodec } from "./dictionary-codec.js";
import type { NodeShape } from "./dictionary-tree.js";
import { KeyedTree } from "./keyed-tree.js";

/**
 * `HashmapE n X`, or `Hashmap n X` through the `Direct` methods. Immutable: `set`, `delete` and `update` return a new
 * dictionary.
 */
export class Dictionary<K, V> extends KeyedTree<K, V> {
  static empty<K, V>(keys: KeyCodec<K>, values: ValueCodec<V>): Dictionary<K, V> {
    return new Dictionary(keys, plainShape(values), undefined);
  }

  /** Reads a `HashmapE` from the slice. */
  static load<K, V>(slice: Slice, keys: KeyCodec<K>, values: ValueCodec<V>): Dictionary<K, V> {
    return new Dictionary(keys, plainShape(values), slice.loadMaybeRef());
  }

  /** Reads a `Hashmap`: a cell is its root; a slice contains the root node inline and is advanced past it. */
  static loadDirect<K, V>(source: Slice | Cell, keys: KeyCodec<K>, values: ValueCodec<V>): Dictionary<K, V> {
    const empty = Dictionary.empty(keys, values);
    return empty.withRoot(source instanceof Cell ? source : empty.tree.loadInline(source));
  }

  /** Stores a `HashmapE`. */
  store(builder: Builder): void {
    builder.storeMaybeRef(this.root);
  }

  /** Stores a `Hashmap` inline. Throws if the dictionary is empty. */
  storeDirect(builder: Builder): void {
    if (this.root === undefined)
      throw new CellError("dictionary", "a Hashmap without entries cannot be stored");
    builder.storeSlice(this.root.parse());
  }

  protected override withRoot(root: Cell | undefined): this {
    return new Dictionary(this.keyCodec, this.shape, root) as this;
  }
}

/**
 *     hmn_leaf#_ value:X = HashmapNode 0 X;
 *     hmn_fork#_ left:^(Hashmap n X) right:^(Hashmap n X) = HashmapNode (n + 1) X;
 */
function plainShape<V>(values: ValueCodec<V>): NodeShape<V> {
  return {
    storeLeaf: (value, builder) => values.store(value, builder),
    loadLeaf: (slice) => values.load(slice),
    storeFork: (left, right, _belowBits, builder) => builder.storeRef(left).storeRef(right),
    skipFork: (slice) => slice.skipRefs(2),
  };
}

/** Unsigned keys of at most 48 bits, as numbers. */
export function uintKey(bits: number): KeyCodec<number> {
  return {
    bits,
    store: (key, builder) => builder.storeUint(key, bits),
    load: (slice) => slice.loadUint(bits),
  };
}

/** Signed keys of at most 48 bits, as numbers. */
export function intKey(bits: number): KeyCodec<number> {
  return {
    bits,
    signed: true,
    store: (key, builder) => builder.storeInt(key, bits),
    load: (slice) => slice.loadInt(bits),
  };
}

/** Unsigned keys of any length, as bigints. */
export function bigUintKey(bits: number): KeyCodec<bigint> {
  return {
    bits,
    store: (key, builder) => builder.storeUint(key, bits),
    load: (slice) => slice.loadBigUint(bits),
  };
}

/** Keys of whole bytes, e.g. hashes. */
export function bytesKey(byteCount: number): KeyCodec<Uint8Array> {
  return {
    bits: byteCount * 8,
    store: (key, builder) => builder.storeBytes(key),
    load: (slice) => slice.loadBytes(byteCount),
  };
}

/** `^Cell` */
export const cellRef: ValueCodec<Cell> = {
  store: (cell, builder) => builder.storeRef(cell),
  load: (slice) => slice.loadRef(),
};

/** The rest of the leaf, unparsed. */
export const anySlice: ValueCodec<Slice> = {
  store: (value, builder) => builder.storeSlice(value),
  load: (slice) => slice.clone(),
};
