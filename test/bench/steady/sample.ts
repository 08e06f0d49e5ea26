import { filesAndThreads } from "../../helpers/services/processes.js";
import type { SteadyService } from "./service.js";

const mb = 2 ** 20;

/** Megabytes, seconds and milliseconds. */
export type Sample = {
  /** By `performance.now`. */
  at: number;
  cpuSeconds: number;
  /** Memory of the whole process; heap and external memory are of the thread that serves. */
  resident: number;
  heapUsed: number;
  heap: number;
  external: number;
  files: number;
  threads: number;
  /** Delay of the event loop since the sample before: the 99th percentile, and the longest. */
  lag: number;
  mostLag: number;
};

export async function sampleOf({ server, adminUrl }: SteadyService): Promise<Sample> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const read = (name: string, labels = "") =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name}${labels} `))
        ?.split(" ")[1],
    );
  const lag = "tonwire_event_loop_delay_seconds";
  return {
    at: performance.now(),
    cpuSeconds: read("process_cpu_seconds_total"),
    resident: read("process_resident_memory_bytes") / mb,
    heapUsed: read("nodejs_heap_size_used_bytes") / mb,
    heap: read("nodejs_heap_size_total_bytes") / mb,
    external: read("nodejs_external_memory_bytes") / mb,
    ...filesAndThreads(server.pid!),
    lag: 1000 * read(lag, '{quantile="0.99"}'),
    mostLag: 1000 * read(lag, '{quantile="1"}'),
  };
}
