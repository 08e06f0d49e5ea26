import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../server/observe/metrics.js";
import { noFallback, recordedFallback } from "../helpers/no-fallback.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

function metricsOf(...methods: string[]) {
  const metrics = createMetrics(new Set(methods));
  onTestFinished(() => metrics.close());
  const lines = async (start: string) =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith(start));
  return { metrics, lines };
}

it("calls are counted by method and outcome, their time by method", async () => {
  const { metrics, lines } = metricsOf("detectAddress", "detectHash");
  metrics.called({ method: "detectAddress", durationMs: 3 });
  metrics.called({ method: "detectAddress", durationMs: 30 });
  metrics.called({ method: "detectAddress", durationMs: 1, code: "invalid-params" });
  metrics.called({ method: "detectHash", durationMs: 1, code: "rate-limited" });
  expect(await lines("tonwire_calls_total")).toEqual([
    'tonwire_calls_total{method="detectAddress",outcome="ok"} 2',
    'tonwire_calls_total{method="detectAddress",outcome="invalid-params"} 1',
    'tonwire_calls_total{method="detectHash",outcome="rate-limited"} 1',
  ]);
  const series = (rest: string) => `tonwire_call_duration_seconds${rest}`;
  const bucket = (le: string, count: number) => series(`_bucket{le="${le}",method="detectAddress"} ${count}`);
  const durations = await lines("tonwire_call_duration_seconds");
  expect(durations.filter((line) => line.includes("detectAddress"))).toEqual([
    bucket("0.001", 1),
    bucket("0.005", 2),
    bucket("0.02", 2),
    bucket("0.05", 3),
    ...["0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf"].map((le) => bucket(le, 3)),
    series('_sum{method="detectAddress"} 0.034'),
    series('_count{method="detectAddress"} 3'),
  ]);
  expect(await lines("# TYPE tonwire_call")).toEqual([
    "# TYPE tonwire_calls_total counter",
    "# TYPE tonwire_call_duration_seconds histogram",
    "# TYPE tonwire_caller_calls_total counter",
  ]);
});

it("calls are counted by plan, key and kind of outcome", async () => {
  const { metrics, lines } = metricsOf("a");
  const call = { method: "a", durationMs: 1 };
  for (const code of [undefined, "rate-limited", "timeout", "invalid-params", "absent"] as const)
    metrics.called({ ...call, plan: "standard", keyId: "k1", ...(code && { code }) });
  metrics.called({ ...call, plan: "anonymous" });
  metrics.called(call);
  expect(await lines("tonwire_caller_calls_total{")).toEqual([
    'tonwire_caller_calls_total{plan="standard",key="k1",outcome="ok"} 1',
    'tonwire_caller_calls_total{plan="standard",key="k1",outcome="refused"} 1',
    'tonwire_caller_calls_total{plan="standard",key="k1",outcome="failed"} 1',
    'tonwire_caller_calls_total{plan="standard",key="k1",outcome="other"} 2',
    'tonwire_caller_calls_total{plan="anonymous",key="",outcome="ok"} 1',
  ]);
});

it("keys beyond the first 500 are counted together", async () => {
  const { metrics, lines } = metricsOf("a");
  for (let i = 0; i < 700; i++)
    metrics.called({ method: "a", durationMs: 1, plan: "standard", keyId: `k${i}` });
  const counted = await lines("tonwire_caller_calls_total{");
  expect(counted).toHaveLength(501);
  expect(counted.at(-1)).toBe('tonwire_caller_calls_total{plan="other",key="other",outcome="ok"} 200');
});

it("the connections and tables of a database are shown, and counted figures are counters", async () => {
  const { metrics, lines } = metricsOf("a");
  metrics.watchDatabase(() => ({
    connections: { open: 5, idle: 3, waiting: 1, waits: 20, waitedSec: 0.5 },
    tables: [
      { table: "blocks", bytes: 8192, rows: 7, deadRows: 2, nodes: [] },
      { table: "traces", bytes: 12288, rows: 1, deadRows: 0, nodes: [{ node: "node-1:5432", bytes: 4096 }] },
    ],
    hearsNotifications: true,
    isForbidden: true,
    lostNotifications: 4,
    hasBus: true,
    standbys: [{ name: "one:5432", state: "behind", lagMs: 2500, connections: 3, hedges: 6 }],
  }));
  expect(await lines("tonwire_bus_connected")).toEqual(["tonwire_bus_connected 1"]);
  expect(await lines("tonwire_database_")).toEqual([
    'tonwire_database_connections{state="idle"} 3',
    'tonwire_database_connections{state="busy"} 2',
    "tonwire_database_waiting 1",
    "tonwire_database_waits_total 20",
    "tonwire_database_wait_seconds_total 0.5",
    "tonwire_database_notifies 1",
    "tonwire_database_forbidden 1",
    "tonwire_database_lost_notifications_total 4",
    'tonwire_database_standby_used{standby="one:5432"} 0',
    'tonwire_database_standby_lag_seconds{standby="one:5432"} 2.5',
    'tonwire_database_standby_connections{standby="one:5432"} 3',
    "tonwire_database_hedges_total 6",
    'tonwire_database_table_bytes{table="blocks"} 8192',
    'tonwire_database_table_bytes{table="traces"} 12288',
    'tonwire_database_table_rows{table="blocks"} 7',
    'tonwire_database_table_rows{table="traces"} 1',
    'tonwire_database_table_dead_rows{table="blocks"} 2',
    'tonwire_database_table_dead_rows{table="traces"} 0',
    'tonwire_database_node_bytes{node="node-1:5432",table="traces"} 4096',
  ]);
  const types = (await lines("# TYPE ")).map((line) => line.split(" ").slice(2));
  for (const [name, type] of types)
    expect([name, name!.endsWith("_total")]).toEqual([name, type === "counter"]);
});

