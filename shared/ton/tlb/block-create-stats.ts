// counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters;
// creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats;
// block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
// block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
import type { Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bytesKey } from "../cells/dictionaries/dictionary.js";
import type { Decoded } from "./codec.js";
import { hashmapAugE, hashmapE } from "./dictionaries.js";
import { uint32, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";

/** Number of created blocks: total, and two exponentially decaying counts in units of 2^-32. */
export type Counters = Decoded<typeof Counters>;
export const Counters = record("counters#_", {
  lastUpdated: uint32,
  total: uint64,
  cnt2048: uint64,
  cnt65536: uint64,
});

export type CreatorStats = Decoded<typeof CreatorStats>;
export const CreatorStats = record("creator_info#4", { mcBlocks: Counters, shardBlocks: Counters });

const creatorKey = bytesKey(32);

const noExtra: Augmentation<CreatorStats, number> = { codec: uint32, empty: 0, leaf: () => 0, fork: () => 0 };

/** Keyed by the validators' public keys. The key of 32 zero bytes has the sum of all validators. */
export type BlockCreateStats = Decoded<typeof BlockCreateStats>;
export const BlockCreateStats = choice("BlockCreateStats", {
  plain: record("block_create_stats#17", { counters: hashmapE(creatorKey, CreatorStats) }),
  ext: record("block_create_stats_ext#34", { counters: hashmapAugE(creatorKey, CreatorStats, noExtra) }),
});
