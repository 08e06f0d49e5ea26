import { z } from "zod";
import { hashBase64 } from "../../forms/values.js";
import { action } from "../v3/actions.js";
import { answerExtras } from "../v3/records.js";
import { traceNode } from "../v3/traces.js";
import { transaction } from "../v3/transactions.js";
import { accountEvent, jettonEvent } from "./subscription-events.js";
import { finalities } from "./subscription-params.js";

// TON Center's streaming protocol, for the documents. Its requests are read by hand, for the sake of its error texts.

const id = z.string().optional().describe("Echoed in the answer.");
const names = {
  addresses: z.array(z.string()).optional().describe("Accounts in any form; for all types but `trace`."),
  trace_external_hash_norms: z
    .array(z.string())
    .optional()
    .describe("Normalized hashes of external messages; for the type `trace`."),
};

/** The body of a request for server-sent events. */
export const streamRequest = z
  .object({
    id,
    types: z
      .array(z.enum(["transactions", "actions", "trace", "account_state_change", "jettons_change"]))
      .describe("Types of events."),
    ...names,
    msg_body_hash: z
      .string()
      .optional()
      .describe(
        "Hash of a body's cell, in hex or base64: only transactions on the addresses that received a message with this body. Other types are not narrowed. Over WebSocket a `subscribe` without it takes it off. Newer versions of TON Center's streaming service have it; whether the hosted one does is not confirmed, and the texts of refusals are this service's own.",
      ),
    replay_existing: z
      .boolean()
      .optional()
      .describe(
        "Whether events before the newest block come first: traces of 30 seconds, the last states of accounts and jetton wallets of 60 seconds, of at most 500 masterchain blocks, then traces that are not final, as `min_finality` permits. With `Last-Event-ID` only those come first that are not final, as everything behind the event comes anyway. Newer versions of TON Center's streaming service have it; whether the hosted one does is not confirmed.",
      ),
    min_finality: z
      .enum(finalities)
      .optional()
      .describe("The least finality that is sent. Default: `finalized`."),
    action_types: z.array(z.string()).optional().describe("Only these types of actions."),
    supported_action_types: z
      .array(z.string())
      .optional()
      .describe("Types and versions of actions that the client knows."),
    include_address_book: z.boolean().optional().describe("Whether events have an address book."),
    include_metadata: z.boolean().optional().describe("Whether events have metadata of tokens."),
    include_text: z.boolean().optional().describe("Whether actions have `text`, `preview` and `failure`."),
    include_abi: z
      .boolean()
      .optional()
      .describe("Whether messages and calls of contracts have `abi`, and exit codes their names in ABIs."),
  })
  .meta({ id: "StreamRequest", description: "The events to send." });

/** A request over WebSocket. */
export const socketRequest = z
  .union([
    streamRequest.extend({ operation: z.literal("subscribe") }),
    z.object({ operation: z.literal("unsubscribe"), id, ...names }),
    z.object({ operation: z.literal("ping"), id }),
  ])
  .meta({ id: "StreamSocketRequest", description: "A request over WebSocket." });

/** An answer over WebSocket, and the first event over server-sent events. */
export const streamAnswer = z
  .union([
    z.object({
      id,
      status: z.enum(["subscribed", "unsubscribed", "pong"]).describe("The completed operation."),
    }),
    z.object({ id, error: z.string().describe("Why it was refused.") }),
  ])
  .meta({ id: "StreamAnswer", description: "The answer to a request." });

const finality = z.enum(finalities).describe("Finality of the event.");
const trace_external_hash_norm = hashBase64.describe(
  "Hash of the external message that the trace follows from.",
);
const books = {
  address_book: answerExtras.address_book.optional(),
  metadata: answerExtras.metadata.optional(),
};

/** Events for clients of TON Center's protocol. */
export const tonCenterEvent = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("transactions"),
      finality,
      trace_external_hash_norm,
      transactions: z.array(transaction).describe("Transactions of a trace, newest first."),
      ...books,
    }),
    z.object({
      type: z.literal("actions"),
      finality,
      trace_external_hash_norm,
      actions: z.array(action).describe("Actions of a trace, latest first."),
      ...books,
    }),
    z.object({
      type: z.literal("trace"),
      finality,
      trace_external_hash_norm,
      trace: traceNode,
      transactions: z.record(z.string(), transaction).describe("The transactions by hash."),
      actions: z.array(action).optional().describe("Its actions."),
      ...books,
    }),
    z.object({
      type: z.literal("account_state_change"),
      finality,
      account: accountEvent.shape.account,
      state: accountEvent.shape.state,
    }),
    z.object({
      type: z.literal("jettons_change"),
      finality,
      jetton: jettonEvent.shape.jetton,
      ...books,
    }),
    z.object({ type: z.literal("trace_invalidated"), trace_external_hash_norm }),
  ])
  .meta({ id: "TonCenterStreamEvent", description: "An event of a stream." });
