import { z } from "zod";
import { bocBase64, bytesBase64, hashBase64, logicalTime, unixTime } from "../../forms/values.js";
import { rule } from "../../schema/input.js";
import { int32, int64, optionalHash, shard, shardNumber } from "../../schema/v2/params.js";
import { blockId, typeName } from "../../schema/v2/records.js";
import { defineMethod } from "../define.js";
import {
  exampleBlock,
  exampleShardBlock,
  firstBlock,
  firstShardBlock,
  wholeShard,
  zeroState,
} from "./examples.js";

const group = "Blocks";
const verbs = ["GET", "POST"] as const;
const errors = ["liteserver-error"] as const;
const common = { group, verbs, errors };
const head = { kind: "head" } as const;
const immutable = { kind: "immutable" } as const;

const workchain = int32().describe("-1 for the masterchain, 0 for the basechain.");
const shardOrPart = shard.describe("Shard as a signed decimal; a sub-shard of it also works.");
const seqno = int32({ atLeast: 1 }).describe("Seqno of the block.");
const masterchainSeqno = int32({ atLeast: 1 }).describe("Seqno of a masterchain block.");
const required = { missing: (name: string) => `${name} required` };

const blockSignature = z.object({
  "@type": typeName("blocks.signature"),
  node_id_short: hashBase64.describe("Short id of the validator's key."),
  signature: bytesBase64.describe("Ed25519 signature."),
});
const signed = {
  id: blockId.describe("The signed block."),
  signatures: z.array(blockSignature).describe("The signatures."),
};

