import { z } from "zod";
import { quantity, unixTime } from "../../forms/values.js";
import { rule } from "../../schema/input.js";
import { int32 } from "../../schema/v3/params.js";
import { decimal } from "../../schema/v3/records.js";
import { defineMethod } from "../define.js";

const maxHours = 48;

export const hourlyMethods = {
  hourlyTotals: defineMethod({
    summary: "Transactions and their fees, hour by hour.",
    description:
      "Up to the newest block of the index, the newest hour first. Hours without a block are omitted.",
    group: "Stats",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z
      .object({ hours: int32.prefault(24).describe(`Number of hours, at most ${maxHours}.`) })
      .check(
        rule(({ hours }) =>
          hours < 1 || hours > maxHours ? `hours must be between 1 and ${maxHours}` : undefined,
        ),
      ),
    result: z.object({
      hours: z
        .array(
          z.object({
            utime: unixTime.describe("Begin of the hour."),
            transactions: quantity.describe("Number of transactions."),
            fees: decimal.describe("Sum of their `total_fees` in nanotons."),
          }),
        )
        .describe("The hours."),
    }),
    examples: [{ params: { hours: 1 }, result: { hours: [] } }],
  }),
};
