import { z } from "zod";
import { hashBase64 } from "../forms/values.js";
import { int32, nonEmptyHash } from "../schema/v2/params.js";
import { blockId } from "../schema/v2/records.js";
import { defineMethod } from "./define.js";
import { atBlock, effect, exampleAtBlock } from "./devnet-common.js";

const exampleSeed = "UeAF1HyT9Umb6FkC4K3NB1kOnce3SUSiUyplHJYueic=";

/** The methods that remove blocks, and choose what the next one has. */
export const blockMethods = {
  clearSnapshots: defineMethod({
    summary: "Deletes all snapshots; the chain stays as it is.",
    ...effect,
    params: z.object({}),
    result: z.object({ deleted: z.int().describe("Number of deleted snapshots.") }),
    examples: [{ params: {}, result: { deleted: 2 } }],
  }),

  rollback: defineMethod({
    summary: "Removes the newest blocks, as a reorganization of the chain would.",
    description:
      "Streams announce it as a reorganization. The snapshots of removed blocks and the messages waiting for a block are " +
      "discarded; the clock goes on. `conflict` unless the first block stays.",
    ...effect,
    // Comes after the sample data.
    timeoutMs: 60_000,
    params: z.object({
      blocks: int32({ atLeast: 1 }).prefault(1).describe("Number of masterchain blocks to remove."),
    }),
    result: atBlock.extend({ block: blockId.describe("The newest masterchain block.") }),
    examples: [{ params: { blocks: 3 }, result: exampleAtBlock }],
    errors: ["conflict"],
  }),

  fork: defineMethod({
    summary: "Begins a fork anew at another block of its network.",
    description:
      "The chain, its snapshots and waiting messages are discarded, all at once. `conflict` unless the devnet is a fork.",
    ...effect,
    timeoutMs: 60_000,
    params: z.object({
      block: int32({ atLeast: 1 })
        .optional()
        .describe("Masterchain block of the network. Default: the newest."),
    }),
    result: atBlock.extend({ block: blockId.describe("The newest masterchain block.") }),
    examples: [{ params: {}, result: exampleAtBlock }],
    errors: ["conflict", "absent"],
  }),

  setNextBlockSeed: defineMethod({
    summary: "Sets the random seed of the next block of both chains.",
    description:
      "Contracts draw random numbers from it and their address. Later blocks have seeds derived from the devnet's again, as " +
      "has the next one after the chain goes back.",
    ...effect,
    params: z.object({ seed: nonEmptyHash.describe("The seed, 32 bytes in hex or base64.") }),
    result: z.object({ seed: hashBase64.describe("The seed.") }),
    examples: [{ params: { seed: exampleSeed }, result: { seed: exampleSeed } }],
  }),
};