export const blockMethods = {
  getMasterchainInfo: defineMethod({
    ...common,
    summary: "The last masterchain block.",
    params: z.object({}),
    result: z.object({
      "@type": typeName("blocks.masterchainInfo"),
      last: blockId.describe("The last masterchain block."),
      state_root_hash: hashBase64.describe("Hash of the state after that block."),
      init: blockId.describe("The zero state; its `shard` is `0`."),
    }),
    freshness: head,
    examples: [
      {
        params: {},
        result: {
          "@type": "blocks.masterchainInfo",
          last: exampleBlock,
          state_root_hash: "QR8RZJoH5kAQYUaFh6JlTvEcOsyzqxb2wOGyvs6zq/A=",
          init: zeroState,
        },
      },
    ],
  }),

  getConsensusBlock: defineMethod({
    ...common,
    summary: "The last masterchain block with consensus.",
    params: z.object({}),
    result: z.object({
      "@type": typeName("ext.blocks.consensusBlock"),
      consensus_block: z.int().describe("Seqno of the block."),
      timestamp: unixTime.describe("Unix time at which the service first saw it."),
    }),
    freshness: head,
    examples: [
      {
        params: {},
        result: { "@type": "ext.blocks.consensusBlock", consensus_block: 2, timestamp: 1735689602 },
      },
    ],
  }),

  lookupBlock: defineMethod({
    ...common,
    summary: "Finds a block by seqno, logical time or unix time.",
    description:
      "Exactly one of `seqno`, `lt` and `unixtime` is required. `lt` finds the first block that ends at this logical time or later, `unixtime` the first block made at this time or later.",
    params: z
      .object({
        workchain,
        shard: shardOrPart,
        seqno: seqno.optional(),
        lt: int64({ atLeast: 0 }).optional().describe("Logical time within the block."),
        unixtime: int32({ atLeast: 0 }).optional().describe("Unix time in seconds."),
      })
      .check(
        rule(({ seqno, lt, unixtime }) =>
          [seqno, lt, unixtime].filter((by) => by !== undefined).length === 1
            ? undefined
            : "exactly one of seqno, lt, unixtime should be specified",
        ),
      ),
    result: blockId,
    freshness: immutable,
    examples: [{ params: { workchain: -1, shard: wholeShard, seqno: 1 }, result: firstBlock }],
  }),

  getShards: defineMethod({
    ...common,
    summary: "The newest block of each shard as of a masterchain block.",
    params: z.object({ seqno: masterchainSeqno }),
    result: z.object({
      "@type": typeName("blocks.shards"),
      shards: z.array(blockId).describe("One block per shard, without the masterchain."),
    }),
    aliases: ["shards"],
    freshness: immutable,
    examples: [
      {
        params: { seqno: 1 },
        result: { "@type": "blocks.shards", shards: [firstShardBlock] },
      },
    ],
  }),

  getBlockHeader: defineMethod({
    ...common,
    summary: "The header of a block.",
    params: z.object({
      workchain,
      shard: shardOrPart,
      seqno,
      root_hash: optionalHash.describe("Root hash of the block; requires `file_hash`."),
      file_hash: optionalHash.describe("File hash of the block; requires `root_hash`."),
    }),
    result: z.object({
      "@type": typeName("blocks.header"),
      id: blockId,
      global_id: z.int().describe("Id of the network."),
      version: z.int().describe("Version of the block's format."),
      flags: z.int().describe("1 if the block names the software that made it."),
      after_merge: z.boolean().describe("Whether it is the first block after a merge."),
      after_split: z.boolean().describe("Whether it is the first block after a split."),
      before_split: z.boolean().describe("Whether the shard is split after this block."),
      want_merge: z.boolean().describe("Whether the shard is underloaded and should merge."),
      want_split: z.boolean().describe("Whether the shard is overloaded and should split."),
      validator_list_hash_short: z.int().describe("Short hash of the validator list, as a signed integer."),
      catchain_seqno: z.int().describe("Seqno of the validator session."),
      min_ref_mc_seqno: z.int().describe("Seqno of the oldest referenced masterchain block."),
      is_key_block: z
        .boolean()
        .describe("Whether it is a key block, with a new configuration or new validators."),
      prev_key_block_seqno: z.int().describe("Seqno of the previous key block; 0 outside the masterchain."),
      start_lt: logicalTime.describe("Logical time of the start of the block."),
      end_lt: logicalTime.describe("Logical time of the end of the block."),
      gen_utime: unixTime.describe("Unix time of the block."),
      vert_seqno: z.int().describe("Number of hard forks of the chain."),
      prev_blocks: z.array(blockId).describe("The previous block; two after a merge."),
    }),
    freshness: immutable,
    examples: [
      {
        params: { workchain: -1, shard: wholeShard, seqno: 1 },
        result: {
          "@type": "blocks.header",
          id: firstBlock,
          global_id: -20250,
          version: 0,
          flags: 1,
          after_merge: false,
          after_split: false,
          before_split: false,
          want_merge: false,
          want_split: false,
          validator_list_hash_short: 1927602262,
          catchain_seqno: 0,
          min_ref_mc_seqno: 0,
          is_key_block: false,
          prev_key_block_seqno: 0,
          start_lt: "2000000",
          end_lt: "2000003",
          gen_utime: 1735689601,
          vert_seqno: 0,
          prev_blocks: [{ ...zeroState, shard: wholeShard }],
        },
      },
    ],
  }),

  getMasterchainBlockSignatures: defineMethod({
    ...common,
    summary: "Validator signatures of a masterchain block.",
    params: z.object({ seqno: masterchainSeqno }),
    result: z
      .discriminatedUnion("@type", [
        z
          .object({ "@type": typeName("blocks.blockSignatures"), ...signed })
          .describe("Signatures of the block id."),
        z
          .object({
            "@type": typeName("blocks.blockSignatures.simplex"),
            ...signed,
            session_id: hashBase64.describe("Id of the validator session."),
            slot: z.int().describe("Slot of the session in which the block was made."),
            candidate: bytesBase64.describe("The serialized block candidate that was voted for."),
          })
          .describe("Votes of the simplex consensus."),
      ])
      .describe("The block with its signatures."),
    freshness: immutable,
    examples: [
      {
        params: { seqno: 1 },
        result: {
          "@type": "blocks.blockSignatures",
          id: firstBlock,
          signatures: [
            {
              "@type": "blocks.signature",
              node_id_short: "z/l/f45sJz146wV9M/PudE2+ifh1fyU8SzHNNLGmvWA=",
              signature:
                "Y0JJm3sr1guNaLtQexZAnjk+I+2asVEUd+25mNr3agFd5WyKXsSJ/nYSLMT0hVClkxNb6Xi9pZJQHIfOo/6eDg==",
            },
          ],
        },
      },
    ],
  }),

  getShardBlockProof: defineMethod({
    ...common,
    summary: "Proof that a block belongs to the chain of a trusted masterchain block.",
    params: z.object({
      workchain: int32(required).describe("-1 for the masterchain, 0 for the basechain."),
      shard: shardNumber(required).describe("Shard as a signed decimal; a sub-shard of it also works."),
      seqno: int32({ atLeast: 1, ...required }).describe("Seqno of the block."),
      from_seqno: int32({ atLeast: 0 })
        .optional()
        .describe("Seqno of the trusted masterchain block. Default: the last one."),
    }),
    result: z.object({
      "@type": typeName("blocks.shardBlockProof"),
      from: blockId.describe("The trusted masterchain block."),
      mc_id: blockId.describe("The masterchain block that includes the block."),
      links: z
        .array(
          z.object({
            "@type": typeName("blocks.shardBlockLink"),
            id: blockId.describe("The next block of the chain of proofs."),
            proof: bocBase64.describe("Proof that the previous block references it."),
          }),
        )
        .describe("Links from that masterchain block down to the block."),
      mc_proof: z
        .array(
          z.object({
            "@type": typeName("blocks.blockLinkBack"),
            to_key_block: z.boolean().describe("Whether `to` is a key block."),
            from: blockId.describe("The trusted block."),
            to: blockId.describe("The earlier block."),
            dest_proof: bocBase64.describe("Proof of the earlier block's header."),
            proof: bocBase64.describe("Proof of the trusted block's header with its state hash."),
            state_proof: bocBase64.describe("Proof that this state lists the earlier block."),
          }),
        )
        .describe("Links from the trusted block back to `mc_id`; empty if they are the same."),
    }),
    freshness: { kind: "head", pinnedBy: ["from_seqno"] },
    examples: [
      {
        params: { workchain: -1, shard: wholeShard, seqno: 1, from_seqno: 1 },
        result: {
          "@type": "blocks.shardBlockProof",
          from: firstBlock,
          mc_id: firstBlock,
          links: [],
          mc_proof: [],
        },
      },
    ],
  }),

  getOutMsgQueueSize: defineMethod({
    ...common,
    summary: "Size of each shard's outbound message queue.",
    params: z.object({}),
    result: z.object({
      "@type": typeName("blocks.outMsgQueueSizes"),
      shards: z
        .array(
          z.object({
            "@type": typeName("blocks.outMsgQueueSize"),
            id: blockId.describe("The newest block of the shard."),
            size: z.int().describe("Number of messages in its queue."),
          }),
        )
        .describe("The queues, that of the masterchain first."),
      ext_msg_queue_size_limit: z.int().describe("Queue size from which external messages are delayed."),
    }),
    freshness: head,
    examples: [
      {
        params: {},
        result: {
          "@type": "blocks.outMsgQueueSizes",
          shards: [exampleBlock, exampleShardBlock].map((id) => ({
            "@type": "blocks.outMsgQueueSize" as const,
            id,
            size: 0,
          })),
          ext_msg_queue_size_limit: 8000,
        },
      },
    ],
  }),
};
