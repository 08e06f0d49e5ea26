import { z } from "zod";
import { passedOn, snapshotName } from "../schema/devnet-params.js";
import { text } from "../schema/v2/params.js";
import { blockId } from "../schema/v2/records.js";
import { defineMethod } from "./define.js";
import { atBlock, effect, exampleAtBlock, exampleBlock } from "./devnet-common.js";

/** The methods about snapshots of the chain. */
export const snapshotMethods = {
  snapshot: defineMethod({
    summary: "Takes a snapshot of the chain.",
    description: "One with a name is stored with the chain, and so outlives the process if the chain does.",
    ...effect,
    params: z.object({
      name: snapshotName.optional().describe("Name of the snapshot; without, it is numbered."),
    }),
    errors: ["conflict"],
    result: z.object({
      id: z
        .string()
        .describe("Id of the snapshot: its name, or a number that is valid until the process ends."),
      block: blockId.describe("The newest masterchain block."),
    }),
    examples: [{ params: {}, result: { id: "1", block: exampleBlock } }],
  }),

  revert: defineMethod({
    summary: "Reverts the chain to a snapshot.",
    description:
      "The chain's time is reverted too. The snapshot can be used again; later snapshots and messages waiting for a " +
      "block are discarded.",
    ...effect,
    params: z.object({
      id: text.describe("Id of the snapshot."),
      block: passedOn.optional().describe("Not read: the answer of `devnet.snapshot` can be given as it is."),
    }),
    result: atBlock,
    examples: [{ params: { id: "1" }, result: exampleAtBlock }],
    errors: ["absent"],
  }),

  snapshots: defineMethod({
    summary: "The snapshots that exist, oldest first.",
    ...effect,
    freshness: { kind: "none" },
    params: z.object({}),
    result: z
      .array(
        z.object({
          id: z.string().describe("Name or number of the snapshot."),
          seqno: z.int().describe("Seqno of its newest masterchain block."),
        }),
      )
      .describe("The snapshots."),
    examples: [{ params: {}, result: [] }],
  }),

  deleteSnapshot: defineMethod({
    summary: "Deletes a snapshot; the chain stays as it is.",
    ...effect,
    params: z.object({ id: text.describe("Id of the snapshot.") }),
    result: z.object({ id: z.string().describe("Its id.") }),
    examples: [{ params: { id: "1" }, result: { id: "1" } }],
    errors: ["absent"],
  }),
};
