import { z } from "zod";
import { rule } from "../../schema/input.js";
import {
  validatorComplaints,
  validatorCycles,
  validatorElections,
  validatorEvents,
} from "../../schema/v3/contracts/validators.js";
import { address, bool, bytes32, int32, page, sort, text, utimeWindow } from "../../schema/v3/params.js";
import { onlyOneOf, orderedTimes } from "../../schema/v3/rules.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "Validators", verbs: ["GET"], freshness: { kind: "index" } } as const;

const ofValidator = {
  stake_holder_address: address.optional().describe("Only those of this stake holder."),
  adnl_address: bytes32.optional().describe("Only those with this ADNL address."),
  validator_pubkey: bytes32.optional().describe("Only those with this public key."),
};
const election_id = int32.optional().describe("Only those of this election.");
const cycle_start = int32.optional().describe("Only those of the cycle that begins at this unix time.");
const paged = { ...page({ initial: 10, max: 1000 }), sort };

const holderOrAdnl = onlyOneOf<{ stake_holder_address?: unknown; adnl_address?: unknown }>(
  ["stake_holder_address", "adnl_address"],
  "provide either stake_holder_address or adnl_address, not both",
);

/** Records with lists inside them are larger. */
function shortPagesWith<Name extends string>(name: Name) {
  return rule<{ limit: number } & { [N in Name]: boolean }>((params) =>
    params[name] && params.limit > 100 ? `limit must not exceed 100 when ${name} is true` : undefined,
  );
}

export const validatorMethods = {
  validators: {
    events: defineList({
      ...common,
      summary: "Stakes and their recovery, newest first.",
      description: "Requests to the elector and its answers. Only stakes have a key and an ADNL address.",
      params: z
        .object({
          ...ofValidator,
          type: text.optional().describe("Only events of this type."),
          ...utimeWindow("time of the transaction"),
          ...paged,
        })
        .check(holderOrAdnl)
        .check(orderedTimes),
      result: validatorEvents,
      examples: [
        {
          params: { stake_holder_address: nobody },
          story: { stake_holder_address: ofStory("nominator_pool") },
          result: { events: [], address_book: {} },
        },
      ],
    }),

    elections: defineList({
      ...common,
      summary: "Elections of validators, newest first.",
      params: z
        .object({
          ...ofValidator,
          election_id,
          finished: bool.optional().describe("Only elections whose set is elected, or only the others."),
          return_participants: bool
            .prefault(false)
            .describe("Include the participants that match the filters."),
          ...utimeWindow("id of the election"),
          ...paged,
        })
        .check(holderOrAdnl)
        .check(orderedTimes)
        .check(shortPagesWith("return_participants")),
      result: validatorElections,
      examples: [
        { params: { election_id: 1 }, story: { limit: 1 }, result: { elections: [], address_book: {} } },
      ],
    }),

    cycles: defineList({
      ...common,
      summary: "Validator sets with the configuration of their time, newest first.",
      params: z
        .object({
          ...ofValidator,
          election_id,
          cycle_start,
          return_validators: bool.prefault(false).describe("Include the validators."),
          ...utimeWindow("begin of the cycle"),
          ...paged,
        })
        .check(holderOrAdnl)
        .check(orderedTimes)
        .check(shortPagesWith("return_validators")),
      result: validatorCycles,
      examples: [
        { params: { election_id: 1 }, story: { limit: 1 }, result: { cycles: [], address_book: {} } },
      ],
    }),

    complaints: defineList({
      ...common,
      summary: "Complaints about validators, newest first.",
      description: "Only complaints about validators of known cycles.",
      params: z
        .object({
          ...ofValidator,
          election_id,
          cycle_start,
          ...utimeWindow("time of the complaint"),
          ...paged,
        })
        .check(holderOrAdnl)
        .check(orderedTimes),
      result: validatorComplaints,
      examples: [
        { params: { election_id: 1 }, story: { limit: 1 }, result: { complaints: [], address_book: {} } },
      ],
    }),
  },
};
