import { Counter, Gauge, type Metric, Registry } from "prom-client";
import { CallTally } from "./call-tally.js";
import { CallerTally } from "./caller-tally.js";
import { type DatabaseNumbers, watchDatabase } from "./database-metrics.js";
import { watchDisk } from "./disk-metrics.js";
import type { Fallback, FallbackReason } from "./fallback.js";
import type { CallReport } from "./log.js";
import {
  type BackfillNumbers,
  type GapNumbers,
  type IndexNumbers,
  type LiteserversNumbers,
  type QueueNumbers,
  type StreamNumbers,
  type VersionNumbers,
  watchBackfill,
  watchGaps,
  watchIndex,
  watchLiteservers,
  watchQueue,
  watchStreams,
  watchVersions,
} from "./part-metrics.js";
import { watchProcess } from "./process-metrics.js";

/** Metrics of one service instance; services in the same process are counted separately. */
export interface Metrics {
  /** Counts a call that was answered or refused. Names outside the registry count as `unknown`. */
  called(report: Pick<CallReport, "method" | "durationMs" | "code" | "plan" | "keyId">): void;
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
  /** Adds the space on the disk of the data folder, read at each scrape. */
  watchDisk(folder: string, fallback: Fallback): void;
  /** Adds metrics of liteservers, read at each scrape. */
  watchLiteservers(status: () => LiteserversNumbers): void;
  /** Adds metrics of the index, read at each scrape. */
  watchIndex(progress: () => IndexNumbers | undefined): void;
  /** Adds metrics of the backfill, read at each scrape. */
  watchBackfill(progress: () => BackfillNumbers | undefined): void;
  /** Adds metrics of the blocks that the index lacks between others, read at each scrape. */
  watchGaps(gaps: () => GapNumbers | undefined): void;
  /** Adds metrics of the accounts whose contracts are recognised later, read at each scrape. */
  watchQueue(queue: () => QueueNumbers | undefined): void;
  /** Adds the global versions of executor and network, read at each scrape. */
  watchVersions(versions: () => VersionNumbers): void;
  /** Adds metrics of streams, read at each scrape. */
  watchStreams(numbers: () => StreamNumbers): void;
  /** Adds metrics of the database, read at each scrape. */
  watchDatabase(numbers: () => DatabaseNumbers): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  close(): void;
}

const latencyBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics. Only names in `methods` become label values, so that callers cannot create new series. */
export function createMetrics(methods: ReadonlySet<string>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new CallTally(latencyBuckets);
  new Counter({
    name: "tonwire_calls_total",
    help: "Calls by method and outcome (ok or an error code)",
    labelNames: ["method", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { labels, value } of calls.counts()) this.inc(labels, value);
    },
  });
  registerLatency(registry, calls);
  const callers = new CallerTally();
  new Counter({
    name: "tonwire_caller_calls_total",
    help: "Calls by plan, key id (empty without a key) and outcome: ok, refused for a limit, failed, or other",
    labelNames: ["plan", "key", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { labels, value } of callers.counts()) this.inc(labels, value);
    },
  });
  const refusals = new Counter({
    name: "tonwire_limiter_refusals_total",
    help: "Calls refused by the limiter, by plan",
    labelNames: ["plan"],
    registers,
  });
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
  });
  const fetches = new Counter({
    name: "tonwire_metadata_fetches_total",
    help: "Tries to fetch metadata of tokens, by outcome (ok or the kind of failure)",
    labelNames: ["outcome"],
    registers,
  });
  const webhookAttempts = new Counter({
    name: "tonwire_webhook_attempts_total",
    help: "Attempts to deliver events to webhooks, by outcome (ok or failed)",
    labelNames: ["outcome"],
    registers,
  });
  const looks = new Counter({
    name: "tonwire_index_validator_looks_total",
    help: "Reads of the validators' state that the chain could not answer: missed, made_up at a later block, or given_up",
    labelNames: ["outcome"],
    registers,
  });
  const fallbacks = new Counter({
    name: "tonwire_fallbacks_total",
    help: "Failures that the program went on without, with a worse result, by reason",
    labelNames: ["reason"],
    registers,
  });
  const redis = new Gauge({
    name: "tonwire_shared_limits",
    help: "1 while limits are shared through Redis, 0 while they are local",
    registers,
  });
  // Absent without Redis.
  redis.remove();
  const sockets = new Gauge({
    name: "tonwire_websocket_connections",
    help: "Open WebSocket connections",
    registers,
  });
  const stopWatching = watchProcess(registers);

  return {
    called({ method, durationMs, code, plan, keyId }) {
      const known = methods.has(method) ? method : "unknown";
      calls.add(known, code ?? "ok", durationMs / 1000);
      if (plan !== undefined) callers.add(plan, keyId, code);
    },
    refused: (plan, points) => refusals.inc({ plan }, points),
    cacheRead(outcome) {
      cacheReads[outcome]++;
    },
    keysReloaded(outcome) {
      reloads.inc({ outcome });
      outdatedKeys.set(outcome === "failed" ? 1 : 0);
    },
    metadataFetched: (outcome) => fetches.inc({ outcome }),
    webhookAttempted: (outcome) => webhookAttempts.inc({ outcome }),
    validatorsLooked: (outcome) => looks.inc({ outcome }),
    fellBack: (reason) => fallbacks.inc({ reason }),
    sharedLimits: (connected) => redis.set(connected ? 1 : 0),
    connections: (open) => sockets.set(open),
    watchDisk: (folder, fallback) => watchDisk(registers, folder, fallback),
    watchLiteservers: (status) => watchLiteservers(registers, status),
    watchIndex: (progress) => watchIndex(registers, progress),
    watchBackfill: (progress) => watchBackfill(registers, progress),
    watchGaps: (gaps) => watchGaps(registers, gaps),
    watchQueue: (queue) => watchQueue(registers, queue),
    watchVersions: (versions) => watchVersions(registers, versions),
    watchStreams: (numbers) => watchStreams(registry, numbers),
    watchDatabase: (numbers) => watchDatabase(registers, numbers),
    text: () => registry.metrics(),
    close: stopWatching,
  };
}

/** prom-client has no histogram for precomputed counts, but accepts any metric with a `get` function. */
function registerLatency(registry: Registry, calls: CallTally): void {
  const name = "tonwire_call_duration_seconds";
  const head = { name, help: "Time from dispatch to answer", type: "histogram", aggregator: "sum" };
  registry.registerMetric({
    ...head,
    get: async () => ({ ...head, values: calls.histogram(name) }),
  } as unknown as Metric);
}
