import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/**
 * Metrics of the process and of its main thread: memory, processor time, event loop, heap and garbage collection, under
 * the usual names of Node programs. Returns a function that stops measuring.
 */
export function watchProcess(registers: Registry[]): () => void {
  watchMemory(registers);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time, user and system",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const stops = [watchEventLoop(registers), watchCollections(registers)];
  return () => {
    for (const stop of stops) stop();
  };
}

function watchMemory(registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss());
  gauge("nodejs_heap_size_total_bytes", "Heap of the main thread", () => process.memoryUsage().heapTotal);
  gauge(
    "nodejs_heap_size_used_bytes",
    "Heap in use by the main thread",
    () => process.memoryUsage().heapUsed,
  );
  gauge("nodejs_external_memory_bytes", "Memory outside of the heap", () => process.memoryUsage().external);
  gauge(
    "tonwire_heap_limit_bytes",
    "Size of the heap at which the process ends",
    () => getHeapStatistics().heap_size_limit,
  );
}

function watchEventLoop(registers: Registry[]): () => void {
  const resolution = 20;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  new Gauge({
    name: "tonwire_event_loop_delay_seconds",
    help: "Event-loop delay since the last scrape",
    labelNames: ["quantile"],
    registers,
    aggregator: "max",
    collect() {
      // Measured from tick to tick, so the interval itself is subtracted.
      for (const quantile of [50, 99, 100])
        this.set(
          { quantile: String(quantile / 100) },
          Math.max(0, delay.percentile(quantile) / 1e9 - resolution / 1e3),
        );
      delay.reset();
    },
  });
  return () => delay.disable();
}

const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

type Collection = { detail: { kind: number }; duration: number };

function watchCollections(registers: Registry[]): () => void {
  const durations = new Histogram({
    name: "nodejs_gc_duration_seconds",
    help: "Garbage collections of the main thread, by kind",
    labelNames: ["kind"],
    buckets: [0.001, 0.01, 0.1, 1],
    registers,
  });
  for (const kind of Object.values(kinds)) durations.zero({ kind });
  const observer = new PerformanceObserver((list) => {
    // The types lack `detail`, which entries of this type have.
    for (const { detail, duration } of list.getEntries() as unknown as Collection[]) {
      durations.observe({ kind: kinds[detail.kind] ?? "other" }, duration / 1000);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}
