import type { DebugRunRecord } from "../schema/v3/debug.js";

/** The step at which a run failed: where its code ended, or where it ordered the action that failed. */
export function failedStep({
  outcome,
  actions,
}: Pick<DebugRunRecord, "outcome" | "actions">): number | undefined {
  return outcome.step ?? actions.find((action) => action.outcome === "failed")?.step ?? undefined;
}
