import { z } from "zod";
import { Fault, rule } from "../../schema/input.js";
import { includeAbi } from "../../schema/v3/abi.js";
import { actionList, balanceChanges } from "../../schema/v3/actions.js";
import { listCursor } from "../../schema/v3/list-cursor.js";
import {
  actionTypesOf,
  actionWords,
  address,
  bool,
  hash,
  hashes,
  int32,
  lt,
  page,
  sort,
  utime,
} from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { exampleHash, nobody } from "./examples.js";

const group = "Actions and traces";

/** An answer without actions. */
export const noActions = { actions: [], address_book: {}, metadata: {} };

export const supportedActionTypes = actionWords
  .optional()
  .describe(
    "Action types that the caller supports, or words for sets of them such as `v1`, `nft`, `latest` (default). Actions that are part of a supported one are left out.",
  );

export const includeText = bool
  .prefault(false)
  .describe(
    "Include `text`, a sentence, and `preview`, its parts; of actions, for failed ones with `failure`.",
  );

export const includeTransactions = bool.prefault(false).describe("Include the transactions.");

export const actionMethods = {
  actions: defineList({
    summary: "Actions such as transfers and swaps, newest first.",
    description:
      "An action describes the effect of a group of transactions in one object. Sorted by the logical time of the end of its trace, or by unix time if unix times are given. All filters apply together. Without `action_type` only types that the caller supports are listed.",
    group,
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z.object({
      account: address.optional().describe("Only actions that this account takes part in."),
      tx_hash: hashes.optional().describe("Only actions with one of these transactions."),
      msg_hash: hashes
        .optional()
        .describe("Only actions with a transaction that one of these messages led to."),
      action_id: hashes.optional().describe("Only these actions."),
      trace_id: hashes.optional().describe("Only actions of these traces."),
      mc_seqno: int32
        .optional()
        .describe("Only actions of traces whose last transaction was finalized by this masterchain block."),
      start_utime: utime.optional().describe("Minimum unix time of the end of the trace, inclusive."),
      end_utime: utime.optional().describe("Maximum unix time of the end of the trace, inclusive."),
      start_lt: lt.optional().describe("Minimum logical time of the end of the trace, inclusive."),
      end_lt: lt.optional().describe("Maximum logical time of the end of the trace, inclusive."),
      action_type: actionTypesOf("action_type")
        .optional()
        .describe("Only actions of these types, supported or not."),
      exclude_action_type: actionTypesOf("exclude_action_type")
        .optional()
        .describe("Only actions of other types."),
      supported_action_types: supportedActionTypes,
      include_accounts: bool.prefault(false).describe("Include the accounts that take part."),
      include_transactions: includeTransactions,
      ...page({ initial: 10, max: 1000 }),
      sort,
      include_text: includeText,
      cursor: listCursor,
      initiated_by_account: bool
        .optional()
        .describe(
          "With `account`: `true` for actions of traces whose first transaction is the account's, `false` for those of all other traces. Without `account` it has no effect. Newer versions of TON Center's ton-indexer have it; whether its hosted service does is not confirmed.",
        ),
      include_abi: includeAbi,
    }),
    result: actionList,
    errors: ["absent"],
    examples: [
      { params: { account: nobody }, story: { account: ofStory("ann"), limit: 2 }, result: noActions },
    ],
  }),

  balanceChanges: defineMethod({
    summary: "Balance changes of accounts by a trace or an action.",
    description:
      "TON by messages that were received and by fees, jettons by transfers that succeeded. An action stands for its own transactions.",
    group,
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z
      .object({
        trace_id: hash.optional().describe("Hash of the first transaction of the trace."),
        action_id: hash.optional().describe("Id of the action; it wins over a trace."),
      })
      .check(
        rule(({ trace_id, action_id }) =>
          trace_id || action_id
            ? undefined
            : new Fault("range", () => "trace_id or action_id is required", { status: 400 }),
        ),
      ),
    result: balanceChanges,
    errors: ["absent"],
    examples: [
      {
        params: { trace_id: exampleHash },
        story: { trace_id: ofStory("trace_id") },
        result: { changes: {}, fees: {}, jettons: {} },
      },
    ],
  }),
};
