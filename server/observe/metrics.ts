import { Counter, Gauge, type Metric, Registry } from "prom-client";
import { CallTally } from "./call-tally.js";
import { watchDisk } from "./disk-metrics.js";
import type { CallReport } from "./log.js";
import { watchProcess } from "./process-metrics.js";

/** Metrics of one service instance; services in the same process are counted separately. */
export interface Metrics {
  /** Counts a call that was answered or refused. Names outside the registry count as `unknown`. */
  called(report: Pick<CallReport, "method" | "durationMs" | "code">): void;
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
  /** Sets whether rate limits are shared through Redis. */
  sharedLimits(connected: boolean): void;
  /** Sets the number of open WebSocket connections. */
  connections(open: number): void;
  /** Adds the space on the disk of the data folder, read at each scrape. */
  watchDisk(folder: string): void;
  /** Adds metrics of liteservers, read at each scrape. */
  watchLiteservers(status: () => LiteserversNumbers): void;
  /** Adds metrics of the index, read at each scrape. */
  watchIndex(progress: () => IndexNumbers | undefined): void;
  /** Adds metrics of the backfill, read at each scrape. */
  watchBackfill(progress: () => BackfillNumbers | undefined): void;
  /** Adds metrics of the accounts whose contracts are recognised later, read at each scrape. */
  watchQueue(queue: () => QueueNumbers | undefined): void;
  /** Adds the global versions of executor and network, read at each scrape. */
  watchVersions(versions: () => VersionNumbers): void;
  /** Adds metrics of streams, read at each scrape. */
  watchStreams(numbers: () => StreamNumbers): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  close(): void;
}

/** Metrics of all liteservers; `ageSec` is the age of their newest block. */
export type LiteserversNumbers = {
  head: { ageSec: number } | undefined;
  servers: readonly LiteserverNumbers[];
};

/** Metrics of a liteserver, labelled by its public key. */
export type LiteserverNumbers = {
  key: string;
  state: string;
  head: number | undefined;
  lag: number | undefined;
  oldest: number | undefined;
  latencyMs: number;
  inFlight: number;
  answers: number;
  hedges: number;
  errors: Readonly<Record<string, number>>;
};

/** Global versions of TON; undefined while they are not known. */
export type VersionNumbers = { executor: number | undefined; network: number | undefined };

/** The accounts whose contracts are recognised later. */
export type QueueNumbers = { length: number; oldestSec: number };

