import type { AdminSources } from "../../http/admin.js";
import { combinedHealth, failureOf, type HealthReport } from "../../observe/health.js";
import { combinedText } from "../../observe/metrics.js";
import type { Context } from "../context/context.js";
import { openAdminPort } from "../service/admin-endpoint.js";
import type { ProcessReport } from "../service/service.js";
import type { Slot } from "./slot.js";

/** How long a report is waited for, and the other processes are reported without it. */
const reportMs = 3000;

type Reported = { slot: Slot; report: ProcessReport | undefined };

/** Opens the operator's endpoint of all processes. Returns its URL; `undefined` if it is disabled. */
export function openWorkersAdmin(
  context: Context,
  slots: readonly Slot[],
  usage: NonNullable<AdminSources["usage"]>,
): Promise<string | undefined> {
  const { health, metrics } = context;
  const reports = () => Promise.all(slots.map(reported));
  metrics.watchWorkers(() => ({
    ready: slots.filter(({ worker }) => worker?.isReady).length,
    restarts: slots.reduce((sum, { restarts }) => sum + restarts, 0),
  }));
  return openAdminPort(context, {
    metrics: {
      async text() {
        const ofWorkers = (await reports()).flatMap(({ report }) => (report ? [report.metrics] : []));
        return combinedText([await metrics.data(), ...ofWorkers]);
      },
    },
    status: async () => statusOf(await reports()),
    usage,
    health: {
      get report() {
        return health.refusal === undefined ? reports().then(healthOf) : health.report;
      },
    },
  });
}

async function reported(slot: Slot): Promise<Reported> {
  const { worker } = slot;
  const report = worker?.isReady ? await worker.askWithin(reportMs, "report", undefined) : undefined;
  return { slot, report };
}

/** The status that all processes share, as the first of them reports it, and the state of each. */
function statusOf(all: readonly Reported[]): Record<string, unknown> {
  const common = all.find(({ report }) => report)?.report?.status ?? { state: "starting" };
  return {
    ...common,
    processes: all.map(({ slot, report }) => ({
      process: slot.number,
      pid: slot.worker?.pid ?? null,
      state: report?.phase ?? (slot.worker?.isReady ? "silent" : "starting"),
      restarts: slot.restarts,
      connections: slot.worker?.connections ?? 0,
      failure: (report && failureOf(report.health, "all", "operator")) ?? null,
    })),
  };
}

/** A process that is being replaced gets no calls, so the others count. */
function healthOf(all: readonly Reported[]): HealthReport {
  const reports = all.flatMap(({ report }) => report?.health ?? []);
  const combined = combinedHealth(reports);
  return reports.length > 0 ? combined : { ...combined, refusal: "no process answers calls" };
}
