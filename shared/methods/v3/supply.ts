import { z } from "zod";
import { unsigned32 } from "../../forms/values.js";
import { int32 } from "../../schema/v3/params.js";
import { decimal } from "../../schema/v3/records.js";
import { defineMethod } from "../define.js";

export const supplyMethods = {
  supply: defineMethod({
    summary: "Total supply of the coin.",
    description: "Sum of all balances, of messages on their way and of fees, as the masterchain states it.",
    group: "Stats",
    verbs: ["GET"],
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    params: z.object({
      seqno: int32.optional().describe("Seqno of a masterchain block. Default: the newest one."),
    }),
    result: z.object({
      mc_seqno: unsigned32.describe("Seqno of the masterchain block."),
      total: decimal.describe("The supply in nanotons."),
    }),
    errors: ["absent", "liteserver-error"],
    examples: [{ params: { seqno: 1 }, result: { mc_seqno: 1, total: "5000000000000000000" } }],
  }),
};
