import { expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../server/metrics.js";

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
  const buckets = await lines('tonwire_call_duration_seconds_bucket{le="0.005",method="detectAddress"}');
  expect(buckets).toEqual(['tonwire_call_duration_seconds_bucket{le="0.005",method="detectAddress"} 2']);
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
  expect(await one.lines("tonwire_event_loop_delay_seconds{")).toHaveLength(3);
  expect(await one.lines("process_resident_memory_bytes ")).toHaveLength(1);
});
