import { z } from "zod";
import { hashBase64, unixTime } from "./results.js";
import { answerExtras, decimal, nullableHash } from "./v3-records.js";
import { transaction } from "./v3-transactions.js";

/** A transaction of a trace with those it caused. */
export type TraceNode = {
  tx_hash?: string | undefined;
  in_msg_hash?: string | undefined;
  children: TraceNode[];
};

const traceNode: z.ZodType<TraceNode> = z
  .lazy(() =>
    z.object({
      tx_hash: hashBase64.optional().describe("Hash of the transaction."),
      in_msg_hash: hashBase64.optional().describe("Hash of the message that caused it."),
      children: z.array(traceNode).describe("The transactions it caused."),
    }),
  )
  .meta({ id: "TraceNode", description: "A transaction with those it caused." });

export const trace = z
  .object({
    trace_id: nullableHash.describe("Hash of the first transaction."),
    external_hash: nullableHash.describe("Hash of the message that began it; `null` when none did."),
    mc_seqno_start: decimal.describe("Masterchain block of the first transaction."),
    mc_seqno_end: decimal.describe("Masterchain block of the last transaction so far."),
    start_lt: decimal.describe("Logical time of the first transaction."),
    start_utime: unixTime.describe("Its unix time."),
    end_lt: decimal.nullable().describe("Logical time of the last transaction; `null` while more may come."),
    end_utime: unixTime.nullable().describe("Its unix time."),
    trace_info: z
      .object({
        trace_state: z
          .enum(["complete", "pending", "broken"])
          .describe("Whether all is there, more may come, or the beginning is not indexed."),
        messages: z.int().describe("How many messages."),
        transactions: z.int().describe("How many transactions."),
        pending_messages: z.int().describe("How many messages were sent and not received yet."),
        classification_state: z
          .enum(["unclassified", "failed", "ok", "broken"])
          .describe("Whether actions were made of it."),
      })
      .describe("Size and state."),
    is_incomplete: z.boolean().describe("Whether it is too large to be answered whole."),
    warning: z.string().optional().describe("What is missing."),
    actions: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("What was done, in terms of transfers and the like."),
    trace: traceNode.optional().describe("The first transaction with those it caused."),
    transactions_order: z.array(hashBase64).optional().describe("The transactions by logical time."),
    transactions: z.record(z.string(), transaction).optional().describe("The transactions by hash."),
  })
  .describe("Everything that followed from one message.");

export const traceList = z.object({ traces: z.array(trace).describe("The traces."), ...answerExtras });
