import { z } from "zod";
import { hashBase64, quantity, unixTime } from "../../forms/values.js";
import { action } from "./actions.js";
import { nextCursor } from "./list-cursor.js";
import { expectedOutcome } from "./message-status.js";
import { answerExtras, decimal, nullableHash, withCodes } from "./records.js";
import { transaction } from "./transactions.js";

/** A transaction of a trace with its children. */
export type TraceNode = {
  tx_hash?: string | undefined;
  in_msg_hash?: string | undefined;
  children: TraceNode[];
};

export const traceNode: z.ZodType<TraceNode> = z
  .lazy(() =>
    z.object({
      tx_hash: hashBase64.optional().describe("Hash of the transaction."),
      in_msg_hash: hashBase64.optional().describe("Hash of its inbound message."),
      children: z.array(traceNode).describe("Transactions caused by this one."),
    }),
  )
  .meta({ id: "TraceNode", description: "A transaction with its children." });

export const trace = z
  .object({
    trace_id: nullableHash.describe("Hash of the first transaction."),
    external_hash: nullableHash.describe(
      "Hash of the external message that started the trace; `null` if there is none.",
    ),
    mc_seqno_start: decimal.describe("Masterchain block of the first transaction."),
    mc_seqno_end: decimal.describe("Masterchain block of the last transaction so far."),
    start_lt: decimal.describe("Logical time of the first transaction."),
    start_utime: unixTime.describe("Its unix time."),
    end_lt: decimal
      .nullable()
      .describe("Logical time of the last transaction; `null` while the trace is incomplete."),
    end_utime: unixTime.nullable().describe("Its unix time."),
    trace_info: z
      .object({
        trace_state: z
          .enum(["complete", "pending", "broken"])
          .describe(
            "`complete`; `pending`: more transactions may follow; `broken`: its start is not indexed.",
          ),
        messages: quantity.describe("Number of messages."),
        transactions: quantity.describe("Number of transactions."),
        pending_messages: quantity.describe("Number of messages that are sent but not received yet."),
        classification_state: z
          .enum(["unclassified", "failed", "ok", "broken"])
          .describe("State of the classification into actions."),
      })
      .describe("Size and state."),
    is_incomplete: z
      .boolean()
      .describe("Whether the transactions are left out because the trace or the answer is too large."),
    warning: z.string().optional().describe("Parts that the answer omits."),
    actions: z.array(action).optional().describe("Actions, by start."),
    trace: traceNode.optional().describe("The tree of transactions."),
    transactions_order: z
      .array(hashBase64)
      .optional()
      .describe("Hashes of the transactions, sorted by logical time."),
    transactions: z.record(z.string(), transaction).optional().describe("The transactions by hash."),
    outcome: expectedOutcome
      .optional()
      .describe("Whether it succeeds, as far as it is known; only of pending traces, on request."),
  })
  .meta({ id: "Trace", description: "The tree of all transactions caused by one message." });

export const traceList = z
  .object({ traces: z.array(trace).describe("The traces."), ...answerExtras, ...withCodes, ...nextCursor })
  .meta({ id: "TraceList" });

export const eventList = z
  .object({ events: z.array(trace).describe("The traces."), ...answerExtras, ...nextCursor })
  .meta({ id: "EventList" });
