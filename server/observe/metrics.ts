import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Metric, Registry } from "prom-client";
import { CallTally } from "./call-tally.js";
import type { CallReport } from "./log.js";

/** Counters of one service instance; two services in one process do not mix. */
export interface Metrics {
  /** A call was answered or refused. Names that are no method count as `unknown`. */
  called(report: Pick<CallReport, "method" | "durationMs" | "code">): void;
  /** Points asked for and not granted. */
  refused(plan: string, points: number): void;
  cacheRead(outcome: "hit" | "miss" | "shared"): void;
  keysReloaded(outcome: "ok" | "failed"): void;
  /** Whether limits are shared through Redis right now. */
  sharedLimits(connected: boolean): void;
  /** WebSocket connections open now. */
  connections(open: number): void;
  /** From now on shows how each liteserver does. */
  watchLiteservers(servers: () => readonly LiteserverNumbers[]): void;
  /** From now on shows how far the index is. */
  watchIndex(progress: () => IndexNumbers | undefined): void;
  /** From now on shows how far planned ranges are filled. */
  watchBackfill(progress: () => BackfillNumbers | undefined): void;
  /** Prometheus text. */
  text(): Promise<string>;
  close(): void;
}

/** What is shown of a liteserver, under its public key. */
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

export type IndexNumbers = {
  seqno: number;
  chainSeqno: number;
  lagSec: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

export type BackfillNumbers = {
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

const latencyBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `methods` are the only names that become label values. */
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
    help: "Readings of the key store after a change",
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
    help: "WebSocket connections open now",
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
    sharedLimits: (connected) => redis.set(connected ? 1 : 0),
    connections: (open) => sockets.set(open),
    watchLiteservers: (servers) => watchLiteservers(registers, servers),
    watchIndex: (progress) => watchIndex(registers, progress),
    watchBackfill: (progress) => watchBackfill(registers, progress),
    text: () => registry.metrics(),
    close: stopWatching,
  };
}

/** prom-client has no histogram that takes finished counts; it reads anything that can `get` its samples. */
function registerLatency(registry: Registry, calls: CallTally): void {
  const name = "tonwire_call_duration_seconds";
  const head = { name, help: "Time from dispatch to answer", type: "histogram", aggregator: "sum" };
  registry.registerMetric({
    ...head,
    get: async () => ({ ...head, values: calls.histogram(name) }),
  } as unknown as Metric);
}

function watchIndex(registers: Registry[], progress: () => IndexNumbers | undefined): void {
  const gauge = gaugesOf("index", registers, progress);
  gauge("seqno", "Seqno of the newest masterchain block of the index", ({ seqno }) => seqno);
  gauge("chain_seqno", "Seqno of the newest masterchain block of the chain", ({ chainSeqno }) => chainSeqno);
  gauge("lag_seconds", "For how long blocks have been missing", ({ lagSec }) => lagSec);
  gauge("blocks_per_second", "Masterchain blocks stored per second", ({ blocksPerSec }) => blocksPerSec);
  gauge("remaining_seconds", "Time until the rest is stored", ({ remainingSec }) => remainingSec);
}

function watchBackfill(registers: Registry[], progress: () => BackfillNumbers | undefined): void {
  const gauge = gaugesOf("backfill", registers, progress);
  gauge("blocks", "Masterchain blocks planned to be filled in", ({ blocks }) => blocks);
  gauge("missing_blocks", "Those of them that are not stored yet", ({ missing }) => missing);
  gauge("blocks_per_second", "Planned blocks stored per second, by all workers", (each) => each.blocksPerSec);
  gauge("remaining_seconds", "Time until all are stored", ({ remainingSec }) => remainingSec);
}

/** Makes gauges of numbers that are there or not yet. */
function gaugesOf<Numbers>(part: string, registers: Registry[], read: () => Numbers | undefined) {
  return (name: string, help: string, value: (numbers: Numbers) => number | undefined) =>
    new Gauge({
      name: `tonwire_${part}_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        const numbers = read();
        const shown = numbers && value(numbers);
        if (shown !== undefined) this.set(shown);
      },
    });
}

function watchLiteservers(registers: Registry[], servers: () => readonly LiteserverNumbers[]): void {
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
  gauge("lag_blocks", "How many blocks the best liteserver is ahead", ({ lag }) => lag);
  gauge("oldest", "Seqno of the first masterchain block it has", ({ oldest }) => oldest);
  gauge("latency_seconds", "Average time to an answer", ({ latencyMs }) => latencyMs / 1000);
  gauge("in_flight", "Questions under way", ({ inFlight }) => inFlight);
  gauge("answers_total", "Questions answered", ({ answers }) => answers);
  gauge("hedges_total", "Questions another one was asked too, as this one was slow", ({ hedges }) => hedges);
  new Gauge({
    name: "tonwire_liteserver_errors_total",
    help: "Questions that failed, by code of the liteserver or trouble with the connection",
    labelNames: ["key", "error"],
    registers,
    collect() {
      this.reset();
      for (const { key, errors } of servers())
        for (const [error, count] of Object.entries(errors)) this.set({ key, error }, count);
    },
  });
}

/** Memory, processor time and event-loop delay since the last reading. */
function watchProcess(registers: Registry[]): () => void {
  const resolution = 20;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  new Gauge({
    name: "tonwire_event_loop_delay_seconds",
    help: "Event-loop delay since the last reading",
    labelNames: ["quantile"],
    registers,
    collect() {
      // What is measured is the time from tick to tick, of which that much is meant to be.
      for (const quantile of [50, 99, 100])
        this.set(
          { quantile: String(quantile / 100) },
          Math.max(0, delay.percentile(quantile) / 1e9 - resolution / 1e3),
        );
      delay.reset();
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "process_cpu_seconds_total",
    help: "Processor time, user and system",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.set((user + system) / 1e6);
    },
  });
  return () => delay.disable();
}
