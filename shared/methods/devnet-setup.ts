import { z } from "zod";
import { rawAddressUpper } from "../forms/values.js";
import { accountName, milliseconds, share } from "../schema/devnet-params.js";
import { accountAddress } from "../schema/v2/params.js";
import { defineMethod } from "./define.js";
import { effect, someone } from "./devnet-common.js";

/** The methods that change what surrounds the chain. */
export const setupMethods = {
  setConditions: defineMethod({
    summary: "Sets how long calls wait and how many of them fail, to try how a program takes it.",
    description:
      "Members that are absent stay as they are; `--latency` and `--fail-rate` have the first ones. Calls of `devnet.*` neither " +
      "wait nor fail.",
    ...effect,
    params: z.object({
      latency_ms: milliseconds({ atLeast: 0, atMost: 60_000 })
        .optional()
        .describe("Milliseconds that each call waits before it runs."),
      fail_rate: share
        .optional()
        .describe("Share of calls, from 0 to 1, that fail with `timeout` or `unavailable`."),
    }),
    result: z.object({
      latency_ms: z.int().describe("Milliseconds that calls wait."),
      fail_rate: z.number().describe("Share of calls that fail."),
    }),
    examples: [
      {
        params: { latency_ms: 300, fail_rate: 0.1 },
        result: { latency_ms: 300, fail_rate: 0.1 },
      },
    ],
  }),

  setName: defineMethod({
    summary: "Gives an account a name, which address books, texts and the explorer show.",
    description: "Names are kept with the chain, and stay when it goes back.",
    ...effect,
    params: z.object({
      address: accountAddress.describe("Address of the account."),
      name: accountName.optional().describe("Its name; without, it has none any more."),
    }),
    result: z.object({
      address: rawAddressUpper,
      name: z.string().nullable().describe("Its name; null if it has none."),
    }),
    examples: [{ params: { address: someone, name: "Shop" }, result: { address: someone, name: "Shop" } }],
    errors: ["conflict"],
  }),
};
