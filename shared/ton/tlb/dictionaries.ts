import { AugDictionary, type Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { Dictionary } from "../cells/dictionaries/dictionary.js";
import type { KeyCodec, ValueCodec } from "../cells/dictionaries/dictionary-codec.js";
import type { Codec } from "./codec.js";

/** Codec of a dictionary type. `empty` is the empty dictionary. */
// Exported for declarations: types of constants in other files contain it.
export interface DictionaryCodec<D> extends Codec<D> {
  readonly empty: D;
}

/** `HashmapE n X` */
export function hashmapE<K, V>(key: KeyCodec<K>, value: ValueCodec<V>): DictionaryCodec<Dictionary<K, V>> {
  const empty = Dictionary.empty(key, value);
  return {
    name: `HashmapE ${key.bits}`,
    empty,
    load(slice) {
      const root = slice.loadMaybeRef();
      // Empty dictionaries share one object: nearly all of extra currencies and libraries are empty.
      return root ? Dictionary.loadDirect(root, key, value) : empty;
    },
    store: (dictionary, builder) => dictionary.store(builder),
  };
}

/** `Hashmap n X`: the root edge is inline. Storing an empty one throws. */
export function hashmap<K, V>(key: KeyCodec<K>, value: ValueCodec<V>): DictionaryCodec<Dictionary<K, V>> {
  return {
    name: `Hashmap ${key.bits}`,
    empty: Dictionary.empty(key, value),
    load: (slice) => Dictionary.loadDirect(slice, key, value),
    store: (dictionary, builder) => dictionary.storeDirect(builder),
  };
}

/** `HashmapAugE n X Y` */
export function hashmapAugE<K, V, X>(
  key: KeyCodec<K>,
  value: ValueCodec<V>,
  augmentation: Augmentation<V, X>,
): DictionaryCodec<AugDictionary<K, V, X>> {
  return {
    name: `HashmapAugE ${key.bits}`,
    empty: AugDictionary.empty(key, value, augmentation),
    load: (slice) => AugDictionary.load(slice, key, value, augmentation),
    store: (dictionary, builder) => dictionary.store(builder),
  };
}

/** `HashmapAug n X Y`: the root edge is inline. Storing an empty one throws. */
export function hashmapAug<K, V, X>(
  key: KeyCodec<K>,
  value: ValueCodec<V>,
  augmentation: Augmentation<V, X>,
): DictionaryCodec<AugDictionary<K, V, X>> {
  return {
    name: `HashmapAug ${key.bits}`,
    empty: AugDictionary.empty(key, value, augmentation),
    load: (slice) => AugDictionary.loadDirect(slice, key, value, augmentation),
    store: (dictionary, builder) => dictionary.storeDirect(builder),
  };
}
