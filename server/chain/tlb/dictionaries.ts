import { AugDictionary, type Augmentation } from "../../cells/aug-dictionary.js";
import { Dictionary, type KeyCodec, type ValueCodec } from "../../cells/dictionary.js";
import { type Codec, codec } from "./codec.js";

/** A dictionary's codec, with the dictionary to start from. */
export interface DictionaryCodec<T> extends Codec<T> {
  readonly empty: T;
}

/** `HashmapE n X` */
export function hashmapE<K, V>(key: KeyCodec<K>, value: ValueCodec<V>): DictionaryCodec<Dictionary<K, V>> {
  // Nearly all dictionaries of extra currencies and libraries are empty; they share one object.
  const empty = Dictionary.empty(key, value);
  const type = codec<Dictionary<K, V>>(
    `HashmapE ${key.bits}`,
    (slice) => {
      const root = slice.loadMaybeRef();
      return root ? Dictionary.loadDirect(root, key, value) : empty;
    },
    (dictionary, builder) => dictionary.store(builder),
  );
  return { ...type, empty };
}

/** `Hashmap n X`: at least one entry, the root edge in the same cell. */
export function hashmap<K, V>(key: KeyCodec<K>, value: ValueCodec<V>): DictionaryCodec<Dictionary<K, V>> {
  const type = codec<Dictionary<K, V>>(
    `Hashmap ${key.bits}`,
    (slice) => Dictionary.loadDirect(slice, key, value),
    (dictionary, builder) => dictionary.storeDirect(builder),
  );
  return { ...type, empty: Dictionary.empty(key, value) };
}

/** `HashmapAugE n X Y` */
export function hashmapAugE<K, V, X>(
  key: KeyCodec<K>,
  value: ValueCodec<V>,
  augmentation: Augmentation<V, X>,
): DictionaryCodec<AugDictionary<K, V, X>> {
  const type = codec<AugDictionary<K, V, X>>(
    `HashmapAugE ${key.bits}`,
    (slice) => AugDictionary.load(slice, key, value, augmentation),
    (dictionary, builder) => dictionary.store(builder),
  );
  return { ...type, empty: AugDictionary.empty(key, value, augmentation) };
}

/** `HashmapAug n X Y` */
export function hashmapAug<K, V, X>(
  key: KeyCodec<K>,
  value: ValueCodec<V>,
  augmentation: Augmentation<V, X>,
): DictionaryCodec<AugDictionary<K, V, X>> {
  const type = codec<AugDictionary<K, V, X>>(
    `HashmapAug ${key.bits}`,
    (slice) => AugDictionary.loadDirect(slice, key, value, augmentation),
    (dictionary, builder) => dictionary.storeDirect(builder),
  );
  return { ...type, empty: AugDictionary.empty(key, value, augmentation) };
}
