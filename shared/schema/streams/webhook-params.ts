import { z } from "zod";
import { Fault, input, unreadable } from "../input.js";
import { matching } from "../patterns.js";
import { bool, page, readStorableText } from "../v3/params.js";
import { change, filtersOfKind, from, selection, word } from "./subscription-params.js";

/** Kinds of subscriptions without an end. */
export const webhookKinds = ["blocks", "transactions", "actions", "traces", "accounts", "jettons"] as const;

const maxUrl = 2048;
const secretLengths = { least: 16, most: 256 };

const url = input<string, string>(matching("https?://[!-~]{1,2040}", maxUrl), (given) =>
  typeof given === "string" && /^https?:\/\/[!-~]+$/.test(given) ? given : unreadable,
).describe("Where events are delivered, by POST: an HTTPS URL of a public host, on port 443 or 80.");

const secret = input<string, string>(
  matching(`[!-~]{${secretLengths.least},${secretLengths.most}}`, secretLengths.most),
  (given) => {
    if (typeof given !== "string") return unreadable;
    const { least, most } = secretLengths;
    return given.length >= least && given.length <= most && /^[!-~]*$/.test(given)
      ? given
      : new Fault("range", (name) => `${name} must have ${least} to ${most} printable ASCII characters`);
  },
);

const webhookId = input<string, string>(matching("wh_[A-Za-z0-9_-]{1,64}"), (given) =>
  given === "" ? unreadable : readStorableText(given),
).describe("Id of the webhook.");

const place = from.describe(
  "A cursor, or the first masterchain block at or after a seqno, a logical time or a unix time.",
);

/** Parameters of `v3.webhooks.create`. */
export const webhookCreateParams = z
  .object({
    url,
    kind: word(webhookKinds).describe("Kind of the records."),
    ...selection,
    from: place.optional(),
    secret: secret.optional().describe("Signs deliveries. Default: a random one."),
  })
  .check(filtersOfKind);

/** Parameters of `v3.webhooks.update`. */
export const webhookUpdateParams = z.object({
  id: webhookId,
  url: url.optional(),
  add: change("Entries to add to the lists of the webhook."),
  remove: change("Entries to remove. Unknown ones are ignored."),
  secret: secret
    .optional()
    .describe("Signs deliveries from now on; the secret before it does so too for a day."),
  new_secret: bool.optional().describe("Whether to make a random secret, as if `secret` had it."),
  paused: bool
    .optional()
    .describe("Whether deliveries stop; `false` resumes them after the last delivered event."),
});

/** Parameters of `v3.webhooks.delete`. */
export const webhookDeleteParams = z.object({ id: webhookId });

/** Parameters of `v3.webhooks.deliveries`. */
export const webhookDeliveriesParams = z.object({ id: webhookId, ...page({ initial: 10, max: 100 }) });

/** Parameters of `v3.webhooks.replay`. */
export const webhookReplayParams = z.object({ id: webhookId, from: place });
