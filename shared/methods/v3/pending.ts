import { z } from "zod";
import { includeAbi } from "../../schema/v3/abi.js";
import { actionList } from "../../schema/v3/actions.js";
import { address, addresses, hashes } from "../../schema/v3/params.js";
import { oneOf } from "../../schema/v3/rules.js";
import { traceList } from "../../schema/v3/traces.js";
import { transactionList } from "../../schema/v3/transactions.js";
import { defineMethod } from "../define.js";
import { includeText, includeTransactions, noActions, supportedActionTypes } from "./actions.js";
import { exampleHash, nobody } from "./examples.js";
import { includeHint } from "./message-status.js";

const description =
  "Covers messages sent through this service, until the index has their whole trace. `pending` transactions are emulated " +
  "on the last block's state, `confirmed` ones are in a block.";
const common = {
  description,
  verbs: ["GET"],
  freshness: { kind: "none" },
  errors: ["liteserver-error"],
} as const;

export const pendingMethods = {
  pendingTransactions: defineMethod({
    ...common,
    summary: "Transactions of incomplete traces, emulated or confirmed.",
    group: "Blockchain data",
    params: z
      .object({
        account: addresses.optional().describe("Only transactions of these accounts."),
        trace_id: hashes
          .optional()
          .describe("Only transactions of these traces; ignored if an account is given."),
        include_abi: includeAbi,
      })
      .check(oneOf(["account", "trace_id"], "at least 1 account address required")),
    result: transactionList,
    examples: [{ params: { account: [nobody] }, result: { transactions: [], address_book: {} } }],
  }),

  pendingTraces: defineMethod({
    ...common,
    summary: "Incomplete traces, emulated or confirmed, newest first.",
    group: "Actions and traces",
    params: z
      .object({
        account: address.optional().describe("Only traces with a transaction of this account."),
        ext_msg_hash: hashes
          .optional()
          .describe("Hashes of external messages, as sent or normalized; ignored if an account is given."),
        supported_action_types: supportedActionTypes,
        include_text: includeText,
        include_abi: includeAbi,
        include_hint: includeHint,
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

  pendingActions: defineMethod({
    ...common,
    summary: "Actions of incomplete traces, newest first. They may change.",
    group: "Actions and traces",
    params: z
      .object({
        account: address.optional().describe("Only actions that this account takes part in."),
        ext_msg_hash: hashes
          .optional()
          .describe("Hashes of external messages, as sent or normalized; ignored if an account is given."),
        supported_action_types: supportedActionTypes,
        include_transactions: includeTransactions,
        include_text: includeText,
        include_abi: includeAbi,
      })
      .check(oneOf(["account", "ext_msg_hash"], "account or ext_msg_hash should be specified")),
    result: actionList,
    examples: [{ params: { ext_msg_hash: [exampleHash] }, result: noActions }],
  }),
};