it("names that callers make up share one label value", async () => {
  const { metrics, lines } = metricsOf("detectAddress");
  for (let i = 0; i < 100; i++)
    metrics.called({ method: `made-up-${i}`, durationMs: 0, code: "unknown-method" });
  metrics.called({ method: "toString", durationMs: 0, code: "unknown-method" });
  expect(await lines("tonwire_calls_total")).toEqual([
    'tonwire_calls_total{method="unknown",outcome="unknown-method"} 101',
  ]);
});

it("two services count apart, and the process is watched", async () => {
  const [one, two] = [metricsOf("a"), metricsOf("a")];
  one.metrics.called({ method: "a", durationMs: 1 });
  one.metrics.cacheRead("hit");
  expect(await two.lines("tonwire_calls_total{")).toEqual([]);
  expect(await one.lines("tonwire_cache_reads_total{")).toEqual([
    'tonwire_cache_reads_total{outcome="hit"} 1',
  ]);
  // Nothing is measured yet, and the interval between two ticks is not a delay.
  expect(await one.lines("tonwire_event_loop_delay_seconds{")).toEqual([
    'tonwire_event_loop_delay_seconds{quantile="0.5"} 0',
    'tonwire_event_loop_delay_seconds{quantile="0.99"} 0',
    'tonwire_event_loop_delay_seconds{quantile="1"} 0',
  ]);
  expect(await one.lines("process_resident_memory_bytes ")).toHaveLength(1);
});

it("numbers that are not known are absent", async () => {
  const { metrics, lines } = metricsOf("a");
  let known = false;
  const progress = { seqno: 5, chainSeqno: 7, lagSec: 3, blocksPerSec: 1, remainingSec: undefined };
  metrics.watchIndex(() => (known ? progress : undefined));
  expect(await lines("tonwire_index_")).toEqual([]);
  known = true;
  expect(await lines("tonwire_index_lag_seconds")).toEqual(["tonwire_index_lag_seconds 3"]);
  known = false;
  expect(await lines("tonwire_index_")).toEqual([]);
});

it("garbage collections are counted by kind, with their time", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { lines } = metricsOf("a");
  const count = 'nodejs_gc_duration_seconds_count{kind="major"} ';
  const counted = async () => Number((await lines(count))[0]?.slice(count.length));
  expect(await counted()).toBe(0);
  await until("a collection to be counted", async () => {
    collect();
    return (await counted()) > 0;
  });
  expect((await lines("nodejs_gc_duration_seconds_sum")).length).toBe(4);
});

it("a disk whose size cannot be read is reported", async () => {
  const { metrics, lines } = metricsOf("a");
  const { fallback, failures } = recordedFallback();
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  metrics.watchDisk(join(file, "in-a-file"), fallback);
  expect(await lines("tonwire_data_disk_bytes ")).toEqual([]);
  expect(failures[0]).toEqual(["disk-size", expect.objectContaining({ code: "ENOTDIR" })]);
});

it("the heap and the disk of the data folder are measured", async () => {
  const { metrics, lines } = metricsOf("a");
  const folder = temporaryFolder();
  metrics.watchDisk(join(folder, "later"), noFallback);
  expect(await lines("tonwire_data_disk_free_bytes ")).toEqual([]);
  mkdirSync(join(folder, "later"));
  const read = async (name: string) => Number((await lines(`${name} `))[0]?.split(" ")[1]);
  expect(await read("tonwire_data_disk_free_bytes")).toBeGreaterThan(0);
  expect(await read("tonwire_data_disk_bytes")).toBeGreaterThan(await read("tonwire_data_disk_free_bytes"));
  expect(await read("nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000);
  expect(await read("tonwire_heap_limit_bytes")).toBeGreaterThan(await read("nodejs_heap_size_used_bytes"));
});
