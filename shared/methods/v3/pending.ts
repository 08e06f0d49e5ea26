import { z } from "zod";
import { address, addresses, hashes, texts } from "../../schema/v3-params.js";
import { oneOf } from "../../schema/v3-rules.js";
import { traceList } from "../../schema/v3-traces.js";
import { transactionList } from "../../schema/v3-transactions.js";
import { defineMethod } from "../define.js";
import { exampleHash, nobody } from "./examples.js";

const description =
  "Of messages this service has taken in itself, until the index has all that followed: `pending` is what a copy of the " +
  "last block's state makes of them, `confirmed` what is in a block.";
const common = { description, verbs: ["GET"], freshness: { kind: "none" } } as const;

export const pendingMethods = {
  pendingTransactions: defineMethod({
    ...common,
    summary: "Transactions of traces that have not ended, as expected or as they happened.",
    group: "Blockchain data",
    params: z
      .object({
        account: addresses.optional().describe("Transactions of this account; any of several."),
        trace_id: hashes
          .optional()
          .describe("Transactions of this trace, where no account is given; any of several."),
      })
      .check(oneOf(["account", "trace_id"], "at least 1 account address required")),
    result: transactionList,
    examples: [{ params: { account: [nobody] }, result: { transactions: [], address_book: {} } }],
  }),

  pendingTraces: defineMethod({
    ...common,
    summary: "Traces that have not ended, as expected or as they happened, newest first.",
    group: "Actions and traces",
    params: z
      .object({
        account: address.optional().describe("Traces with a transaction of this account."),
        ext_msg_hash: hashes
          .optional()
          .describe(
            "Hash of the message, as it was or normalized, where no account is given; any of several.",
          ),
        supported_action_types: texts.optional().describe("Kinds of action the caller understands."),
      })
      .check(oneOf(["account", "ext_msg_hash"], "account or ext_msg_hash should be specified")),
    result: traceList,
    examples: [
      {
        params: { ext_msg_hash: [exampleHash] },
        result: { traces: [], address_book: {}, metadata: {} },
      },
    ],
  }),
};
