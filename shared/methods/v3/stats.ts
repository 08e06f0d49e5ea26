import { z } from "zod";
import { rawAddressUpper } from "../../forms/values.js";
import { page } from "../../schema/v3/params.js";
import { decimal } from "../../schema/v3/records.js";
import { defineList } from "../define-list.js";

export const statMethods = {
  topAccountsByBalance: defineList({
    summary: "Accounts with the largest balances.",
    group: "Stats",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z.object(page({ initial: 10, max: 1024 })),
    result: z
      .array(
        z.object({
          account: rawAddressUpper.describe("The account."),
          balance: decimal.describe("Its balance in nanotons."),
        }),
      )
      .describe("The accounts, largest balance first."),
    examples: [
      {
        params: { limit: 1 },
        result: [
          {
            account: "-1:3333333333333333333333333333333333333333333333333333333333333333",
            balance: "1000000000000000000",
          },
        ],
      },
    ],
  }),
};
