import { z } from "zod";
import { address, bool, hashes, int32, lt, page, sort, texts, utime } from "../../schema/v3-params.js";
import { onlyOneOf } from "../../schema/v3-rules.js";
import { traceList } from "../../schema/v3-traces.js";
import { defineMethod } from "../define.js";
import { exampleHash } from "./examples.js";

const noTraces = { traces: [], address_book: {}, metadata: {} };

export const traceMethods = {
  traces: defineMethod({
    summary: "Traces with their trees of transactions, newest first.",
    description:
      "A trace is the tree of all transactions caused by one message. Sorted by the logical time of its end, or by unix time if only unix times are given. Incomplete traces count as newest. An answer has 20,000 transactions at most: traces beyond them come without theirs, with `is_incomplete` and a warning, and can be asked for by `trace_id`.",
    group: "Actions and traces",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z
      .object({
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
        include_actions: bool.prefault(false).describe("Include the actions."),
        supported_action_types: texts.optional().describe("Action types that the caller supports."),
        ...page({ initial: 10, max: 1000 }),
        sort,
      })
      .check(
        onlyOneOf(
          ["account", "trace_id", "tx_hash", "msg_hash"],
          "only one of account, trace_id, tx_hash, msg_hash should be specified",
        ),
      ),
    result: traceList,
    errors: ["absent"],
    examples: [{ params: { trace_id: [exampleHash] }, result: noTraces }],
  }),
};
