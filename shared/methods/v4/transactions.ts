import { z } from "zod";
import { bocBase64 } from "../../forms/values.js";
import { count, int64, nonEmptyHash } from "../../schema/v2/params.js";
import { friendlyAccount, messageBytes } from "../../schema/v4/params.js";
import { v4BlockId, v4Transaction } from "../../schema/v4/records.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleTransaction, friend } from "../v2/examples.js";
import { exampleBoc } from "../v2/send.js";
import { exampleLast, exampleParsed, exampleShardBlock } from "./examples.js";

const group = "Transactions";
const start = {
  address: friendlyAccount.describe("The account."),
  lt: int64({ atLeast: 1 }).describe("Logical time of the transaction to start from."),
  hash: nonEmptyHash.describe("Hash of that transaction; in paths base64url."),
};
const blocks = z.array(v4BlockId).describe("The block of each transaction.");
const params = { address: friend, ...exampleLast };
const story = {
  address: ofStory("friendly_account"),
  lt: ofStory("account_lt"),
  hash: ofStory("account_hash"),
};
const common = {
  group,
  verbs: ["GET"],
  freshness: { kind: "immutable" },
  errors: ["liteserver-error"],
} as const;

export const v4TransactionMethods = {
  transactions: defineMethod({
    ...common,
    summary: "Up to 20 transactions of an account from one on, newest first.",
    path: "/api/v4/account/:address/tx/:lt/:hash",
    params: z.object(start),
    result: z.object({
      blocks,
      boc: bocBase64.describe("The transactions as roots of one bag of cells, in the order of the blocks."),
    }),
    examples: [{ params, story, result: { blocks: [exampleShardBlock], boc: exampleTransaction.data } }],
  }),

  parsedTransactions: defineMethod({
    ...common,
    summary: "Transactions of an account from one on, decoded, newest first.",
    path: "/api/v4/account/:address/tx/parsed/:lt/:hash",
    params: z.object({
      ...start,
      count: count({ atLeast: 1, atMost: 1000 }).prefault(20).describe("Maximum number of transactions."),
    }),
    result: z.object({ blocks, transactions: z.array(v4Transaction).describe("The transactions.") }),
    examples: [
      {
        params: { ...params, count: 1 },
        story: { ...story, count: 1 },
        result: { blocks: [exampleShardBlock], transactions: [exampleParsed] },
      },
    ],
  }),

  send: defineMethod({
    group: "Send",
    summary: "Sends an external message.",
    verbs: ["POST"],
    bodyRefusal: "",
    params: z.object({ boc: messageBytes.describe("The message in a bag of cells, base64.") }),
    result: z.object({ status: z.literal(1).describe("The message was accepted.") }),
    freshness: { kind: "effect" },
    errors: ["bad-boc", "liteserver-error", "message-rejected"],
    examples: [{ params: { boc: exampleBoc }, result: { status: 1 } }],
  }),
};
