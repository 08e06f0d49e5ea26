import { z } from "zod";
import {
  bocBase64,
  hashBase64,
  integerText,
  publicKeyHex,
  quantity,
  rawAddressUpper,
  unixTime,
  unsigned32,
} from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { addressBook, decimal } from "../records.js";

const pubkey = publicKeyHex.describe("Public key of the validator, upper-case hex.");
const adnl = publicKeyHex.describe("Its ADNL address, upper-case hex.");
const stakeHolder = rawAddressUpper.describe("Whose stake it is.");
const electionId = unsigned32.describe("The election: the unix time at which its set was to begin.");
const factor = unsigned32.describe(
  "Limit of a stake, as a multiple of the smallest one in units of 1/65536.",
);
const index = quantity.describe("Place in the validator set.");
const weight = decimal.describe("Weight in the validator set.");

/** Echoed bounds of a list. */
export const echoedTimes = {
  start_utime: z.int().optional().describe("`start_utime` of the call."),
  end_utime: z.int().optional().describe("`end_utime` of the call."),
};

export const validatorEvent = z
  .object({
    tx_hash: hashBase64.describe("The transaction."),
    tx_lt: decimal.describe("Its logical time."),
    utime: unixTime.describe("Its unix time."),
    type: z
      .enum(["stake_accepted", "stake_rejected", "stake_recovered", "recover_requested", "recover_failed"])
      .describe("Kind of the event."),
    stake_holder_address: stakeHolder,
    validator_pubkey: pubkey.optional().describe("Public key of the validator; of stakes only."),
    adnl_addr: adnl.optional().describe("ADNL address of the validator; of stakes only."),
    election_id: electionId.optional().describe("The election; of stakes only."),
    query_id: decimal.describe("Number that the stake holder gave to the request."),
    amount: decimal.describe("Nanotons that were staked, returned or sent."),
    reason: z
      .int()
      .optional()
      .describe(
        "Why a stake was rejected. 0: no election, or not from the masterchain. 1: signature. 2: below 1/4096 of all stakes. 3: another election. 4: the key is another account's. 5: below the minimum. 6: factor below 1.",
      ),
  })
  .meta({ id: "ValidatorEvent", description: "An event of a stake." });

const participant = z
  .object({
    validator_pubkey: pubkey,
    validator_index: index.optional().describe("Place in the set that was elected."),
    stake: decimal.describe("Stake in nanotons."),
    max_factor: factor,
    stake_holder_address: stakeHolder,
    adnl_addr: adnl,
  })
  .describe("A participant of an election.");

export const validatorElection = z
  .object({
    election_id: electionId,
    elect_close: unixTime.describe("When the election closes."),
    min_stake: decimal.describe("Smallest stake, in nanotons."),
    total_stake: decimal.describe("Sum of all stakes, in nanotons."),
    total_participants: quantity.describe("Number of participants."),
    failed: z.boolean().describe("Whether it could not be held so far."),
    finished: z.boolean().describe("Whether its set is elected."),
    participants: z
      .array(participant)
      .optional()
      .describe("The participants that match, the largest stake first; if they are asked for."),
  })
  .meta({ id: "ValidatorElection", description: "An election of validators." });

export const validatorComplaint = z
  .object({
    cycle_start: unixTime.describe("Begin of the validator's cycle."),
    election_id: electionId,
    complaint_hash: hashBase64.describe("Hash of the complaint."),
    validator_pubkey: pubkey,
    adnl_addr: adnl.nullable().describe("ADNL address of the validator; `null` if it was not in the set."),
    stake_holder_address: stakeHolder.optional(),
    description_boc: bocBase64.describe("Description of the fault, as a bag of cells."),
    created_at: unixTime.describe("When the complaint was made."),
    severity: quantity.describe("Its severity."),
    reward_address: rawAddressUpper.describe("Who complained, and gets a part of the fine."),
    paid: decimal.describe("Nanotons that the complaint has cost."),
    suggested_fine: decimal.describe("Fine in nanotons."),
    suggested_fine_part: unsigned32.describe("Further fine, as a part of the stake in units of 2^-32."),
    voted_validators: z
      .array(
        z
          .object({
            validator_index: index,
            validator_pubkey: pubkey.optional(),
            adnl_addr: adnl.optional(),
            weight: weight.optional(),
          })
          .describe("A validator. The set it voted in may be unknown."),
      )
      .describe("The validators that have voted for it."),
    vset_id: hashBase64.describe("Hash of the validator set that votes; zeros before the first vote."),
    weight_remaining: integerText.describe("Weight that is still needed; negative once it is passed."),
    approved_percent: z.number().describe("Share of the set's weight that has voted for it, in percent."),
    is_passed: z.boolean().describe("Whether the fine was imposed."),
  })
  .meta({ id: "ValidatorComplaint", description: "A complaint about a validator." });

const cycleMember = z
  .object({
    validator_index: index,
    validator_pubkey: pubkey,
    adnl_addr: adnl,
    weight,
    stake_holder_address: stakeHolder.optional(),
    stake: decimal.optional().describe("Stake in nanotons before fines."),
    max_factor: factor.optional(),
    complaints: z.array(validatorComplaint).describe("Complaints about it."),
  })
  .describe("A validator of a cycle.");

export const validatorCycle = z
  .object({
    election_id: electionId.optional(),
    cycle_start: unixTime.describe("When the set begins to validate."),
    cycle_end: unixTime.describe("When it ends."),
    total: quantity.describe("Number of validators."),
    main: quantity.describe("Number of validators of the masterchain."),
    total_weight: decimal.describe("Sum of the weights."),
    total_stake: decimal.optional().describe("Sum of the stakes in nanotons, before fines."),
    validators_elected_for: unsigned32.describe("Seconds that a set validates."),
    elections_start_before: unsigned32.describe("Seconds from the begin of an election to that of its set."),
    elections_end_before: unsigned32.describe("Seconds from the end of an election to the begin of its set."),
    stake_held_for: unsigned32.describe("Seconds that stakes are held afterwards."),
    max_validators: quantity.describe("Largest number of validators."),
    max_main_validators: quantity.describe("Largest number of validators of the masterchain."),
    min_validators: quantity.describe("Smallest number of validators."),
    min_stake: decimal.optional().describe("Smallest stake of the set, if all are known."),
    max_stake: decimal.optional().describe("Largest stake of the set, if all are known."),
    min_stake_limit: decimal.describe("Smallest stake that is allowed."),
    max_stake_limit: decimal.describe("Largest stake that is allowed."),
    min_total_stake: decimal.describe("Smallest sum of stakes that is allowed."),
    max_stake_factor: unsigned32.describe("Largest factor that counts, in units of 1/65536."),
    validators: z.array(cycleMember).optional().describe("The validators, if they are asked for."),
  })
  .meta({
    id: "ValidatorCycle",
    description: "The time of a validator set, with the configuration in force.",
  });

const address_book = addressBook;
export const validatorEvents = z.object({
  ...echoedTimes,
  events: z.array(validatorEvent).describe("The events."),
  address_book,
  ...nextCursor,
});
export const validatorElections = z.object({
  elections: z.array(validatorElection).describe("The elections."),
  address_book,
  ...nextCursor,
});
export const validatorCycles = z.object({
  cycles: z.array(validatorCycle).describe("The cycles."),
  address_book,
  ...nextCursor,
});
export const validatorComplaints = z
  .object({
    complaints: z.array(validatorComplaint).describe("The complaints."),
    address_book,
    ...nextCursor,
  })
  .meta({ id: "ValidatorComplaints" });
