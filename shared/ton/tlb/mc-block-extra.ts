// masterchain_block_extra#cca5 key_block:(## 1)
//   shard_hashes:ShardHashes shard_fees:ShardFees
//   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair)
//      recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
//   config:key_block?ConfigParams = McBlockExtra;
import { type CellOf, cellOf } from "./cell-of.js";
import { codec, type Decoded } from "./codec.js";
import { ConfigParams } from "./config-params.js";
import { InMsg } from "./in-msg.js";
import { bool, maybe } from "./primitives.js";
import { record } from "./record.js";
import { ShardFees } from "./shard-fees.js";
import { ShardHashes } from "./shard-hashes.js";
import { SignatureSet } from "./signature.js";

export type McBlockDetails = Decoded<typeof McBlockDetails>;
export const McBlockDetails = record("masterchain_block_extra#cca5 ^[]", {
  prevBlkSignatures: SignatureSet,
  recoverCreateMsg: maybe(cellOf(InMsg)),
  mintMsg: maybe(cellOf(InMsg)),
});

const head = record("masterchain_block_extra#cca5", {
  keyBlock: bool,
  shardHashes: ShardHashes,
  shardFees: ShardFees,
  details: cellOf(McBlockDetails),
});

/** The additional data of masterchain blocks. Only key blocks contain the configuration. */
export type McBlockExtra = {
  shardHashes: ShardHashes;
  shardFees: ShardFees;
  details: CellOf<McBlockDetails>;
  config: ConfigParams | undefined;
};

export const McBlockExtra = codec<McBlockExtra>(
  "McBlockExtra",
  (slice) => {
    const { keyBlock, ...fields } = head.load(slice);
    return { ...fields, config: keyBlock ? ConfigParams.load(slice) : undefined };
  },
  (extra, builder) => {
    head.store({ ...extra, keyBlock: extra.config !== undefined }, builder);
    if (extra.config) ConfigParams.store(extra.config, builder);
  },
);
