import { setTimeout as wait } from "node:timers/promises";
import { itemAt } from "../../shared/values/lookups.js";
import { ServiceError } from "../errors.js";

type FaultOptions = {
  latencyMs: number;
  /** Share of calls that fail, 0 to 1. */
  failRate: number;
  random: () => number;
};

/** Errors that every method documents and that do not depend on the call. */
const failures = ["timeout", "unavailable"] as const;

/** Delays calls and lets some fail, so that people see how their programs take it. `undefined` if it would do neither. */
export function createFaultInjection({
  latencyMs,
  failRate,
  random,
}: FaultOptions): (() => Promise<void>) | undefined {
  if (latencyMs === 0 && failRate === 0) return undefined;
  return async () => {
    if (latencyMs > 0) await wait(latencyMs);
    if (random() >= failRate) return;
    const code = itemAt(failures, Math.floor(random() * failures.length));
    throw new ServiceError(code, "this call fails because of --fail-rate");
  };
}