/** Progress of the index. */
export type IndexNumbers = {
  seqno: number;
  chainSeqno: number;
  lagSec: number | undefined;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

/** Streams that are open, and what was sent over them. */
export type StreamNumbers = {
  connections: number;
  subscriptions: number;
  accounts: number;
  lagging: number;
  resumes: number;
  resumedUnits: number;
  dropped: number;
  events: readonly { kind: string; finality: string; count: number }[];
  /** Seconds from a block to its events; counts are of all at most as late. */
  delay: { buckets: readonly { le: number; count: number }[]; sum: number; count: number };
};

/** Progress of the backfill over all planned ranges. */
export type BackfillNumbers = {
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

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
  const redis = new Gauge({
    name: "tonwire_shared_limits",
    help: "1 while limits are shared through Redis, 0 while they are local",
    registers,
  });
  const sockets = new Gauge({
    name: "tonwire_websocket_connections",
    help: "Open WebSocket connections",
    registers,
  });
  const stopWatching = watchProcess(registers);

  return {
    called({ method, durationMs, code }) {
      const known = methods.has(method) ? method : "unknown";
      calls.add(known, code ?? "ok", durationMs / 1000);
    },
    refused: (plan, points) => refusals.inc({ plan }, points),
    cacheRead(outcome) {
      cacheReads[outcome]++;
    },
    keysReloaded: (outcome) => reloads.inc({ outcome }),
    metadataFetched: (outcome) => fetches.inc({ outcome }),
    webhookAttempted: (outcome) => webhookAttempts.inc({ outcome }),
    validatorsLooked: (outcome) => looks.inc({ outcome }),
    sharedLimits: (connected) => redis.set(connected ? 1 : 0),
    connections: (open) => sockets.set(open),
    watchDisk: (folder) => watchDisk(registers, folder),
    watchLiteservers: (status) => watchLiteservers(registers, status),
    watchIndex: (progress) => watchIndex(registers, progress),
    watchBackfill: (progress) => watchBackfill(registers, progress),
    watchQueue: (queue) => watchQueue(registers, queue),
    watchVersions: (versions) => watchVersions(registers, versions),
    watchStreams: (numbers) => watchStreams(registry, numbers),
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

function watchVersions(registers: Registry[], versions: () => VersionNumbers): void {
  const gauge = gaugesOf("global_version", registers, versions);
  gauge("executor", "Newest global version whose rules the executor knows", ({ executor }) => executor);
  gauge("network", "Global version of the network", ({ network }) => network);
}

function watchIndex(registers: Registry[], progress: () => IndexNumbers | undefined): void {
  const gauge = gaugesOf("index", registers, progress);
  gauge("seqno", "Seqno of the newest masterchain block in the index", ({ seqno }) => seqno);
  gauge("chain_seqno", "Seqno of the newest masterchain block of the chain", ({ chainSeqno }) => chainSeqno);
  gauge("lag_seconds", "Seconds the index is behind the chain", ({ lagSec }) => lagSec);
  gauge("blocks_per_second", "Masterchain blocks stored per second", ({ blocksPerSec }) => blocksPerSec);
  gauge(
    "remaining_seconds",
    "Estimated time until the index has caught up",
    ({ remainingSec }) => remainingSec,
  );
}

function watchBackfill(registers: Registry[], progress: () => BackfillNumbers | undefined): void {
  const gauge = gaugesOf("backfill", registers, progress);
  gauge("blocks", "Masterchain blocks planned for the backfill", ({ blocks }) => blocks);
  gauge("missing_blocks", "Planned blocks that are not stored yet", ({ missing }) => missing);
  gauge("blocks_per_second", "Planned blocks stored per second, by all workers", (each) => each.blocksPerSec);
  gauge(
    "remaining_seconds",
    "Estimated time until all planned blocks are stored",
    ({ remainingSec }) => remainingSec,
  );
}

function watchQueue(registers: Registry[], queue: () => QueueNumbers | undefined): void {
  const gauge = gaugesOf("recognition", registers, queue);
  gauge("queued_accounts", "Accounts whose contracts are recognised later", ({ length }) => length);
  gauge("oldest_queued_seconds", "Age of the oldest of these accounts", ({ oldestSec }) => oldestSec);
}

function watchStreams(registry: Registry, numbers: () => StreamNumbers): void {
  const registers = [registry];
  const gauge = gaugesOf("streams", registers, numbers);
  gauge("connections", "Connections with streams", ({ connections }) => connections);
  gauge("subscriptions", "Subscriptions", ({ subscriptions }) => subscriptions);
  gauge("accounts", "Accounts that somebody watches", ({ accounts }) => accounts);
  gauge("lagging", "Subscriptions that are behind the newest block", ({ lagging }) => lagging);
  gauge("resumes_total", "Subscriptions that began in the past", ({ resumes }) => resumes);
  gauge("resumed_blocks_total", "Blocks read for one subscription", ({ resumedUnits }) => resumedUnits);
  gauge("dropped_total", "Events left out that were not final", ({ dropped }) => dropped);
  new Counter({
    name: "tonwire_streams_events_total",
    help: "Events sent, by kind and finality",
    labelNames: ["kind", "finality"],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of numbers().events) this.inc(labels, count);
    },
  });
  const name = "tonwire_streams_delay_seconds";
  const head = { name, help: "Time from a block to its events", type: "histogram", aggregator: "sum" };
  const values = () => {
    const { buckets, sum, count } = numbers().delay;
    const bucket = (le: number | "+Inf", value: number) => ({
      metricName: `${name}_bucket`,
      labels: { le },
      value,
    });
    return [
      ...buckets.map(({ le, count: value }) => bucket(le, value)),
      bucket("+Inf", count),
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  };
  registry.registerMetric({ ...head, get: async () => ({ ...head, values: values() }) } as unknown as Metric);
}

/** Creates gauges whose numbers may not be available yet. */
function gaugesOf<Numbers>(part: string, registers: Registry[], read: () => Numbers | undefined) {
  return (name: string, help: string, value: (numbers: Numbers) => number | undefined) =>
    new Gauge({
      name: `tonwire_${part}_${name}`,
      help,
      registers,
      collect() {
        // Resetting a gauge without labels would make it 0.
        this.remove();
        const numbers = read();
        const shown = numbers && value(numbers);
        if (shown !== undefined) this.set(shown);
      },
    });
}

function watchLiteservers(registers: Registry[], status: () => LiteserversNumbers): void {
  const servers = () => status().servers;
  gaugesOf("head", registers, () => status().head)(
    "age_seconds",
    "Seconds since the newest masterchain block of the liteservers was made",
    ({ ageSec }) => ageSec,
  );
  const gauge = (name: string, help: string, value: (server: LiteserverNumbers) => number | undefined) =>
    new Gauge({
      name: `tonwire_liteserver_${name}`,
      help,
      labelNames: ["key"],
      registers,
      collect() {
        this.reset();
        for (const server of servers()) {
          const shown = value(server);
          if (shown !== undefined) this.set({ key: server.key }, shown);
        }
      },
    });
  gauge("alive", "1 while the liteserver is used", ({ state }) => (state === "alive" ? 1 : 0));
  gauge("head", "Seqno of the newest masterchain block", ({ head }) => head);
  gauge("lag_blocks", "Blocks behind the best liteserver", ({ lag }) => lag);
  gauge("oldest", "Seqno of the oldest masterchain block available", ({ oldest }) => oldest);
  gauge("latency_seconds", "Average latency", ({ latencyMs }) => latencyMs / 1000);
  gauge("in_flight", "Requests in flight", ({ inFlight }) => inFlight);
  gauge("answers_total", "Requests answered", ({ answers }) => answers);
  gauge("hedges_total", "Slow requests hedged to another liteserver", ({ hedges }) => hedges);
  new Gauge({
    name: "tonwire_liteserver_errors_total",
    help: "Failed requests, by error code of the liteserver or kind of connection error",
    labelNames: ["key", "error"],
    registers,
    collect() {
      this.reset();
      for (const { key, errors } of servers())
        for (const [error, count] of Object.entries(errors)) this.set({ key, error }, count);
    },
  });
}
