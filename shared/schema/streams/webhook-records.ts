import { z } from "zod";
import { quantity, rawAddressUpper, signed32, unixTime } from "../../forms/values.js";
import { cursor, deliveredEvent } from "./subscription-events.js";
import { finalities, subscriptionParts } from "./subscription-params.js";
import { webhookKinds } from "./webhook-params.js";

const list = (what: string) => z.array(z.string()).optional().describe(what);

/** A webhook as its owner sees it: without its secret. */
export const webhook = z
  .object({
    id: z.string().describe("Id of the webhook."),
    url: z.string().describe("Where events are delivered."),
    kind: z.enum(webhookKinds).describe("Kind of the records."),
    accounts: z.array(rawAddressUpper).optional().describe("The accounts that narrow it."),
    jetton_masters: z.array(rawAddressUpper).optional().describe("The jettons that narrow it."),
    opcodes: list("The opcodes that narrow it, as `0x` and eight hex digits."),
    action_types: list("The types of actions that narrow it."),
    supported_action_types: list("The types and versions of actions that its receiver knows."),
    workchain: signed32.optional().describe("The workchain that narrows it."),
    finality: z.enum(finalities).describe("The least finality that is delivered."),
    include: z.array(z.enum(subscriptionParts)).describe("Parts of events."),
    cursor: cursor.describe("Place in the events: everything that matches up to it was delivered."),
    created_at: unixTime.describe("When it was created, in Unix seconds."),
    paused: z.string().nullable().describe("Why nothing is delivered; null if it is not paused."),
    failing_since: unixTime
      .nullable()
      .describe("When the first delivery failed since the last success; null if none did."),
    failure: z.string().nullable().describe("Why the last delivery failed; null if it did not."),
    next_attempt_at: unixTime.nullable().describe("When the next attempt is made after a failure."),
  })
  .meta({
    id: "Webhook",
    description: "Where the events of a subscription are delivered, and how that goes.",
  });

/** A webhook with its secret, which is not shown again. */
export const createdWebhook = webhook
  .extend({
    secret: z
      .string()
      .optional()
      .describe("The secret that signs deliveries, if it is new. It is not shown again."),
  })
  .meta({ id: "CreatedWebhook", description: "A webhook, with its secret if that is new." });

/** One attempt to deliver events. */
export const delivery = z
  .object({
    at: unixTime.describe("When the attempt began, in Unix seconds."),
    duration_ms: z.int().describe("How long it took."),
    events: quantity.describe("Number of events."),
    after: cursor.describe("The place before the events."),
    cursor: cursor.describe("The place of the last event."),
    status: signed32.nullable().describe("Status of the answer; null without an answer."),
    failure: z.string().nullable().describe("Why it failed; null if the receiver took the events."),
  })
  .meta({ id: "WebhookAttempt", description: "An attempt to deliver events to a webhook." });

/** The body of a delivery to a webhook. */
export const deliveryBody = z
  .object({
    webhook: z.string().describe("Id of the webhook."),
    after: cursor.describe(
      "The place before the events: the `cursor` of the delivery before, unless events were replayed or became void.",
    ),
    cursor: cursor.describe("The place behind the events."),
    events: z.array(deliveredEvent).describe("The events, in their order."),
  })
  .meta({ id: "WebhookDelivery", description: "Events that are delivered to a webhook." });

export type Webhook = z.output<typeof webhook>;
export type WebhookAttempt = z.output<typeof delivery>;
export type WebhookDelivery = z.output<typeof deliveryBody>;
export type WebhookEvent = WebhookDelivery["events"][number];
