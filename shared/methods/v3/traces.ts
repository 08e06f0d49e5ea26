import { z } from "zod";
import { includeAbi } from "../../schema/v3/abi.js";
import { listCursor } from "../../schema/v3/list-cursor.js";
import { address, bool, hashes, int32, lt, page, sort, utime } from "../../schema/v3/params.js";
import { onlyOneOf } from "../../schema/v3/rules.js";
import { eventList, traceList } from "../../schema/v3/traces.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { includeText, supportedActionTypes } from "./actions.js";
import { exampleHash } from "./examples.js";

const noTraces = { traces: [], address_book: {}, metadata: {} };

const common = {
  group: "Actions and traces",
  verbs: ["GET"],
  freshness: { kind: "index" },
  errors: ["absent"],
} as const;

const filters = {
  account: address.optional().describe("Only traces with a transaction of this account."),
  trace_id: hashes.optional().describe("Hashes of the first transactions."),
  tx_hash: hashes.optional().describe("Hashes of any transactions of the traces."),
  msg_hash: hashes.optional().describe("Hashes of any messages of the traces, as sent or normalized."),
  mc_seqno: int32
    .optional()
    .describe("Only complete traces whose last transaction was finalized by this masterchain block."),
  start_utime: utime.optional().describe("Minimum unix time of the end, inclusive."),
  end_utime: utime.optional().describe("Maximum unix time of the end, inclusive."),
  start_lt: lt.optional().describe("Minimum logical time of the end, inclusive."),
  end_lt: lt.optional().describe("Maximum logical time of the end, inclusive."),
  supported_action_types: supportedActionTypes,
  ...page({ initial: 10, max: 1000 }),
  sort,
};

const alternatives = ["account", "trace_id", "tx_hash", "msg_hash"] as const;
const severalGiven = "only one of account, trace_id, tx_hash, msg_hash should be specified";

export const traceMethods = {
  traces: defineList({
    ...common,
    summary: "Traces with their trees of transactions, newest first.",
    description:
      "A trace is the tree of all transactions caused by one message. Sorted by the logical time of its end, or by unix time if only unix times are given. Incomplete traces count as newest. An answer has 20,000 transactions at most: traces beyond them come without theirs, with `is_incomplete` and a warning, and can be asked for by `trace_id`.",
    params: z
      .object({
        ...filters,
        include_actions: bool.prefault(false).describe("Include the actions."),
        include_text: includeText,
        cursor: listCursor,
        include_abi: includeAbi,
        include_parts: bool
          .prefault(false)
          .describe(
            "With `include_actions`: include the actions of all types, also those that are part of others, each with `parent_action_id`.",
          ),
      })
      .check(onlyOneOf(alternatives, severalGiven)),
    result: traceList,
    examples: [
      { params: { trace_id: [exampleHash] }, story: { trace_id: [ofStory("trace_id")] }, result: noTraces },
    ],
  }),

  events: defineList({
    ...common,
    summary: "Traces with their actions, newest first.",
    description: "The same as `traces` with `include_actions`.",
    params: z
      .object({ ...filters, include_text: includeText, cursor: listCursor, include_abi: includeAbi })
      .check(onlyOneOf(alternatives, severalGiven)),
    result: eventList,
    examples: [
      {
        params: { trace_id: [exampleHash] },
        story: { trace_id: [ofStory("trace_id")] },
        result: { events: [], address_book: {}, metadata: {} },
      },
    ],
  }),
};
