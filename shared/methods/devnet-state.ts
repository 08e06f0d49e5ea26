import { z } from "zod";
import { bytesBase64 } from "../forms/values.js";
import { nanotons } from "../schema/devnet-params.js";
import { rule } from "../schema/input.js";
import { accountAddress, bytes, int32, text } from "../schema/v2/params.js";
import { blockId } from "../schema/v2/records.js";
import { defineMethod } from "./define.js";
import { atBlock, effect, exampleAtBlock, exampleBlock, someone } from "./devnet-common.js";

/** A configuration parameter with no bits is a valid value of unknown ones only. */
const emptyCell = "te6cckEBAQEAAgAAAEysuc0=";
const exampleState = "dG9ud2lyZSBkZXZuZXQgc3RhdGUgMQo=";

/** The methods that change the state of the devnet beyond single fields, and move it elsewhere. */
export const stateMethods = {
  setAccount: defineMethod({
    summary: "Sets several parts of an account in one block, or all of it, without a transaction.",
    description:
      "Either `account`, or any of `balance`, `code` and `data`; absent members stay unchanged. Earlier transactions stay.",
    ...effect,
    params: z
      .object({
        address: accountAddress.describe("Address of the account."),
        account: bytes
          .optional()
          .describe("The whole account, in the TL-B form `Account`, as a bag of cells in base64."),
        balance: nanotons({ atLeast: 0n }).optional().describe("New balance in nanotons."),
        code: bytes.optional().describe("New code as a bag of cells in base64, at most 512 levels deep."),
        data: bytes.optional().describe("New data as a bag of cells in base64, at most 512 levels deep."),
      })
      .check(
        rule(({ account, balance, code, data }) =>
          (account === undefined) === (balance === undefined && code === undefined && data === undefined)
            ? "either account or some of balance, code and data should be specified"
            : undefined,
        ),
      ),
    result: atBlock,
    examples: [
      {
        params: { address: someone, balance: "1000000000", data: emptyCell },
        result: exampleAtBlock,
      },
    ],
    errors: ["conflict"],
  }),

  setConfig: defineMethod({
    summary: "Sets one parameter of the configuration, or all of them, without votes.",
    description:
      "Known parameters must have their type, and required ones cannot be removed. A configuration with which no block can be made is refused, with the reason. The block is a key block and has no transactions.",
    ...effect,
    params: z
      .object({
        param: int32().optional().describe("Number of the parameter."),
        value: bytes
          .optional()
          .describe("Its new value as a bag of cells in base64; without, the parameter is removed."),
        config: bytes
          .optional()
          .describe("Instead of both: the dictionary of all parameters as a bag of cells in base64."),
      })
      .check(
        rule(({ param, value, config }) =>
          (param === undefined) === (config === undefined) || (config !== undefined && value !== undefined)
            ? "either param or config should be specified"
            : undefined,
        ),
      ),
    result: atBlock,
    examples: [{ params: { param: 1000, value: emptyCell }, result: exampleAtBlock }],
    errors: ["conflict", "absent"],
  }),

  exportState: defineMethod({
    summary: "The chain, or its part up to a snapshot, with the named snapshots, as one file.",
    description:
      "The file is for `devnet.importState` of a devnet with the same seed and the same rules. Its time and its bytes cost points.",
    ...effect,
    freshness: { kind: "none" },
    forOwner: true,
    paysForLength: true,
    timeoutMs: 120_000,
    command: { name: "export", file: "state" },
    params: z.object({
      snapshot: text
        .optional()
        .describe("Id of a snapshot at which the file ends. Default: the newest block."),
    }),
    result: z.object({
      state: bytesBase64.describe("The file in base64; its first line names the format and its version."),
      block: blockId.describe("Its newest masterchain block."),
    }),
    examples: [{ params: {}, result: { state: exampleState, block: exampleBlock } }],
    errors: ["conflict", "absent"],
  }),

  importState: defineMethod({
    summary: "Replaces the chain by one that `devnet.exportState` returned.",
    description:
      "Checked before anything changes: checksums, that the blocks continue the zero states and each other, and that each " +
      "has the hashes and the state it states. Snapshots and messages waiting for a block are discarded.",
    ...effect,
    timeoutMs: 120_000,
    command: { name: "import", file: "state" },
    params: z.object({ state: bytes.describe("The file in base64.") }),
    result: atBlock,
    examples: [{ params: { state: exampleState }, result: exampleAtBlock }],
    errors: ["conflict"],
  }),
};
