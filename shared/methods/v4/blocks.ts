import { z } from "zod";
import { bocBase64, friendlyAddress, hashBase64, nanotons, unixTime } from "../../forms/values.js";
import { int32 } from "../../schema/v2/params.js";
import { configIds } from "../../schema/v4/params.js";
import { ifExists, v4BlockId, v4Shard } from "../../schema/v4/records.js";
import { defineMethod } from "../define.js";
import { configAccount } from "../v2/examples.js";
import { exampleBlock, exampleConfig, exampleShards, exampleZeroState } from "./examples.js";

const common = { verbs: ["GET"], errors: ["liteserver-error"] } as const;
const group = "Blocks";
const immutable = { kind: "immutable" } as const;

const shards = z
  .object({
    shards: z.array(v4Shard).describe("The masterchain block, and the shard blocks that are new in it."),
  })
  .describe("The block.");
const block = ifExists("block", shards);

export const v4BlockMethods = {
  latest: defineMethod({
    ...common,
    group,
    summary: "The last masterchain block.",
    path: "/api/v4/block/latest",
    params: z.object({}),
    result: z.object({
      last: v4BlockId.describe("The last masterchain block."),
      init: z
        .object({
          fileHash: hashBase64.describe("SHA-256 of the zero state's file."),
          rootHash: hashBase64.describe("Hash of the zero state."),
        })
        .describe("The masterchain's zero state."),
      stateRootHash: hashBase64.describe("Hash of the state after the block."),
      now: unixTime.describe("Unix time of the block."),
    }),
    freshness: { kind: "head" },
    examples: [
      {
        params: {},
        result: {
          last: exampleBlock,
          init: exampleZeroState,
          stateRootHash: "nDzeiTJo8Sa1iDLDaQpQK9VQqJJF25i5ZPjjEoHJRSw=",
          now: 1735689602,
        },
      },
    ],
  }),

  block: defineMethod({
    ...common,
    group,
    summary: "A masterchain block with the new shard blocks in it, and their transactions.",
    path: "/api/v4/block/:seqno",
    params: z.object({ seqno: int32().describe("Seqno of a masterchain block.") }),
    result: block,
    freshness: immutable,
    examples: [{ params: { seqno: 2 }, result: { exist: true, block: { shards: exampleShards } } }],
  }),

  blockByUtime: defineMethod({
    ...common,
    group,
    summary: "The first masterchain block at a Unix time or after it, with its shard blocks.",
    path: "/api/v4/block/utime/:utime",
    params: z.object({ utime: int32().describe("Unix time in seconds.") }),
    result: block,
    freshness: immutable,
    examples: [{ params: { utime: 1735689602 }, result: { exist: true, block: { shards: exampleShards } } }],
  }),

  config: defineMethod({
    ...common,
    group: "Configuration",
    summary: "The configuration after a masterchain block, or some of its parameters.",
    path: "/api/v4/block/:seqno/config/:ids?",
    params: z.object({
      seqno: int32().describe("Seqno of a masterchain block."),
      ids: configIds
        .optional()
        .describe("Numbers of parameters. Default: all. At least one of them must exist."),
    }),
    result: ifExists(
      "config",
      z
        .object({
          cell: bocBase64.describe(
            "The dictionary of parameters by number, `Hashmap 32 ^Cell`, in a bag of cells.",
          ),
          address: friendlyAddress.describe("The account of the configuration contract."),
          globalBalance: z
            .object({ coins: nanotons.describe("Nanotons that exist.") })
            .describe("Balance of the whole network."),
        })
        .describe("The configuration."),
    ),
    freshness: immutable,
    examples: [
      {
        params: { seqno: 2, ids: [8] },
        result: {
          exist: true,
          config: {
            cell: exampleConfig,
            address: configAccount,
            globalBalance: { coins: "1000061000000000000" },
          },
        },
      },
    ],
  }),
};
