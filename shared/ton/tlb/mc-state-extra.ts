// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
//   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo
//      after_key_block:Bool last_key_block:(Maybe ExtBlkRef)
//      block_create_stats:(flags . 0)?BlockCreateStats ]
//   global_balance:CurrencyCollection = McStateExtra;
import { BlockCreateStats } from "./block-create-stats.js";
import { ExtBlkRef } from "./block-ref.js";
import { cellOf } from "./cell-of.js";
import { codec, type Decoded, TlbError } from "./codec.js";
import { ConfigParams } from "./config-params.js";
import { CurrencyCollection } from "./currency-collection.js";
import { OldMcBlocksInfo } from "./old-mc-blocks.js";
import { bool, maybe, uint16, uint32 } from "./primitives.js";
import { record } from "./record.js";
import { ShardHashes } from "./shard-hashes.js";

export type ValidatorInfo = Decoded<typeof ValidatorInfo>;
export const ValidatorInfo = record("validator_info$_", {
  validatorListHashShort: uint32,
  catchainSeqno: uint32,
  nxCcUpdated: bool,
});

const history = record("masterchain_state_extra#cc26 ^[]", {
  validatorInfo: ValidatorInfo,
  prevBlocks: OldMcBlocksInfo,
  afterKeyBlock: bool,
  lastKeyBlock: maybe(ExtBlkRef),
});

export type McStateHistory = Decoded<typeof history> & { blockCreateStats: BlockCreateStats | undefined };

/** The fields in a separate cell. Flag 1 states that `blockCreateStats` is present. */
export const McStateHistory = codec<McStateHistory>(
  "masterchain_state_extra#cc26 ^[]",
  (slice) => {
    const flags = uint16.load(slice);
    if (flags > 1) throw new TlbError(`McStateExtra has flags 0 or 1, not ${flags}`);
    return { ...history.load(slice), blockCreateStats: flags ? BlockCreateStats.load(slice) : undefined };
  },
  (value, builder) => {
    uint16.store(value.blockCreateStats ? 1 : 0, builder);
    history.store(value, builder);
    if (value.blockCreateStats) BlockCreateStats.store(value.blockCreateStats, builder);
  },
);

export type McStateExtra = Decoded<typeof McStateExtra>;
export const McStateExtra = record("masterchain_state_extra#cc26", {
  shardHashes: ShardHashes,
  config: ConfigParams,
  history: cellOf(McStateHistory),
  globalBalance: CurrencyCollection,
});
