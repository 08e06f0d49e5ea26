import type { Builder } from "../builder.js";
import type { Slice } from "../slice.js";

/** Encoding of a dictionary's keys. `store` must write exactly `bits` bits. */
export interface KeyCodec<K> {
  readonly bits: number;
  /** Keys are two's complement: iteration starts with the negative ones. Otherwise keys are ordered by their bits. */
  readonly signed?: boolean;
  store(key: K, builder: Builder): void;
  load(slice: Slice): K;
}

/** Encoding of a dictionary's values. `load` may leave bits unread. */
export interface ValueCodec<V> {
  store(value: V, builder: Builder): void;
  load(slice: Slice): V;
}
