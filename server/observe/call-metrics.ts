import { Counter, type Metric, type Registry } from "prom-client";
import { CallTally, type Sample } from "./call-tally.js";
import { CallerTally } from "./caller-tally.js";
import type { CallReport } from "./log.js";

const latencyBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds metrics of calls. Returns the function that counts a call; names that are not in `methods` count as `unknown`. */
export function callMetrics(registry: Registry, methods: ReadonlySet<string>) {
  const calls = new CallTally(latencyBuckets);
  registerCounts(registry, calls, {
    name: "tonwire_calls_total",
    help: "Calls by method and outcome (ok or an error code)",
    labelNames: ["method", "outcome"],
  });
  registerLatency(registry, calls);
  const callers = new CallerTally();
  registerCounts(registry, callers, {
    name: "tonwire_caller_calls_total",
    help: "Calls by plan, key id (empty without a key) and outcome: ok, refused for a limit, failed, or other",
    labelNames: ["plan", "key", "outcome"],
  });
  return ({ method, durationMs, code, plan, keyId }: CallCount): void => {
    const known = methods.has(method) ? method : "unknown";
    calls.add(known, code ?? "ok", durationMs / 1000);
    if (plan !== undefined) callers.add(plan, keyId, code);
  };
}

/** Members of a call's report that the metrics use. */
export type CallCount = Pick<CallReport, "method" | "durationMs" | "code" | "plan" | "keyId">;

/** Adds a counter of what a tally has at a scrape. */
function registerCounts(
  registry: Registry,
  tally: { counts(): Sample[] },
  head: { name: string; help: string; labelNames: string[] },
): void {
  new Counter({
    ...head,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of tally.counts()) this.inc(labels, value);
    },
  });
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
