import { z } from "zod";
import {
  webhookCreateParams,
  webhookDeleteParams,
  webhookDeliveriesParams,
  webhookReplayParams,
  webhookUpdateParams,
} from "../../schema/streams/webhook-params.js";
import { createdWebhook, delivery, webhook } from "../../schema/streams/webhook-records.js";
import { defineMethod } from "../define.js";

const common = { group: "Webhooks", needsKey: true } as const;
const effect = { ...common, verbs: ["POST"], freshness: { kind: "effect" } } as const;
const read = { ...common, verbs: ["GET"], freshness: { kind: "none" } } as const;

const id = "wh_5m0fQ2bYwq3v9k1Jx7ZcNA";
const cursor = "YzEuMTI4LjkuMC4uM2Y5YTBjMTIuNjg1MmFiOTE";
const account = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";
const secret = "whsec_example-of-a-secret-that-signs-nothing";

const exampleWebhook = {
  id,
  url: "https://shop.example/ton-events",
  kind: "transactions" as const,
  accounts: [account],
  finality: "finalized" as const,
  include: ["messages" as const],
  cursor,
  created_at: 1_735_689_728,
  paused: null,
  failing_since: null,
  failure: null,
  next_attempt_at: null,
};

/**
 * The methods `v3.webhooks`: events of subscriptions that the service posts to a URL. Each key sees and changes only
 * its webhooks.
 */
export const webhookMethods = {
  create: defineMethod({
    ...effect,
    summary: "Delivers the events of a subscription to a URL, from now on or from a place in the past.",
    description:
      "Events are posted in batches, in order, at least once, and signed with the secret in the header `Tonwire-Signature`: " +
      "`t=<unix time>,v1=<HMAC-SHA-256 of the time, a dot and the body, in hex>`. Any status from 200 to 299 takes a batch; after " +
      "anything else it is delivered again, ever later, for three days, and then the webhook is paused. Needs an API key; " +
      "on a devnet, callers on its machine need none.",
    params: webhookCreateParams,
    result: createdWebhook.describe("The webhook, with its secret if that is new."),
    secrets: ["secret"],
    errors: ["conflict", "cursor-too-old"],
    examples: [
      {
        params: { url: exampleWebhook.url, kind: "transactions", accounts: [account] },
        result: { ...exampleWebhook, secret },
      },
    ],
  }),

  list: defineMethod({
    ...read,
    summary: "The webhooks of the caller's key.",
    params: z.object({}),
    result: z.object({ webhooks: z.array(webhook).describe("The webhooks, oldest first.") }),
    examples: [{ params: {}, result: { webhooks: [exampleWebhook] } }],
  }),

  update: defineMethod({
    ...effect,
    summary: "Changes the URL, the lists or the secret of a webhook, pauses it, or resumes it.",
    description: "A change applies to the events behind the cursor of the webhook.",
    params: webhookUpdateParams,
    command: { options: { url: "target" } },
    result: createdWebhook.describe("The webhook, with its secret if that is new."),
    secrets: ["secret"],
    errors: ["absent", "conflict"],
    examples: [
      { params: { id, add: { accounts: [account] } }, result: exampleWebhook },
      { params: { id, paused: true }, result: { ...exampleWebhook, paused: "paused by its owner" } },
    ],
  }),

  delete: defineMethod({
    ...effect,
    summary: "Deletes a webhook. Nothing is delivered to it once the call is answered.",
    // An attempt that is being made ends first.
    timeoutMs: 30_000,
    params: webhookDeleteParams,
    result: z.boolean().describe("Whether there was such a webhook."),
    examples: [{ params: { id }, result: true }],
  }),

  deliveries: defineMethod({
    ...read,
    summary: "The last attempts to deliver events to a webhook, newest first.",
    params: webhookDeliveriesParams,
    result: z.object({ deliveries: z.array(delivery).describe("The attempts; the last 100 are kept.") }),
    errors: ["absent"],
    examples: [
      {
        params: { id },
        result: {
          deliveries: [
            {
              at: 1_735_689_730,
              duration_ms: 85,
              events: 3,
              after: cursor,
              cursor,
              status: 200,
              failure: null,
            },
          ],
        },
      },
    ],
  }),

  replay: defineMethod({
    ...effect,
    summary: "Delivers the events behind a place again, and resumes the webhook if it was paused.",
    params: webhookReplayParams,
    result: webhook.describe("The webhook."),
    errors: ["absent", "cursor-too-old"],
    examples: [{ params: { id, from: { mc_seqno: 128 } }, result: exampleWebhook }],
  }),
};
