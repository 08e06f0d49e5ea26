import { z } from "zod";
import { Fault, input } from "../../schema/input.js";
import { int32, methodNameOrId } from "../../schema/v2/params.js";
import { stackEntry as typedStackEntry } from "../../schema/v2/stack.js";
import { typedArguments } from "../../schema/v3/abi.js";
import { actonContract, actonMethod, actonSnapshot, actonType, directions } from "../../schema/v3/acton.js";
import { address, bytes, hash, hashes, someTexts, text } from "../../schema/v3/params.js";
import { argumentList, stackEntry } from "../../schema/v3/stack.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleComment, nobody, zeroHash } from "./examples.js";

const group = "Acton";

/** Selected contracts of one call: their ABIs are long. */
export const maxSelected = 50;
const selected = { count: maxSelected, text: `at most ${maxSelected} contracts can be selected` };

const direction = input<string, (typeof directions)[number]>(
  { type: "string", enum: directions },
  (given) =>
    directions.find((each) => each === given) ??
    new Fault("range", () => `direction should be one of: ${directions.join(", ")}`),
);

const seqno = int32({ atLeast: 1 }).optional();

export const actonMethods = {
  contracts: defineMethod({
    summary: "Contracts with ABIs: those of the service's catalogue, its operator's own, and the caller's.",
    description:
      "Selected contracts come in the order of their ids and hashes, best first, each with its ABI. Unknown ids and hashes select nothing. " +
      "The caller's are those of files that its key has added (`v3.debug.artifacts.add`). " +
      "A code is recognised by its hash; nobody has verified sources or links. More than 8 MiB are refused with 413. Newer versions of " +
      "TON Center's ton-indexer have the methods of this group.",
    group,
    verbs: ["GET"],
    freshness: { kind: "none" },
    readsCatalogue: true,
    params: z.object({
      code_hash: hashes
        .prefault([])
        .describe(`Select contracts by hashes of codes; at most ${maxSelected}, with ids.`),
      catalog_id: someTexts({ atMost: selected }).prefault([]).describe("Select contracts by their ids."),
      limit: int32({ atLeast: 1, atMost: 1000 })
        .optional()
        .describe("Maximum number of contracts, at most 1000. Default: all."),
      offset: int32({ atLeast: 0 }).prefault(0).describe("Number of contracts to skip."),
    }),
    result: z.object({
      contracts: z.array(actonContract).describe("The contracts, by id unless they were selected."),
      total: z.int().describe("Number of contracts on all pages."),
      limit: z.int().describe("Maximum number of contracts on this page."),
      offset: z.int().describe("Number of contracts before this page."),
    }),
    errors: ["too-large"],
    examples: [{ params: {}, result: { contracts: [], total: 0, limit: 0, offset: 0 } }],
  }),

  decode: defineMethod({
    summary: "Decodes storage or a body by the ABI of one contract.",
    description:
      "409 if several contracts of the catalogue have the code: the error names them. 422 if the ABI has no such direction, or the cells fit nothing in it.",
    group,
    verbs: ["POST"],
    freshness: { kind: "none" },
    readsCatalogue: true,
    params: z.object({
      direction: direction.describe("What is decoded."),
      body: bytes.describe("Its bag of cells, base64."),
      contract_type: text.optional().describe("The contract, by its id."),
      code_hash: hash.optional().describe("The contract, by the hash of its code."),
      catalog_id: text.optional().describe("Another name of `contract_type`."),
    }),
    result: z.object({
      catalog_id: z.string().describe("Id of the contract."),
      direction: z.enum(directions).describe("What was decoded."),
      type: actonType,
      decoded: z.unknown().describe("The value, in the form of `storage` of `v3.accountStates`."),
    }),
    errors: ["absent", "conflict", "bad-boc"],
    examples: [
      {
        params: { direction: "incoming_messages", body: exampleComment, contract_type: "counter" },
        // A request to the elector for a returned stake.
        story: {
          direction: "incoming_messages",
          body: "te6cckEBAQEADgAAGEdldCQAAAAAAAAAB65CbHo=",
          contract_type: "Elector",
        },
        result: {
          catalog_id: "counter",
          direction: "incoming_messages",
          type: { ty_idx: 3, name: "Comment" },
          decoded: { text: "hello" },
        },
      },
    ],
  }),

  runGetMethod: defineMethod({
    summary: "Runs a get-method by the ABI of the account's code at a block.",
    description:
      "The ABI is the best one of the code, or of the library that the code refers to, that has the method. 404 if none is known of the code, " +
      "422 if none has the method, 409 if its ABI has two of the same id. A run that fails is no error: `exit_code` and `decode_error` say why.",
    group,
    verbs: ["POST"],
    freshness: { kind: "none" },
    readsCatalogue: true,
    params: z.object({
      address: address.describe("The contract."),
      method: methodNameOrId.describe("Name or id of the get-method."),
      args: typedArguments
        .optional()
        .describe(
          "Arguments by name or in order, in the types of the ABI. Those with defaults may be left out.",
        ),
      stack: argumentList.optional().describe("Arguments in order, in place of `args`."),
      seqno: seqno.describe("Masterchain block to run at. Default: the last one."),
      mc_seqno: seqno.describe("Another name of `seqno`."),
    }),
    result: z.object({
      stack: z
        .array(stackEntry)
        .nullable()
        .describe("The resulting stack, from bottom to top; `null` if it cannot be shown."),
      raw_stack: z.array(typedStackEntry).nullable().describe("The same in the form of `runGetMethodStd`."),
      gas_used: z.int().describe("Gas used."),
      exit_code: z.int().describe("0 or 1: success; otherwise the contract's exception."),
      stack_error: z.string().optional().describe("Why the stack cannot be shown; absent if it can."),
      snapshot: actonSnapshot,
      catalog_id: z.string().describe("Id of the contract whose ABI was used."),
      method: actonMethod,
      identification: z
        .enum(["exact_code_hash", "library_reference"])
        .describe(
          "Whether the contract was found by the hash of the code, or by that of the library it refers to.",
        ),
      success: z.boolean().describe("Whether the exit code is 0 or 1."),
      decoded: z
        .unknown()
        .describe("The result, in the form of `storage` of `v3.accountStates`; `null` if there is none."),
      decode_error: z.string().optional().describe("Why there is no result; absent if there is one."),
    }),
    errors: ["absent", "conflict", "bad-boc", "liteserver-error"],
    examples: [
      {
        params: { address: nobody, method: "state", args: [] },
        story: { address: ofStory("multisig"), method: "get_multisig_data", args: [] },
        result: {
          stack: [{ type: "num", value: "0x5" }],
          raw_stack: [
            {
              "@type": "tvm.stackEntryNumber",
              number: { "@type": "tvm.numberDecimal", number: "5" },
            },
          ],
          gas_used: 537,
          exit_code: 0,
          snapshot: {
            address: "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
            code_hash: zeroHash,
            data_hash: zeroHash,
            last_transaction_hash: zeroHash,
            last_transaction_lt: "1000001",
            mc_seqno: 1,
          },
          catalog_id: "counter",
          method: { name: "state", method_id: 100_000, parameters: [], return: "int32" },
          identification: "exact_code_hash",
          success: true,
          decoded: "5",
        },
      },
    ],
  }),
};
