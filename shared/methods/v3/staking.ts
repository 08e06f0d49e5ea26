import { z } from "zod";
import {
  nominatorEvents,
  nominatorPool,
  nominatorRewards,
  nominatorsPools,
  poolValidatorEvents,
  poolValidatorRewards,
} from "../../schema/v3/contracts/staking.js";
import { address, page, standardAddress, text, utimeWindow } from "../../schema/v3/params.js";
import { oneOf, orderedTimes } from "../../schema/v3/rules.js";
import { defineMethod } from "../define.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { exampleBook, nobody } from "./examples.js";

const common = { group: "Staking", verbs: ["GET"], freshness: { kind: "index" } } as const;
const paged = { ...utimeWindow("time of the transaction"), limit: page({ initial: 100, max: 1000 }).limit };
const olderPages = "Newest first; older pages are read by `cursor`, or with a lower `end_utime`.";
const rawNobody = Object.keys(exampleBook)[0]!;

const poolOnly = "pool parameter is required";
const nominatorAndPool = "nominator and pool parameters are required";
const validatorAndPool = "validator and pool parameters are required";

export const stakingMethods = {
  staking: {
    nominatorPools: {
      pool: defineMethod({
        ...common,
        summary: "A nominator pool with its nominators.",
        params: z.object({ pool: standardAddress(poolOnly).describe("The pool.") }),
        result: nominatorPool,
        examples: [
          {
            params: { pool: nobody },
            story: { pool: ofStory("nominator_pool") },
            result: {
              stake_amount_sent: "0",
              validator_amount: "1000000000000",
              validator_address: rawNobody,
              validator_reward_share: 4000,
              state: 0,
              nominators_count: 0,
              max_nominators_count: 40,
              min_validator_stake: "1000000000000",
              min_nominator_stake: "10000000000000",
              active_nominators: [],
              address_book: exampleBook,
            },
          },
        ],
        errors: ["absent"],
      }),

      nominator: defineMethod({
        ...common,
        summary: "The shares of a nominator in nominator pools.",
        params: z.object({
          nominator: standardAddress("nominator parameter is required").describe("The nominator."),
        }),
        result: nominatorsPools,
        examples: [
          {
            params: { nominator: nobody },
            story: { nominator: ofStory("nominator") },
            result: { nominator_pools: [], address_book: {} },
          },
        ],
      }),

      nominatorEvents: defineList({
        ...common,
        summary: "Deposits, rewards and withdrawals of the nominators of a pool.",
        description: olderPages,
        params: z
          .object({
            pool: standardAddress(poolOnly).describe("The pool."),
            nominator: address.optional().describe("Only events of this nominator."),
            ...paged,
          })
          .check(orderedTimes),
        result: nominatorEvents,
        examples: [
          {
            params: { pool: nobody },
            story: { pool: ofStory("nominator_pool") },
            result: { events: [], address_book: {} },
          },
        ],
      }),

      nominatorRewards: defineList({
        ...common,
        summary: "Rewards of a nominator from a pool.",
        description: olderPages,
        params: z
          .object({
            nominator: standardAddress(nominatorAndPool).describe("The nominator."),
            pool: standardAddress(nominatorAndPool).describe("The pool."),
            ...paged,
          })
          .check(orderedTimes),
        result: nominatorRewards,
        examples: [
          {
            params: { nominator: nobody, pool: nobody },
            story: { nominator: ofStory("nominator"), pool: ofStory("nominator_pool") },
            result: { total_on_page: "0", rewards: [], address_book: {} },
          },
        ],
      }),

      validatorEvents: defineList({
        ...common,
        summary: "Deposits, rewards, penalties and withdrawals of the validators of pools.",
        description: `${olderPages} Needs \`validator\`, \`pool\` or both.`,
        params: z
          .object({
            validator: address.optional().describe("Only events of this validator."),
            pool: address.optional().describe("Only events of this pool."),
            type: text
              .optional()
              .describe("Only events of this type: `reward`, `penalty`, `deposit` or `withdrawal`."),
            ...paged,
          })
          .check(oneOf(["validator", "pool"], "validator or pool parameter is required"))
          .check(orderedTimes),
        result: poolValidatorEvents,
        examples: [
          {
            params: { pool: nobody },
            story: { pool: ofStory("nominator_pool") },
            result: { events: [], address_book: {} },
          },
        ],
      }),

      validatorRewards: defineList({
        ...common,
        summary: "Rewards and penalties of the validator of a pool.",
        description: olderPages,
        params: z
          .object({
            validator: standardAddress(validatorAndPool).describe("The validator."),
            pool: standardAddress(validatorAndPool).describe("The pool."),
            ...paged,
          })
          .check(orderedTimes),
        result: poolValidatorRewards,
        examples: [
          {
            params: { validator: nobody, pool: nobody },
            story: { validator: ofStory("pool_validator"), pool: ofStory("nominator_pool") },
            result: { total_on_page: "0", rewards: [], address_book: {} },
          },
        ],
      }),
    },
  },
};
