import type { z } from "zod";
import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { webhookMethods } from "../../../shared/methods/v3/webhooks.js";
import type {
  webhookCreateParams,
  webhookDeliveriesParams,
  webhookReplayParams,
  webhookUpdateParams,
} from "../../../shared/schema/streams/webhook-params.js";
import type {
  createdWebhook,
  Webhook,
  WebhookAttempt,
} from "../../../shared/schema/streams/webhook-records.js";
import { ServiceError } from "../../errors.js";
import { ownerIn } from "../owner.js";

/** The caller who sets the URL of a webhook. */
type Creator = { readonly owner: string; readonly isLocal: () => Promise<boolean> };

/** Webhook management per API key. */
interface WebhookControls {
  create(
    creator: Creator,
    params: z.output<typeof webhookCreateParams>,
    actionsVersion: string | undefined,
  ): Promise<z.output<typeof createdWebhook>>;
  list(owner: string): Promise<Webhook[]>;
  update(
    creator: Creator,
    params: z.output<typeof webhookUpdateParams>,
  ): Promise<z.output<typeof createdWebhook>>;
  delete(owner: string, id: string): Promise<boolean>;
  deliveries(owner: string, params: z.output<typeof webhookDeliveriesParams>): Promise<WebhookAttempt[]>;
  replay(owner: string, params: z.output<typeof webhookReplayParams>): Promise<Webhook>;
}

/** `webhooks` is absent without an index. */
export type WebhookDeps = { webhooks?: WebhookControls | undefined };

export const webhookHandlers: Handlers<typeof webhookMethods, WebhookDeps> = {
  create: (params, deps, call) =>
    controlsIn(deps).create(creatorIn(call), params, call.options.actionsVersion),
  list: async (_, deps, call) => ({ webhooks: await controlsIn(deps).list(ownerIn(call)) }),
  update: (params, deps, call) => controlsIn(deps).update(creatorIn(call), params),
  delete: ({ id }, deps, call) => controlsIn(deps).delete(ownerIn(call), id),
  deliveries: async (params, deps, call) => ({
    deliveries: await controlsIn(deps).deliveries(ownerIn(call), params),
  }),
  replay: (params, deps, call) => controlsIn(deps).replay(ownerIn(call), params),
};

function controlsIn({ webhooks }: WebhookDeps): WebhookControls {
  if (!webhooks) throw new ServiceError("unknown-method", "this service has no index", { status: 404 });
  return webhooks;
}

function creatorIn(call: Call): Creator {
  return { owner: ownerIn(call), isLocal: call.isLocal ?? (async () => false) };
}
