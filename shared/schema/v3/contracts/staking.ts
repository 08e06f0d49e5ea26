import { z } from "zod";
import { hashBase64, integerText, rawAddressUpper, unixTime } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { addressBook, decimal } from "../records.js";
import { echoedTimes } from "./validators.js";

const address_book = addressBook;
const poolAddress = rawAddressUpper.describe("The pool.");
const balance = decimal.describe("Nanotons that take part in the pool's stakes.");
const pendingBalance = decimal.describe("Nanotons that will do so once the present stake is back.");

export const nominatorPool = z
  .object({
    stake_amount_sent: decimal.describe("Nanotons that are staked."),
    validator_amount: decimal.describe("Nanotons of the validator."),
    validator_address: rawAddressUpper.describe("The validator."),
    validator_reward_share: z.int().describe("The validator's share of rewards, in units of 1/10000."),
    state: z.int().describe("0: idle, 1: stake sent, 2: staked."),
    nominators_count: z.int().describe("Number of nominators."),
    max_nominators_count: z.int().describe("Largest number of nominators."),
    min_validator_stake: decimal.describe("Smallest stake of the validator, in nanotons."),
    min_nominator_stake: decimal.describe("Smallest stake of a nominator, in nanotons."),
    active_nominators: z
      .array(
        z
          .object({
            address: rawAddressUpper.describe("The nominator."),
            balance,
            pending_balance: pendingBalance,
          })
          .describe("A nominator."),
      )
      .describe("The nominators, in ascending order."),
    address_book,
  })
  .meta({ id: "NominatorPool" });

export const nominatorsPools = z
  .object({
    nominator_pools: z
      .array(
        z
          .object({ pool_address: poolAddress, balance, pending_balance: pendingBalance })
          .describe("A pool and the nominator's share of it."),
      )
      .describe("The pools, in ascending order."),
    address_book,
  })
  .meta({ id: "NominatorsPools" });

const transaction = {
  tx_hash: hashBase64.describe("The transaction."),
  tx_lt: decimal.describe("Its logical time."),
  utime: unixTime.describe("Its unix time."),
};

export const nominatorEvent = z
  .object({
    ...transaction,
    pool_address: poolAddress,
    nominator_address: rawAddressUpper.describe("The nominator."),
    type: z
      .enum(["reward", "pending_deposit_activation", "deposit", "withdrawal", "withdrawal_request"])
      .describe("Kind of the event."),
    amount: integerText.describe("Nanotons; those of a reward are negative after a fine."),
    balance_delta: integerText.describe("Change of the balance."),
    pending_balance_delta: integerText.describe("Change of the pending balance."),
    balance_before: integerText.describe("Balance before."),
    balance_after: integerText.describe("Balance after."),
    pending_balance_before: integerText.describe("Pending balance before."),
    pending_balance_after: integerText.describe("Pending balance after."),
    withdraw_request_before: z.boolean().describe("Whether the nominator wanted to withdraw before."),
    withdraw_request_after: z.boolean().describe("Whether the nominator wants to withdraw after."),
  })
  .meta({ id: "NominatorEvent", description: "An event of a nominator." });

export const nominatorEvents = z
  .object({
    ...echoedTimes,
    events: z.array(nominatorEvent).describe("The events, newest first."),
    address_book,
    ...nextCursor,
  })
  .meta({ id: "NominatorEvents" });

const total_on_page = integerText.describe("Sum of the rewards in the answer.");

export const nominatorRewards = z
  .object({
    ...echoedTimes,
    total_on_page,
    rewards: z
      .array(
        z
          .object({
            utime: transaction.utime,
            reward: integerText.describe("Nanotons; negative after a fine."),
            stake_before: integerText.describe("The nominator's balance before."),
            tx_hash: transaction.tx_hash,
            tx_lt: transaction.tx_lt,
          })
          .describe("A reward."),
      )
      .describe("The rewards, newest first."),
    address_book,
    ...nextCursor,
  })
  .meta({ id: "NominatorRewards" });

const queryId = decimal.optional().describe("Number that the sender gave to the request, if it has one.");
const cycleStart = unixTime
  .optional()
  .describe("The election of the stake; of rewards and penalties only, if it is known.");

export const poolValidatorEvents = z
  .object({
    ...echoedTimes,
    events: z
      .array(
        z
          .object({
            ...transaction,
            pool_address: poolAddress,
            validator_address: rawAddressUpper.describe("The validator."),
            type: z.enum(["reward", "penalty", "deposit", "withdrawal"]).describe("Kind of the event."),
            amount: decimal.describe("Nanotons."),
            balance_delta: integerText.describe("Change of the validator's balance."),
            balance_before: decimal.describe("The validator's balance before."),
            balance_after: decimal.describe("The validator's balance after."),
            query_id: queryId,
            cycle_start: cycleStart,
            validator_reward_share: z
              .int()
              .describe("The validator's share of rewards, in units of 1/10000."),
          })
          .describe("An event of a pool's validator."),
      )
      .describe("The events, newest first."),
    address_book,
    ...nextCursor,
  })
  .meta({ id: "PoolValidatorEvents" });

export const poolValidatorRewards = z
  .object({
    ...echoedTimes,
    total_on_page,
    rewards: z
      .array(
        z
          .object({
            utime: transaction.utime,
            reward: integerText.describe("Nanotons; negative for a penalty."),
            balance_before: decimal.describe("The validator's balance before."),
            tx_hash: transaction.tx_hash,
            tx_lt: transaction.tx_lt,
            cycle_start: cycleStart,
            query_id: queryId,
          })
          .describe("A reward or a penalty."),
      )
      .describe("The rewards, newest first."),
    address_book,
    ...nextCursor,
  })
  .meta({ id: "PoolValidatorRewards" });
