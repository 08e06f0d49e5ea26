import { z } from "zod";
import { hashBase64 } from "./results.js";
import { blockRef, decimal, shardHex } from "./v3-records.js";

export const block = z
  .object({
    workchain: z.int().describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardHex,
    seqno: z.int().describe("Number of the block in its shard."),
    root_hash: hashBase64.describe("Hash of the block's root cell."),
    file_hash: hashBase64.describe("SHA-256 of the block's file."),
    global_id: z.int().describe("Number of the network."),
    version: z.int().describe("Version of the format."),
    after_merge: z.boolean().describe("Whether it is the first after its shard was merged."),
    before_split: z.boolean().describe("Whether it is the last before its shard is split."),
    after_split: z.boolean().describe("Whether it is the first after its shard was split."),
    want_merge: z.boolean().describe("Whether the shard had little to do."),
    want_split: z.boolean().describe("Whether the shard had too much to do."),
    key_block: z.boolean().describe("Whether it changed the configuration."),
    vert_seqno_incr: z.boolean().describe("Whether it begins a correction of the chain."),
    flags: z.int().describe("Flags of the header."),
    gen_utime: decimal.describe("Unix time of the block."),
    start_lt: decimal.describe("Logical time it starts at."),
    end_lt: decimal.describe("Logical time it ends at."),
    validator_list_hash_short: z.int().describe("Short hash of the validator group, signed."),
    gen_catchain_seqno: z.int().describe("Number of the validator group, signed."),
    min_ref_mc_seqno: z.int().describe("Oldest masterchain block it still refers to."),
    prev_key_block_seqno: z.int().describe("The key block before it."),
    vert_seqno: z.int().describe("How often the chain was corrected."),
    master_ref_seqno: z.int().describe("Masterchain block it refers to; 0 in the masterchain."),
    rand_seed: hashBase64.describe("Random seed of its transactions."),
    created_by: hashBase64.describe("Public key of the validator who made it."),
    tx_count: z.int().describe("How many transactions it has."),
    masterchain_block_ref: blockRef.describe(
      "The masterchain block it entered with; itself in the masterchain.",
    ),
    prev_blocks: z.array(blockRef).describe("The block before it, or the two that were merged."),
  })
  .describe("A block.");
