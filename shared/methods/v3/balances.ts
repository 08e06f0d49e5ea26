import { z } from "zod";
import { interval } from "../../schema/v3/balance-params.js";
import { accountDiff, balanceHistory } from "../../schema/v3/balances.js";
import { address, lt, page, someAddresses, utime, window } from "../../schema/v3/params.js";
import { oneOf, onlyOneOf, orderedTimes } from "../../schema/v3/rules.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "Accounts", verbs: ["GET"], freshness: { kind: "index" } } as const;
const nothing = { address_book: {}, metadata: {} };
const { limit } = page({ initial: 100, max: 1000 });

const jettons = someAddresses({ atMost: { count: 20, text: "maximum 20 jettons allowed" } });

export const balanceMethods = {
  account: {
    balanceHistory: defineMethod({
      ...common,
      summary: "Balances of an account in TON or a jetton, by block or UTC day, newest first.",
      description:
        "Balances of jettons are reckoned back by the messages of TEP-74, through 1000 transactions of the wallet at most.",
      params: z
        .object({
          address: address.describe("The account."),
          jetton: address.optional().describe("A jetton; without it TON."),
          interval: interval.prefault("block").describe("`block` or `day`."),
          ...window("time of the transaction"),
          limit,
        })
        .check(orderedTimes),
      result: balanceHistory,
      examples: [
        {
          params: { address: nobody },
          story: { address: ofStory("ann"), limit: 2 },
          result: { history: [], jetton_wallet: null, next_end_lt: null, known_since_lt: null, ...nothing },
        },
      ],
    }),

    diff: defineMethod({
      ...common,
      summary: "What an account gained or lost between two times, in TON and jettons.",
      description:
        "Without `jetton`: jettons that it sent, received or burned, not those only minted for it.",
      params: z
        .object({
          address: address.describe("The account."),
          start_utime: utime.optional().describe("Unix time after which changes count."),
          end_utime: utime.optional().describe("Unix time up to which they count. Default: now."),
          start_lt: lt.optional().describe("The same as logical time."),
          end_lt: lt.optional().describe("The same as logical time."),
          jetton: jettons.optional().describe("Only these jettons, at most 20."),
        })
        .check(oneOf(["start_utime", "start_lt"], "start_utime or start_lt is required"))
        .check(onlyOneOf(["start_utime", "start_lt"], "provide either start_utime or start_lt, not both"))
        .check(onlyOneOf(["end_utime", "end_lt"], "provide either end_utime or end_lt, not both"))
        .check(orderedTimes),
      result: accountDiff,
      examples: [
        {
          params: { address: nobody, start_utime: 1 },
          story: { address: ofStory("ann"), start_utime: 1 },
          result: {
            balance_before: "0",
            balance_after: "0",
            change: "0",
            jettons: [],
            has_all_jettons: true,
            ...nothing,
          },
        },
      ],
    }),
  },
};
