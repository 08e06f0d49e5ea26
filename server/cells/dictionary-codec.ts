import type { Builder } from "./builder.js";
import type { Slice } from "./slice.js";

/** How the keys of a dictionary are written. `store` must write exactly `bits` bits. */
export interface KeyCodec<K> {
  readonly bits: number;
  /** Keys are two's complement: iteration starts with the negative ones. Otherwise keys are ordered by their bits. */
  readonly signed?: boolean;
  store(key: K, builder: Builder): void;
  load(slice: Slice): K;
}

/** How the values of a dictionary are written. `load` may leave bits unread. */
export interface ValueCodec<V> {
  store(value: V, builder: Builder): void;
  load(slice: Slice): V;
}
