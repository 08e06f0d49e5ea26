import type { Cell } from "../cells/cell.js";
import { type Codec, codec, TlbError } from "./codec.js";

/** `uintN` and `## N` of at most 48 bits. */
export function uint(bits: number): Codec<number> {
  return codec(
    `uint${bits}`,
    (slice) => slice.loadUint(bits),
    (value, builder) => builder.storeUint(value, bits),
  );
}

/** `intN` of at most 48 bits. */
export function int(bits: number): Codec<number> {
  return codec(
    `int${bits}`,
    (slice) => slice.loadInt(bits),
    (value, builder) => builder.storeInt(value, bits),
  );
}

/** `uintN` of any length, as a bigint. */
export function bigUint(bits: number): Codec<bigint> {
  return codec(
    `uint${bits}`,
    (slice) => slice.loadBigUint(bits),
    (value, builder) => builder.storeUint(value, bits),
  );
}

/** `intN` of any length, as a bigint. */
function bigInt(bits: number): Codec<bigint> {
  return codec(
    `int${bits}`,
    (slice) => slice.loadBigInt(bits),
    (value, builder) => builder.storeInt(value, bits),
  );
}

/** `#<= N` */
export function upTo(limit: number): Codec<number> {
  const bits = 32 - Math.clz32(limit);
  const name = `#<= ${limit}`;
  return codec(
    name,
    (slice) => {
      const value = slice.loadUint(bits);
      if (value > limit) throw new TlbError(`${value} is not ${name}`);
      return value;
    },
    (value, builder) => builder.storeUint(value, bits),
  );
}

/** `bits N` and `bitsN` of whole bytes. */
export function bytes(count: number): Codec<Uint8Array> {
  return codec(
    `bits${8 * count}`,
    (slice) => slice.loadBytes(count),
    (value, builder) => {
      if (value.length !== count) throw new TlbError(`expected ${count} bytes, got ${value.length}`);
      builder.storeBytes(value);
    },
  );
}

/** `VarUInteger N`; `lengthBits` is the number of bits of N - 1: 4 for `VarUInteger 16`. */
export function varUint(lengthBits: number): Codec<bigint> {
  return codec(
    `VarUInteger ${1 << lengthBits}`,
    (slice) => slice.loadVarUint(lengthBits),
    (value, builder) => builder.storeVarUint(value, lengthBits),
  );
}

/** `VarUInteger 3` and `VarUInteger 7`: not every value of their length bits is a valid length. */
export function smallVarUint(limit: 3 | 7): Codec<bigint> {
  const lengthBits = limit === 3 ? 2 : 3;
  const type = varUint(lengthBits);
  return codec(
    `VarUInteger ${limit}`,
    (slice) => {
      if (slice.preloadUint(lengthBits) >= limit)
        throw new TlbError(`a VarUInteger ${limit} has less than ${limit} bytes`);
      return type.load(slice);
    },
    (value, builder) => {
      if (value >> BigInt(8 * (limit - 1)))
        throw new TlbError(`${value} does not fit a VarUInteger ${limit}`);
      type.store(value, builder);
    },
  );
}

/** `Maybe X`; absent is `undefined`. */
export function maybe<T>(type: Codec<T>): Codec<T | undefined> {
  return codec(
    `Maybe ${type.name}`,
    (slice) => (slice.loadBit() ? type.load(slice) : undefined),
    (value, builder) => {
      builder.storeBit(value !== undefined);
      if (value !== undefined) type.store(value, builder);
    },
  );
}

export const bool: Codec<boolean> = codec(
  "Bool",
  (slice) => slice.loadBit(),
  (value, builder) => builder.storeBit(value),
);

/** `Grams`, in nanotons. */
export const coins: Codec<bigint> = codec(
  "Grams",
  (slice) => slice.loadCoins(),
  (value, builder) => builder.storeCoins(value),
);

/** `^Cell` */
export const cellRef: Codec<Cell> = codec(
  "^Cell",
  (slice) => slice.loadRef(),
  (value, builder) => builder.storeRef(value),
);

/** `True` and `Unit`: no bits. Values of dictionaries that are sets. */
export const unit: Codec<true> = codec(
  "True",
  () => true,
  () => undefined,
);

export const uint8 = uint(8);
export const uint16 = uint(16);
export const uint32 = uint(32);
export const uint64 = bigUint(64);
export const int32 = int(32);
export const int64 = bigInt(64);
export const bits256 = bytes(32);
