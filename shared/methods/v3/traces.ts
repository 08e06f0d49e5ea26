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
      "A trace is everything that followed from one message. By logical time of the end; by unix time where times are given and logical times are not. Traces that are not complete count as newest.",
    group: "Actions and traces",
    verbs: ["GET"],
    freshness: { kind: "index" },
    params: z
      .object({
        account: address.optional().describe("Traces with a transaction of this account."),
        trace_id: hashes.optional().describe("Hash of the first transaction; any of several."),
        tx_hash: hashes.optional().describe("Hash of any transaction; any of several."),
        msg_hash: hashes.optional().describe("Hash of any message, as it was or normalized; any of several."),
        mc_seqno: int32
          .optional()
          .describe("Complete traces whose last transaction came with this masterchain block."),
        start_utime: utime.optional().describe("Unix time of the end from which on, itself included."),
        end_utime: utime.optional().describe("Unix time of the end up to which, itself included."),
        start_lt: lt.optional().describe("Logical time of the end from which on, itself included."),
        end_lt: lt.optional().describe("Logical time of the end up to which, itself included."),
        include_actions: bool.prefault(false).describe("Whether to answer the actions too."),
        supported_action_types: texts.optional().describe("Kinds of action the caller understands."),
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
    errors: ["absent", "too-large"],
    examples: [{ params: { trace_id: [exampleHash] }, result: noTraces }],
  }),
};
