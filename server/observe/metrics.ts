import { AggregatorRegistry, Registry } from "prom-client";
import { type CallCount, callMetrics } from "./call-metrics.js";
import { type DatabaseNumbers, watchDatabase } from "./database-metrics.js";
import { watchDisk } from "./disk-metrics.js";
import { type EventMetrics, eventMetrics } from "./event-metrics.js";
import type { Fallback } from "./fallback.js";
import type { HealthReport } from "./health.js";
import { type KeyNumbers, watchKeys } from "./key-metrics.js";
import {
  type BackfillNumbers,
  type ForkNumbers,
  type GapNumbers,
  type IndexNumbers,
  type IndexRole,
  type LiteserversNumbers,
  type QueueNumbers,
  type StreamNumbers,
  type VersionNumbers,
  type WebhookNumbers,
  type WorkerNumbers,
  watchBackfill,
  watchFork,
  watchGaps,
  watchHealth,
  watchIndex,
  watchLiteservers,
  watchQueue,
  watchRole,
  watchStreams,
  watchVersions,
  watchWebhooks,
  watchWorkers,
} from "./part-metrics.js";
import { watchProcess } from "./process-metrics.js";

/** Metrics of a process as data. */
export type MetricsData = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The metrics of several processes as one, in the Prometheus text format: each metric says how it is combined. */
export function combinedText(processes: readonly MetricsData[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}

/** Metrics of one service instance; services in the same process are counted separately. */
export interface Metrics extends EventMetrics {
  /** Counts a call that was answered or refused. Names outside the registry count as `unknown`. */
  called(report: CallCount): void;
  /** Adds the space on the disk of the data folder, read at each scrape. */
  watchDisk(folder: string, fallback: Fallback): void;
  /** Adds metrics of liteservers, read at each scrape. */
  watchLiteservers(status: () => LiteserversNumbers): void;
  /** Adds metrics of the index, read at each scrape. */
  watchIndex(progress: () => IndexNumbers | undefined): void;
  /** Adds what the process does for the index, read at each scrape. */
  watchRole(role: () => IndexRole | undefined): void;
  /** Adds metrics of the backfill, read at each scrape. */
  watchBackfill(progress: () => BackfillNumbers | undefined): void;
  /** Adds metrics of the blocks that the index lacks between others, read at each scrape. */
  watchGaps(gaps: () => GapNumbers | undefined): void;
  /** Adds metrics of the accounts whose contracts are recognised later, read at each scrape. */
  watchQueue(queue: () => QueueNumbers | undefined): void;
  /** Adds metrics of the requests to the network that a devnet forks, read at each scrape. */
  watchFork(origin: () => ForkNumbers | undefined): void;
  /** Adds the global versions of executor and network, read at each scrape. */
  watchVersions(versions: () => VersionNumbers): void;
  /** Adds what keys have used in this month, read at each scrape. */
  watchKeys(use: () => readonly (readonly [key: string, use: KeyNumbers])[]): void;
  /** Adds metrics of the processes that answer calls, read at each scrape. */
  watchWorkers(numbers: () => WorkerNumbers): void;
  /** Adds which parts of the calls are answered, read at each scrape. */
  watchHealth(parts: () => HealthReport["parts"]): void;
  /** Adds metrics of streams, read at each scrape. */
  watchStreams(numbers: () => StreamNumbers): void;
  /** Adds metrics of webhooks, read at each scrape. */
  watchWebhooks(numbers: () => WebhookNumbers): void;
  /** Adds metrics of the database, read at each scrape. */
  watchDatabase(numbers: () => DatabaseNumbers): void;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  /** All metrics as data, to be added to those of other processes. */
  data(): Promise<MetricsData>;
  close(): void;
}

/** Creates the metrics. Only names in `methods` become label values, so that callers cannot create new series. */
export function createMetrics(methods: ReadonlySet<string>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const called = callMetrics(registry, methods);
  const events = eventMetrics(registers);
  const stopWatching = watchProcess(registers);
  return {
    called,
    ...events,
    watchDisk: (folder, fallback) => watchDisk(registers, folder, fallback),
    watchLiteservers: (status) => watchLiteservers(registers, status),
    watchIndex: (progress) => watchIndex(registers, progress),
    watchRole: (role) => watchRole(registers, role),
    watchBackfill: (progress) => watchBackfill(registers, progress),
    watchGaps: (gaps) => watchGaps(registers, gaps),
    watchQueue: (queue) => watchQueue(registers, queue),
    watchFork: (origin) => watchFork(registers, origin),
    watchVersions: (versions) => watchVersions(registers, versions),
    watchKeys: (use) => watchKeys(registers, use),
    watchWorkers: (numbers) => watchWorkers(registers, numbers),
    watchHealth: (parts) => watchHealth(registers, parts),
    watchStreams: (numbers) => watchStreams(registry, numbers),
    watchWebhooks: (numbers) => watchWebhooks(registers, numbers),
    watchDatabase: (numbers) => watchDatabase(registers, numbers),
    text: () => registry.metrics(),
    data: () => registry.getMetricsAsJSON(),
    close: stopWatching,
  };
}
