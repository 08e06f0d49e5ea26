import { z } from "zod";
import { bocBase64 } from "../../forms/values.js";
import { int32, int64, text } from "../../schema/v2/params.js";
import { friendlyAccount, stackBytes } from "../../schema/v4/params.js";
import { v4Account, v4AccountLite, v4BlockId, v4StackItem } from "../../schema/v4/records.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { electorAccount, friend } from "../v2/examples.js";
import { exampleBlock, exampleLast, exampleShardBlock, exampleStorage } from "./examples.js";

const place = {
  seqno: int32({ atLeast: 1 }).describe("Masterchain block to read at."),
  address: friendlyAccount.describe("The account."),
};
const common = {
  group: "Accounts",
  verbs: ["GET"],
  freshness: { kind: "immutable" },
  errors: ["liteserver-error", "absent"],
} as const;
const block = v4BlockId.describe("The masterchain block.");

const example = {
  params: { seqno: 2, address: friend },
  story: { seqno: 2, address: ofStory("friendly_account") },
};
const account = {
  state: { type: "uninit" as const },
  balance: { coins: "1000000000", currencies: {} },
  last: exampleLast,
  storageStat: exampleStorage,
};

export const v4AccountMethods = {
  account: defineMethod({
    ...common,
    summary: "An account at a masterchain block, with code and data.",
    path: "/api/v4/block/:seqno/:address",
    params: z.object(place),
    result: z.object({ account: v4Account, block }),
    examples: [{ ...example, result: { account, block: exampleBlock } }],
  }),

  accountLite: defineMethod({
    ...common,
    summary: "An account at a masterchain block, with the hashes of its code and data.",
    path: "/api/v4/block/:seqno/:address/lite",
    params: z.object(place),
    result: z.object({ account: v4AccountLite }),
    examples: [{ ...example, result: { account } }],
  }),

  accountChanged: defineMethod({
    ...common,
    summary: "Whether an account has changed since one of its transactions.",
    description: "It has if its last transaction is a later one, and also if it has none.",
    path: "/api/v4/block/:seqno/:address/changed/:lt",
    params: z.object({
      ...place,
      lt: int64({ atLeast: 0 }).describe("Logical time of a transaction of the account."),
    }),
    result: z.object({ changed: z.boolean().describe("Whether it has changed."), block }),
    examples: [
      {
        ...example,
        params: { ...example.params, lt: "3000003" },
        story: { ...example.story, lt: ofStory("account_lt") },
        result: { changed: false, block: exampleBlock },
      },
    ],
  }),

  run: defineMethod({
    ...common,
    group: "Get-methods",
    summary: "Runs a get-method of a contract at a masterchain block.",
    path: "/api/v4/block/:seqno/:address/run/:command/:args?",
    textBody: "args",
    verbs: ["GET", "POST"],
    params: z.object({
      ...place,
      command: text.describe("Name of the get-method."),
      args: stackBytes
        .optional()
        .describe("Arguments: a stack of the virtual machine in a bag of cells, base64. Default: none."),
    }),
    result: z.object({
      arguments: z.array(v4StackItem).describe("The arguments."),
      result: z
        .array(v4StackItem)
        .nullable()
        .describe(
          "The resulting stack, from bottom to top; null if the account has no code, or if values are nested deeper than 255 levels.",
        ),
      exitCode: z
        .int()
        .describe("0 or 1: success; 11: no such method; -256: no code; otherwise the contract's exception."),
      resultRaw: bocBase64
        .nullable()
        .describe("The resulting stack in a bag of cells; null if there is none."),
      block,
      shardBlock: v4BlockId.describe("The shard block whose state was read."),
    }),
    errors: ["liteserver-error", "absent", "bad-boc"],
    examples: [
      {
        params: { seqno: 2, address: electorAccount, command: "active_election_id" },
        result: {
          arguments: [],
          result: [{ type: "int", value: "0" }],
          exitCode: 0,
          resultRaw: "te6ccgEBAgEAEQABGAAAAQEAAAAAAAAAAAEAAA==",
          block: exampleBlock,
          shardBlock: exampleBlock,
        },
      },
      {
        params: { seqno: 2, address: friend, command: "seqno" },
        result: {
          arguments: [],
          result: null,
          exitCode: -256,
          resultRaw: null,
          block: exampleBlock,
          shardBlock: exampleShardBlock,
        },
      },
    ],
  }),
};
