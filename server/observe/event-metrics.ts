import { Counter, Gauge, type Registry } from "prom-client";
import type { FallbackReason } from "./fallback.js";

/** Changes the metrics of events that are no calls. */
export interface EventMetrics {
  /** Counts points refused by the rate limit. */
  refused(plan: string, points: number): void;
  cacheRead(outcome: "hit" | "miss" | "shared"): void;
  keysReloaded(outcome: "ok" | "failed"): void;
  /** Counts a try to fetch metadata; `outcome` is `ok` or one of a few kinds of failure. */
  metadataFetched(outcome: string): void;
  /** Counts an attempt to deliver to a webhook; `outcome` is `ok` or `failed`. */
  webhookAttempted(outcome: "ok" | "failed"): void;
  /** Counts a read of the validators' state that did not go as it should. */
  validatorsLooked(outcome: "missed" | "made_up" | "given_up"): void;
  /** Counts a failure that the program went on without. */
  fellBack(reason: FallbackReason): void;
  /** Sets whether rate limits are shared through Redis. */
  sharedLimits(connected: boolean): void;
  /** Sets the number of open WebSocket connections. */
  connections(open: number): void;
}

/** Adds these metrics. Returns the functions that change them. */
export function eventMetrics(registers: Registry[]): EventMetrics {
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers });
  const refusals = counter("tonwire_limiter_refusals_total", "Calls refused by the limiter, by plan", "plan");
  const cacheRead = cacheReadMetric(registers);
  const keysReloaded = keyMetrics(registers);
  const fetches = counter(
    "tonwire_metadata_fetches_total",
    "Tries to fetch metadata of tokens, by outcome (ok or the kind of failure)",
    "outcome",
  );
  const webhookAttempts = counter(
    "tonwire_webhook_attempts_total",
    "Attempts to deliver events to webhooks, by outcome (ok or failed)",
    "outcome",
  );
  const looks = counter(
    "tonwire_index_validator_looks_total",
    "Reads of the validators' state that the chain could not answer: missed, made_up at a later block, or given_up",
    "outcome",
  );
  const fallbacks = counter(
    "tonwire_fallbacks_total",
    "Failures that the program went on without, with a worse result, by reason",
    "reason",
  );
  const redis = new Gauge({
    name: "tonwire_shared_limits",
    help: "1 while limits are shared through Redis, 0 while they are local",
    registers,
    aggregator: "min",
  });
  // Absent without Redis.
  redis.remove();
  const sockets = new Gauge({
    name: "tonwire_websocket_connections",
    help: "Open WebSocket connections",
    registers,
  });
  return {
    refused: (plan, points) => refusals.inc({ plan }, points),
    cacheRead,
    keysReloaded,
    metadataFetched: (outcome) => fetches.inc({ outcome }),
    webhookAttempted: (outcome) => webhookAttempts.inc({ outcome }),
    validatorsLooked: (outcome) => looks.inc({ outcome }),
    fellBack: (reason) => fallbacks.inc({ reason }),
    sharedLimits: (connected) => redis.set(connected ? 1 : 0),
    connections: (open) => sockets.set(open),
  };
}

/** Reads of the cache are as frequent as calls, so they become samples only at a scrape. */
function cacheReadMetric(registers: Registry[]): EventMetrics["cacheRead"] {
  const cacheReads = { hit: 0, miss: 0, shared: 0 };
  new Counter({
    name: "tonwire_cache_reads_total",
    help: "Cache reads: hit, miss, or shared with an equal call in flight",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(cacheReads)) if (count > 0) this.inc({ outcome }, count);
    },
  });
  return (outcome) => {
    cacheReads[outcome]++;
  };
}

function keyMetrics(registers: Registry[]): EventMetrics["keysReloaded"] {
  const reloads = new Counter({
    name: "tonwire_keys_reloads_total",
    help: "Reloads of the key store after a change",
    labelNames: ["outcome"],
    registers,
  });
  const outdatedKeys = new Gauge({
    name: "tonwire_keys_outdated",
    help: "1 while the key store cannot be read since it changed, so that the keys before that are in use",
    registers,
    aggregator: "max",
  });
  return (outcome) => {
    reloads.inc({ outcome });
    outdatedKeys.set(outcome === "failed" ? 1 : 0);
  };
}
