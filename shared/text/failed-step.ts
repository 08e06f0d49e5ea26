import type { DebugRunRecord } from "../schema/v3/debug.js";

/** The step at which a run failed: where its code ended, or where it ordered the action that failed or was left out. */
export function failedStep({
  outcome,
  actions,
}: Pick<DebugRunRecord, "outcome" | "actions">): number | undefined {
  const ordered = outcome.phase === "action" ? actions.find(isUnperformed)?.step : undefined;
  return outcome.step ?? ordered ?? undefined;
}

/** Whether an action failed, or was left out because it would have. */
export function isUnperformed({ outcome }: Pick<DebugRunRecord["actions"][number], "outcome">): boolean {
  return outcome === "failed" || outcome === "skipped";
}
