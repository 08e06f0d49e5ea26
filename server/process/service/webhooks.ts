import type { Access } from "../../access/access.js";
import { streamLimits } from "../../access/limits/plan.js";
import { networkList } from "../../config/kinds.js";
import { internet } from "../../metadata/network.js";
import type { Hub } from "../../stream/hub.js";
import { Targets } from "../../stream/webhooks/targets.js";
import { type WebhookLimits, Webhooks } from "../../stream/webhooks/webhooks.js";
import { WebhookWorker } from "../../stream/webhooks/worker.js";
import type { Context } from "../context/context.js";
import { logFailure } from "../failure-log.js";
import type { IndexPart } from "../index/index-part.js";

/** Time for the answer of a receiver. */
const defaultAttemptMs = 15_000;

type Parts = {
  hub: Hub;
  indexing: Pick<IndexPart, "onDatabase">;
  keys: Pick<Access, "planOf" | "onRevoked">;
};

/** Lets keys have webhooks, and delivers them as soon as there is a database. */
export function openWebhooks(context: Context, { hub, indexing, keys }: Parts): Webhooks {
  const { config, closers, log, metrics, now, clock, random, randomBytes } = context;
  const { metadataNetwork: network = internet, webhookAttemptMs: attemptMs = defaultAttemptMs } = context;
  const targets = new Targets({
    isDevnet: config.network === "devnet",
    networks: config.webhookNetworks && networkList(config.webhookNetworks),
  });
  const limitsOf = (keyId: string): WebhookLimits | undefined => {
    const plan = keys.planOf(keyId);
    return plan && streamLimits(plan);
  };
  const worker = new WebhookWorker({
    hub,
    posting: { network, targets, timeoutMs: attemptMs },
    deliveriesOf: (keyId) => limitsOf(keyId)?.deliveries,
    every: (ms, work) => clock.every(ms, work),
    now,
    random,
    onAttempt: ({ failure }) => metrics.webhookAttempted(failure === null ? "ok" : "failed"),
    onError: (error) => logFailure(log, error, { failed: "webhooks cannot be delivered" }),
  });
  const webhooks = new Webhooks({
    hub,
    waiters: worker.waiters,
    limitsOf,
    targets,
    attemptMs,
    now,
    randomText: (bytes) => Buffer.from(randomBytes(bytes)).toString("base64url"),
  });
  metrics.watchWebhooks(() => ({ webhooks: worker.size, behindSec: worker.behindMs / 1000 }));
  indexing.onDatabase((database) => {
    webhooks.connect(database.sql({ connections: 2 }));
    worker.start(database);
  });
  closers.add(
    keys.onRevoked(() => worker.look()),
    (stop) => stop(),
  );
  closers.add(worker, (each) => each.close());
  return webhooks;
}
