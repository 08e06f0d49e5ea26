import { z } from "zod";
import {
  hashBase64,
  nanotons as nanotonsText,
  publicKeyHex,
  rawAddressUpper,
  unixTime,
} from "../forms/values.js";
import { flag, nanotons, secretKey } from "../schema/devnet-params.js";
import { int32 } from "../schema/v2/params.js";
import { blockId } from "../schema/v2/records.js";
import { defineMethod } from "./define.js";
import { effect, exampleBlock, settled } from "./devnet-common.js";

const maxValidators = 16;

const phase = z
  .enum(["idle", "open", "closed", "installed"])
  .describe(
    "`idle`: no election. `open`: stakes are accepted. `closed`: the set is being chosen. `installed`: the next set waits for its time.",
  );

const weight = z.string().regex(/^\d+$/).describe("Weight of its signature, decimal.");

const member = z.object({
  public_key: publicKeyHex.describe("Public key."),
  weight,
  has_key: z.boolean().describe("Whether this process has the key, and signs with it."),
});

const validator = z.object({
  address: rawAddressUpper.describe("Its wallet, or the contract that stakes for it."),
  public_key: publicKeyHex.describe("Its key in the open election, otherwise in the set in force."),
  balance: nanotonsText.describe("Balance of this account in nanotons."),
  stake: nanotonsText.describe("Stake in the open election."),
  frozen: nanotonsText.describe("Stakes that are held for sets of the present and the past."),
  credit: nanotonsText.describe("Amount that it can recover."),
});

const elections = z.object({
  preset: z.enum(["off", "short", "long"]).describe("Which elections are held; `off`: none."),
  on: z.boolean().describe("Whether the devnet's validators and staking contracts take part."),
  participants: z.int().describe("How many of the validators take part."),
  stake: nanotonsText
    .nullable()
    .describe("Stake of each of them; null: half of its funds, those at the elector included."),
  phase,
  elect_at: unixTime
    .nullable()
    .describe("Id of the election: when its set is to come into force. Unix time."),
  elect_close: unixTime.nullable().describe("When the election closes. Unix time."),
  next_due: unixTime.nullable().describe("When the phase ends; null if time does not end it. Unix time."),
  set: z
    .object({
      since: unixTime.describe("Since when it is in force. Unix time."),
      until: unixTime.describe("Until when it was elected. Unix time."),
      election_id: z.int().nullable().describe("The election that chose it; null for the first set."),
      total_weight: weight.describe("Weight of all validators."),
      validators: z.array(member).describe("Its members in order."),
    })
    .describe("The validators in force."),
  validators: z
    .array(validator)
    .describe("The devnet's own validators, then the contracts of the sample data that stake."),
  verifiable: z
    .boolean()
    .describe("Whether blocks have signatures of more than two thirds of the weight, as clients require."),
});

const hash = (digit: string) => digit.repeat(64);
const exampleElections = {
  preset: "short",
  on: true,
  participants: 1,
  stake: null,
  phase: "open",
  elect_at: 1735690800,
  elect_close: 1735690620,
  next_due: 1735690620,
  set: {
    since: 1735689600,
    until: 1735690800,
    election_id: null,
    total_weight: "1",
    validators: [{ public_key: hash("1"), weight: "1", has_key: true }],
  },
  validators: [
    {
      address: `-1:${hash("A")}`,
      public_key: hash("2"),
      balance: "499998990000000",
      stake: "500000000000000",
      frozen: "0",
      credit: "0",
    },
  ],
  verifiable: true,
} satisfies z.input<typeof elections>;

/** The methods for validators and their elections. */
export const electionMethods = {
  elections: defineMethod({
    summary: "The validators, and the election that is on or comes next.",
    ...effect,
    freshness: { kind: "none" },
    params: z.object({}),
    result: elections,
    examples: [{ params: {}, result: exampleElections }],
  }),

  setElections: defineMethod({
    summary: "Sets how many of the devnet's validators take part in elections, and with which stake.",
    description:
      "Absent members stay unchanged. The settings are not part of the chain: `devnet.revert` and `devnet.reset` do not change them. A chain in a data folder has them again after a restart.",
    ...effect,
    params: z.object({
      on: flag.optional().describe("Whether they take part at all."),
      participants: int32({ atLeast: 1, atMost: maxValidators })
        .optional()
        .describe("How many take part, the first ones."),
      stake: nanotons({ atLeast: 0n })
        .optional()
        .describe("Stake of each of them, in nanotons; 0: half of its funds, those at the elector included."),
    }),
    result: elections,
    examples: [{ params: { participants: 1 }, result: exampleElections }],
    errors: ["conflict"],
  }),

  addValidatorKey: defineMethod({
    summary: "Hands over the key of a validator, so that its part of the blocks is signed.",
    description:
      "The key stays known when `devnet.revert` or `devnet.reset` takes back the validator's stake. A chain in a data folder stores it there, readable by the folder's owner only, and has it again after a restart.",
    ...effect,
    secrets: ["seed"],
    params: z.object({ seed: secretKey.describe("The private key: 32 bytes in hex or base64.") }),
    result: z.object({ public_key: publicKeyHex.describe("Its public key.") }),
    errors: ["conflict"],
    examples: [
      {
        params: { seed: hash("7") },
        result: { public_key: "C853AD0F0CD2B619AEA92CEEC4FD56A24D6499D584CE79257E45CFD8139B60A7" },
      },
    ],
  }),

  skipPhase: defineMethod({
    summary: "Moves the time to the end of the phase of elections, and makes the blocks that end it.",
    ...effect,
    // Many blocks, on a slow machine.
    timeoutMs: 60_000,
    params: z.object({}),
    result: z.object({ block: blockId.describe("The newest masterchain block."), phase, settled }),
    examples: [{ params: {}, result: { block: exampleBlock, phase: "open", settled: true } }],
    errors: ["conflict"],
  }),

  complain: defineMethod({
    summary: "Complains about a validator of the set in force, and lets the set vote on a fine.",
    ...effect,
    // Many blocks, on a slow machine.
    timeoutMs: 60_000,
    params: z.object({
      validator: int32({ atLeast: 0 }).describe("Index of the validator in the set in force."),
      fine: nanotons({ atLeast: 1n }).describe("Nanotons to take from its stake."),
      votes: int32({ atLeast: 0 })
        .optional()
        .describe("How many validators vote for the fine. Default: all whose keys are known."),
    }),
    result: z.object({
      complaint_hash: hashBase64.describe("Hash of the complaint."),
      election_id: z.int().describe("The election that chose the validator."),
      block: blockId.describe("The newest masterchain block."),
      settled,
    }),
    examples: [
      {
        params: { validator: 1, fine: "101000000000" },
        result: {
          complaint_hash: "zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMw=",
          election_id: 1735690800,
          block: exampleBlock,
          settled: true,
        },
      },
    ],
    errors: ["conflict"],
  }),
};
