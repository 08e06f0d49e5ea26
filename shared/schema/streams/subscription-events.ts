import { z } from "zod";
import { hashBase64, rawAddressUpper, unixTime, unsigned32 } from "../../forms/values.js";
import { action } from "../v3/actions.js";
import { block } from "../v3/blocks.js";
import { messageStatus } from "../v3/message-status.js";
import { accountStatus, addressBook, blockRef, decimal, metadata } from "../v3/records.js";
import { jettonWallet } from "../v3/tokens/jettons.js";
import { trace } from "../v3/traces.js";
import { transaction } from "../v3/transactions.js";
import { finalities } from "./subscription-params.js";

// Messages to subscriptions: events with records, then those about the subscription itself.

export const streamHead = z
  .object({
    seqno: unsigned32.describe("Seqno of the newest masterchain block whose events were sent."),
    gen_utime: unixTime,
  })
  .meta({ id: "StreamHead", description: "The newest masterchain block." });

export const cursor = z
  .string()
  .describe(
    "Place in the events, to go on from. Every event up to it that matches was sent to this subscription; that holds for " +
      "each cursor, also of events without a record. Opaque.",
  );

const typed = <Type extends string>(type: Type) => z.literal(type).describe("Type of the event.");

const books = {
  address_book: addressBook.optional(),
  metadata: metadata.optional(),
};

/** A transaction of an event; messages are omitted unless requested. */
const sentTransaction = transaction.partial({ in_msg: true, out_msgs: true }).describe("The transaction.");

export const accountEvent = z
  .object({
    type: typed("account"),
    account: rawAddressUpper,
    state: z
      .object({
        hash: hashBase64.describe("Hash of the state."),
        balance: decimal.describe("Balance in nanotons."),
        account_status: accountStatus,
        frozen_hash: hashBase64.optional().describe("Hash of the state before it was frozen."),
        data_hash: hashBase64.optional().describe("Hash of the data."),
        code_hash: hashBase64.optional().describe("Hash of the code."),
      })
      .describe("The state that the account was left in."),
    lt: decimal.describe("Logical time of the last transaction."),
  })
  .meta({ id: "AccountEvent", description: "A new state of an account." });

export const jettonEvent = z
  .object({
    type: typed("jetton"),
    jetton: jettonWallet,
    lt: decimal.describe("Logical time of the last transaction of the wallet."),
    ...books,
  })
  .meta({ id: "JettonEvent", description: "A jetton wallet that changed." });

const recordEvents = [
  z
    .object({
      type: typed("block"),
      block: block.describe("The masterchain block."),
      shards: z.array(blockRef).describe("The blocks of shards that it registers."),
    })
    .describe("A masterchain block."),
  z
    .object({
      type: typed("transaction"),
      transaction: sentTransaction,
      raw: z
        .string()
        .nullable()
        .optional()
        .describe(
          "Bag of cells of the transaction, if it was asked for and is final; null if no node gives it.",
        ),
      ...books,
    })
    .describe("A transaction."),
  z.object({ type: typed("action"), action, ...books }).describe("An action of a trace."),
  z.object({ type: typed("trace"), trace, ...books }).describe("A trace with its transactions."),
  accountEvent,
  jettonEvent,
  z.object({ type: typed("message"), message: messageStatus }).describe("The current status of a message."),
] as const;

const controlEvents = [
  z
    .object({
      type: typed("invalidated"),
      trace_external_hash_norm: hashBase64.describe(
        "Hash of the external message that the trace follows from.",
      ),
      transactions: z.array(hashBase64).describe("Hashes of its transactions that were sent."),
    })
    .describe("Earlier events of a trace that were not final are void."),
  z
    .object({
      type: typed("reverted"),
      mc_seqno: unsigned32.describe("The last masterchain block that is still valid."),
    })
    .describe(
      "The devnet was reverted: everything above is void. Jetton wallets that have an earlier state again are sent with the next block.",
    ),
  z.object({ type: typed("caught-up") }).describe("The past is delivered; live from here."),
  z
    .object({
      type: typed("lagging"),
      seconds: z.int().describe("Age of the next event against the newest block."),
      speculative: z
        .literal("reset")
        .optional()
        .describe("Everything that was sent and is not final must be forgotten."),
    })
    .describe("The client is behind. Events that are not final are left out until it has caught up."),
  z
    .object({ type: typed("heartbeat"), head: streamHead })
    .describe("Sent every 10 seconds without another event."),
  z.object({ type: typed("end") }).describe("No more events will come."),
  z
    .object({ type: typed("closing") })
    .describe("This process stops: subscribe again, elsewhere, from the cursor."),
] as const;

/** An event of a subscription. */
export const streamEvent = z
  .discriminatedUnion("type", [...recordEvents, ...controlEvents])
  .meta({ id: "StreamEvent", description: "An event of a subscription." });

/** Members beside the event. */
const envelope = {
  finality: z
    .enum(finalities)
    .optional()
    .describe("Finality of the event; absent for events without records."),
  id: z
    .string()
    .optional()
    .describe(
      "Id of the record: it comes again with the same id when it is final. `<lt>.<hash>` for transactions, the action id for actions.",
    ),
  replaces: z
    .string()
    .optional()
    .describe("Id under which the same was sent before it was final, if that was another one."),
};

const inEnvelope = {
  cursor: cursor.optional().describe("Place of the event; absent if it is not final."),
  ...envelope,
  event: streamEvent,
};

/** An event of a webhook. */
export const deliveredEvent = z
  .object(inEnvelope)
  .meta({ id: "WebhookEvent", description: "An event, and its place." });

/** Params of the notification `subscription`. */
export const notificationParams = z
  .object({ subscription: z.string().describe("Id of the subscription."), ...inEnvelope })
  .describe("An event, and the subscription that receives it.");

/** A notification over WebSocket. */
export const notification = z
  .object({
    jsonrpc: z.literal("2.0"),
    method: z.literal("subscription"),
    params: notificationParams,
  })
  .meta({ id: "SubscriptionNotification", description: "An event of a subscription." });

/** Params of the notification `ton_subscription`. */
export const tonNotificationParams = z
  .object({
    subscription: z.string().describe("Id of the subscription."),
    result: z.object(inEnvelope).describe("An event, and its place."),
  })
  .describe("An event, and the subscription that receives it.");

/** A notification over WebSocket, to subscriptions by `ton_subscribe`. */
export const tonNotification = z
  .object({
    jsonrpc: z.literal("2.0"),
    method: z.literal("ton_subscription"),
    params: tonNotificationParams,
  })
  .meta({ id: "TonSubscriptionNotification", description: "An event of a subscription." });

export type NotificationParams = z.output<typeof notificationParams>;
export type Notification = z.output<typeof notification>;
export type TonNotification = z.output<typeof tonNotification>;
