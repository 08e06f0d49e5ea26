// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;
import type { KeyCodec } from "../cells/dictionaries/dictionary-codec.js";
import type { Slice } from "../cells/slice.js";
import { codec, TlbError } from "./codec.js";
import { int32, uint64, upTo } from "./primitives.js";
import { loadTag, storeTag, tagOf } from "./tag.js";

/** A shard. `shard` is the usual 64-bit number: the bits of the prefix, a one, zeros. */
export type ShardIdent = { workchain: number; shard: bigint };

/** The shard of a state. */
export type StateShardIdent = ShardIdent & {
  /** The stored prefix contains the trailing one as well, as in the zero state of mainnet's basechain. */
  marked?: true;
};

const maxPrefixBits = 60;
const prefixBits = upTo(maxPrefixBits);
const tag = tagOf("shard_ident$00");

/** Converts a prefix, stored in the high bits, to a shard number. */
function shardOfPrefix(prefix: bigint, bits: number): bigint {
  return prefix | (1n << BigInt(63 - bits));
}

/** Length of a shard's prefix; 0 for the whole workchain. Throws `TlbError` for invalid shard numbers. */
function shardPrefixBits(shard: bigint): number {
  for (let bits = 0; bits <= maxPrefixBits; bits++)
    if (BigInt.asUintN(64 - bits, shard) === 1n << BigInt(63 - bits)) return bits;
  throw new TlbError(`${shard.toString(16)} is not a shard number`);
}

export const ShardIdent = codec<ShardIdent>("ShardIdent", loadUnmarked, (shard, builder) =>
  StateShardIdent.store(shard, builder),
);

/** Also reads a prefix with the trailing one. Readers of states reject it, except in zero states. */
export const StateShardIdent = codec<StateShardIdent>(
  "ShardIdent",
  (slice) => {
    loadTag(slice, tag, "ShardIdent");
    const bits = prefixBits.load(slice);
    const workchain = int32.load(slice);
    const prefix = uint64.load(slice);
    const shard = shardOfPrefix(prefix, bits);
    if (shardPrefixBits(shard) !== bits)
      throw new TlbError(`ShardIdent has a prefix of ${bits} bits, not ${prefix.toString(16)}`);
    return prefix === shard ? { workchain, shard, marked: true } : { workchain, shard };
  },
  ({ workchain, shard, marked }, builder) => {
    const bits = shardPrefixBits(shard);
    storeTag(tag, builder);
    prefixBits.store(bits, builder);
    int32.store(workchain, builder);
    uint64.store(marked ? shard : shard ^ (1n << BigInt(63 - bits)), builder);
  },
);

function loadUnmarked(slice: Slice): ShardIdent {
  const shard = StateShardIdent.load(slice);
  assertUnmarked(shard);
  return shard;
}

/** Throws `TlbError` for a prefix that contains the trailing one. */
export function assertUnmarked({ shard, marked }: StateShardIdent): void {
  if (marked)
    throw new TlbError(
      `ShardIdent has a prefix of ${shardPrefixBits(shard)} bits, not ${shard.toString(16)}`,
    );
}

/** Keys of ShardFees: workchain:int32 shard:uint64. */
export const shardKey: KeyCodec<ShardIdent> = {
  bits: 96,
  store: ({ workchain, shard }, builder) => builder.storeInt(workchain, 32).storeUint(shard, 64),
  load: (slice) => ({ workchain: slice.loadInt(32), shard: slice.loadBigUint(64) }),
};
