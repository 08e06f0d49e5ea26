import { z } from "zod";
import { input, unreadable } from "../../schema/input.js";
import { accountAddress, int32 } from "../../schema/v2-params.js";
import { blockId, transactionId, typeName } from "../../schema/v2-records.js";
import { legacyStackEntry, stackEntry } from "../../schema/v2-stack.js";
import { legacyStack, typedStack } from "../../schema/v2-stack-params.js";
import { defineMethod } from "../define.js";
import { electorAccount, exampleBlock, exampleTransaction } from "./examples.js";

const int32Bound = 2 ** 31;

/** The name of a get-method, or its number as a number or as text. */
const method = input<string | number, string | number>(
  { anyOf: [{ type: "string" }, { type: "integer", minimum: -int32Bound, maximum: int32Bound - 1 }] },
  (given) => {
    const isNumber = typeof given === "string" && /^(-?\d{1,11}|0x[0-9a-f]{1,8})$/i.test(given);
    const value = isNumber ? Number(given) : given;
    if (typeof value !== "number") return typeof value === "string" ? value : unreadable;
    return Number.isInteger(value) && value >= -int32Bound && value < int32Bound ? value : unreadable;
  },
);

const params = {
  address: accountAddress.describe("The contract."),
  method: method.describe("Name of the get-method, or its number."),
};
const seqno = int32({ atLeast: 1 })
  .optional()
  .describe("Masterchain block to run at; the last one unless given.");
/** Each argument lies a cell deeper than the next, and cells are nested 1024 deep at most. */
const stackDescription = "Arguments from the first to the last, at most 1024 with 20,000 cells in all";

function runResult<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    "@type": typeName("smc.runResult"),
    gas_used: z.int().describe("Gas the run took."),
    stack: z.array(entry).describe("What the contract left on the stack, from bottom to top."),
    exit_code: z
      .int()
      .describe("0 or 1: success; 11: no such method; -13: no code; -14: out of gas; else what it threw."),
    block_id: blockId.describe("The masterchain block the account was read at."),
    last_transaction_id: transactionId.describe("The account's last transaction then."),
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
      "Arguments and results are pairs of type and value. Whatever the contract does, the answer is its exit code and the stack it left.",
    params: z.object({
      ...params,
      stack: legacyStack.describe(
        `${stackDescription}: \`["num","0x1f"]\`, \`["tvm.Cell",boc]\`, \`["tvm.Slice",boc]\`, \`["cell",{"bytes":boc}]\`, \`["tuple",{"elements":[…]}]\`, \`["list",{"elements":[…]}]\`, \`["null",null]\`.`,
      ),
      seqno,
    }),
    result: runResult(legacyStackEntry),
    examples: [
      {
        params: { address: electorAccount, method: "active_election_id", stack: [] },
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
    }),
    result: runResult(stackEntry).meta({ id: "smc.runResult.typed" }).describe("How the run ended."),
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
