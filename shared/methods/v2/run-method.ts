import { z } from "zod";
import { overrides } from "../../schema/overrides.js";
import { accountAddress, int32, methodNameOrId } from "../../schema/v2/params.js";
import { blockId, transactionId, typeName } from "../../schema/v2/records.js";
import { legacyStackEntry, stackEntry } from "../../schema/v2/stack.js";
import { legacyStack, typedStack } from "../../schema/v2/stack-params.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { electorAccount, exampleBlock, exampleTransaction } from "./examples.js";

const params = {
  address: accountAddress.describe("The contract."),
  method: methodNameOrId.describe("Name or id of the get-method."),
};
const seqno = int32({ atLeast: 1 })
  .optional()
  .describe("Masterchain block to run at. Default: the last one.");
const stackDescription =
  "Arguments in order, at most 8,000 values (those in tuples and lists count) with 20,000 cells in total";

function runResult<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    "@type": typeName("smc.runResult"),
    gas_used: z.int().describe("Gas used."),
    stack: z.array(entry).describe("The resulting stack, from bottom to top."),
    exit_code: z
      .int()
      .describe(
        "0 or 1: success; 11: no such method; -13: no code; -14: out of gas; otherwise the contract's exception.",
      ),
    block_id: blockId.describe("The masterchain block at which the account was read."),
    last_transaction_id: transactionId.describe("The account's last transaction at that block."),
  });
}

const common = {
  group: "Get-methods",
  verbs: ["POST"],
  freshness: { kind: "head", pinnedBy: ["seqno"] },
  errors: ["bad-boc", "liteserver-error", "stack-too-deep"],
} as const;

const noElection = {
  "@type": "smc.runResult" as const,
  exit_code: 0,
  block_id: exampleBlock,
  last_transaction_id: exampleTransaction.transaction_id,
};

export const runMethodMethods = {
  runGetMethod: defineMethod({
    ...common,
    summary: "Runs a get-method of a contract.",
    description:
      "Arguments and results are pairs of type and value. The answer has the exit code and the resulting stack, even if the contract failed.",
    params: z.object({
      ...params,
      stack: legacyStack.describe(
        `${stackDescription}: \`["num","0x1f"]\`, \`["tvm.Cell",boc]\`, \`["tvm.Slice",boc]\`, \`["cell",{"bytes":boc}]\`, \`["tuple",{"elements":[…]}]\`, \`["list",{"elements":[…]}]\`, \`["null",null]\`.`,
      ),
      seqno,
      overrides: overrides.optional(),
    }),
    result: runResult(legacyStackEntry),
    examples: [
      {
        params: { address: electorAccount, method: "active_election_id", stack: [] },
        story: { address: ofStory("jetton_master"), method: "get_jetton_data", stack: [] },
        result: { ...noElection, gas_used: 809, stack: [["num", "0x0"]] },
      },
      {
        params: { address: electorAccount, method: "participates_in", stack: [["num", "0x1f"]] },
        result: { ...noElection, gas_used: 727, stack: [["num", "0x0"]] },
      },
    ],
  }),

  runGetMethodStd: defineMethod({
    ...common,
    summary: "Runs a get-method of a contract, with a typed stack.",
    description: "As `runGetMethod`, but arguments and results are typed records.",
    params: z.object({
      ...params,
      stack: typedStack.describe(`${stackDescription}: records of type \`tvm.stackEntry…\`.`),
      seqno,
      overrides: overrides.optional(),
    }),
    result: runResult(stackEntry).meta({ id: "smc.runResult.typed" }).describe("Result of the run."),
    examples: [
      {
        params: {
          address: electorAccount,
          method: "participates_in",
          stack: [
            { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "31" } },
          ],
        },
        result: {
          ...noElection,
          gas_used: 727,
          stack: [{ "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "0" } }],
        },
      },
    ],
  }),
};
