import { z } from "zod";
import { hashBase64, quantity, signed32, unsigned32 } from "../../forms/values.js";
import { blockRef, decimal, shardHex } from "./records.js";

export const block = z
  .object({
    workchain: signed32.describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardHex,
    seqno: unsigned32.describe("Seqno of the block."),
    root_hash: hashBase64.describe("Hash of the block's root cell."),
    file_hash: hashBase64.describe("SHA-256 of the block's file."),
    global_id: signed32.describe("Id of the network."),
    version: unsigned32.describe("Version of the block format."),
    after_merge: z.boolean().describe("Whether it is the first block after a merge."),
    before_split: z.boolean().describe("Whether the shard is split after this block."),
    after_split: z.boolean().describe("Whether it is the first block after a split."),
    want_merge: z.boolean().describe("Whether the shard is underloaded and should merge."),
    want_split: z.boolean().describe("Whether the shard is overloaded and should split."),
    key_block: z.boolean().describe("Whether it is a key block."),
    vert_seqno_incr: z.boolean().describe("Whether it starts a hard fork."),
    flags: quantity.describe("Flags of the header."),
    gen_utime: decimal.describe("Unix time of the block."),
    start_lt: decimal.describe("Logical time of the start of the block."),
    end_lt: decimal.describe("Logical time of the end of the block."),
    validator_list_hash_short: signed32.describe("Short hash of the validator list, as a signed integer."),
    gen_catchain_seqno: signed32.describe("Seqno of the validator session, as a signed integer."),
    min_ref_mc_seqno: unsigned32.describe("Seqno of the oldest referenced masterchain block."),
    prev_key_block_seqno: unsigned32.describe("Seqno of the previous key block."),
    vert_seqno: unsigned32.describe("Number of hard forks of the chain."),
    master_ref_seqno: unsigned32.describe("Seqno of the referenced masterchain block; 0 in the masterchain."),
    rand_seed: hashBase64.describe("Random seed of its transactions."),
    created_by: hashBase64.describe("Public key of the validator that made the block."),
    tx_count: quantity.describe("Number of transactions."),
    masterchain_block_ref: blockRef.describe(
      "The masterchain block that finalized it; for a masterchain block, the block itself.",
    ),
    prev_blocks: z.array(blockRef).describe("The previous block; two after a merge."),
  })
  .meta({ id: "Block", description: "A block." });
