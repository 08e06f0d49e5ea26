import { Counter, Gauge, type Metric, type Registry } from "prom-client";
import type { HealthReport } from "./health.js";
import { countersOf, gaugesOf, gaugesPer } from "./metric-makers.js";

/** Metrics of all liteservers; `ageSec` is the age of their newest block. */
export type LiteserversNumbers = {
  head: { ageSec: number } | undefined;
  servers: readonly LiteserverNumbers[];
};

/** Metrics of a liteserver, labelled by its public key. */
type LiteserverNumbers = {
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

/** Requests to the network that a devnet forks. */
export type ForkNumbers = {
  requests: number;
  failures: number;
  cached: number;
  durationMs: number;
  waiting: number;
  isFull: boolean;
};

/** The accounts whose contracts are recognised later. */
export type QueueNumbers = { length: number; oldestSec: number };

/** Gaps of the index, and the masterchain blocks that are missing in them. */
export type GapNumbers = { count: number; blocks: number };

const indexRoles = ["writer", "standby", "stopped", "reader"] as const;

/** What a process does for the index. `standby` waits to become the writer; `stopped` gave up after a final error. */
export type IndexRole = (typeof indexRoles)[number];

/** Progress of the index. */
export type IndexNumbers = {
  seqno: number;
  chainSeqno: number;
  lagSec: number | undefined;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

/** The processes that answer calls. */
export type WorkerNumbers = { ready: number; restarts: number };

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

/** The webhooks that a process delivers, and for how long events of one have been waiting. */
export type WebhookNumbers = { webhooks: number; behindSec: number };

/** Progress of the backfill over all planned ranges. */
export type BackfillNumbers = {
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

export function watchWorkers(registers: Registry[], numbers: () => WorkerNumbers): void {
  new Gauge({
    name: "tonwire_processes",
    help: "Processes of this service that answer calls",
    registers,
    collect() {
      this.set(numbers().ready);
    },
  });
  countersOf("processes", registers, numbers)(
    "restarts",
    "Starts of a process in place of one that had ended",
    ({ restarts }) => restarts,
  );
}

export function watchHealth(registers: Registry[], parts: () => HealthReport["parts"]): void {
  new Gauge({
    name: "tonwire_answers",
    help: "1 while the calls of a part are answered: v2 (the chain), v3 (the index), writes",
    labelNames: ["part"],
    registers,
    aggregator: "min",
    collect() {
      this.reset();
      for (const [part, reason] of parts()) this.set({ part }, Number(reason === undefined));
    },
  });
}

export function watchFork(registers: Registry[], origin: () => ForkNumbers | undefined): void {
  const none: ForkNumbers = { requests: 0, failures: 0, cached: 0, durationMs: 0, waiting: 0, isFull: false };
  const counter = countersOf("fork", registers, () => origin() ?? none);
  counter("requests", "Requests to the network that the devnet forks", ({ requests }) => requests);
  counter("failures", "Requests to it that failed", ({ failures }) => failures);
  counter("cached", "Answers about it from the cache", ({ cached }) => cached);
  counter("request_seconds", "Duration of all requests to it", ({ durationMs }) => durationMs / 1000);
  const gauge = gaugesOf("fork", registers, origin);
  gauge("waiting", "Requests to it that wait for an answer", ({ waiting }) => waiting);
  gauge("cache_full", "Whether the file of its answers has no room for more", ({ isFull }) => Number(isFull));
}

export function watchVersions(registers: Registry[], versions: () => VersionNumbers): void {
  const gauge = gaugesOf("global_version", registers, versions);
  gauge("executor", "Newest global version whose rules the executor knows", ({ executor }) => executor);
  gauge("network", "Global version of the network", ({ network }) => network);
}

export function watchIndex(registers: Registry[], progress: () => IndexNumbers | undefined): void {
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

export function watchRole(registers: Registry[], role: () => IndexRole | undefined): void {
  const roles = () => {
    const own = role();
    return own === undefined ? [] : indexRoles.map((each) => [each, each === own] as const);
  };
  gaugesPer(
    "index",
    "role",
    registers,
    roles,
    "sum",
  )("role", "1 for what the process does for the index, 0 for the other roles", Number);
}

export function watchBackfill(registers: Registry[], progress: () => BackfillNumbers | undefined): void {
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

export function watchGaps(registers: Registry[], gaps: () => GapNumbers | undefined): void {
  const gauge = gaugesOf("index", registers, gaps);
  gauge("gaps", "Gaps between masterchain blocks of the index", ({ count }) => count);
  gauge("gap_blocks", "Masterchain blocks that are missing in the gaps", ({ blocks }) => blocks);
}

export function watchQueue(registers: Registry[], queue: () => QueueNumbers | undefined): void {
  const gauge = gaugesOf("recognition", registers, queue);
  gauge("queued_accounts", "Accounts whose contracts are recognised later", ({ length }) => length);
  gauge("oldest_queued_seconds", "Age of the oldest of these accounts", ({ oldestSec }) => oldestSec);
}

export function watchWebhooks(registers: Registry[], numbers: () => WebhookNumbers): void {
  gaugesOf(
    "webhooks",
    registers,
    numbers,
    "sum",
  )(
    "delivered",
    "Webhooks that are not paused, by the process that delivers them",
    ({ webhooks }) => webhooks,
  );
  gaugesOf("webhooks", registers, numbers)(
    "behind_seconds",
    "For how long the events of the slowest webhook have been waiting for their delivery",
    ({ behindSec }) => behindSec,
  );
}

export function watchStreams(registry: Registry, numbers: () => StreamNumbers): void {
  const registers = [registry];
  const gauge = gaugesOf("streams", registers, numbers, "sum");
  gauge("connections", "Connections with streams", ({ connections }) => connections);
  gauge("subscriptions", "Subscriptions", ({ subscriptions }) => subscriptions);
  gauge("accounts", "Watched accounts", ({ accounts }) => accounts);
  gauge("lagging", "Subscriptions that are behind the newest block", ({ lagging }) => lagging);
  const counter = countersOf("streams", registers, numbers);
  counter("resumes", "Subscriptions that began in the past", ({ resumes }) => resumes);
  counter("resumed_blocks", "Blocks read for one subscription", ({ resumedUnits }) => resumedUnits);
  counter("dropped", "Events left out that were not final", ({ dropped }) => dropped);
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

export function watchLiteservers(registers: Registry[], status: () => LiteserversNumbers): void {
  const servers = () => status().servers;
  gaugesOf("head", registers, () => status().head)(
    "age_seconds",
    "Seconds since the newest masterchain block of the liteservers was made",
    ({ ageSec }) => ageSec,
  );
  const gauge = gaugesPer("liteserver", "key", registers, () =>
    servers().map((server) => [server.key, server] as const),
  );
  gauge("alive", "1 while the liteserver is used", ({ state }) => (state === "alive" ? 1 : 0));
  gauge("head", "Seqno of the newest masterchain block", ({ head }) => head);
  gauge("lag_blocks", "Blocks behind the best liteserver", ({ lag }) => lag);
  gauge("oldest", "Seqno of the oldest masterchain block available", ({ oldest }) => oldest);
  gauge("latency_seconds", "Average latency", ({ latencyMs }) => latencyMs / 1000);
  gauge("in_flight", "Requests in flight", ({ inFlight }) => inFlight);
  const counter = (name: string, help: string, value: (server: LiteserverNumbers) => number) =>
    new Counter({
      name: `tonwire_liteserver_${name}_total`,
      help,
      labelNames: ["key"],
      registers,
      collect() {
        this.reset();
        for (const server of servers()) this.inc({ key: server.key }, value(server));
      },
    });
  counter("answers", "Requests answered", ({ answers }) => answers);
  counter("hedges", "Slow requests hedged to another liteserver", ({ hedges }) => hedges);
  new Counter({
    name: "tonwire_liteserver_errors_total",
    help: "Failed requests, by error code of the liteserver or kind of connection error",
    labelNames: ["key", "error"],
    registers,
    collect() {
      this.reset();
      for (const { key, errors } of servers())
        for (const [error, count] of Object.entries(errors)) this.inc({ key, error }, count);
    },
  });
}
