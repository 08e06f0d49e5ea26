import type { Statement } from "../database.js";

/** How statements of a snapshot are planned: for their values or once for all, and whether rows may be sorted. */
const planModes = {
  each: { plan_cache_mode: "force_custom_plan", enable_sort: "on" },
  eachInOrder: { plan_cache_mode: "force_custom_plan", enable_sort: "off" },
  once: { plan_cache_mode: "force_generic_plan", enable_sort: "on" },
  inOrder: { plan_cache_mode: "force_generic_plan", enable_sort: "off" },
} as const;
export type PlanMode = keyof typeof planModes;

export function planModeOf({ isPlannedOnce = false, isInOrder = false }: Statement): PlanMode {
  if (!isPlannedOnce) return isInOrder ? "eachInOrder" : "each";
  return isInOrder ? "inOrder" : "once";
}

/**
 * Snapshots look for few rows: other pages cost no more than the next one, compiling takes longer than running, and rows of a
 * page seldom need the same row of another table, so results are not kept for the next one.
 */
const ofSnapshots = { random_page_cost: "1.1", jit: "off", enable_memoize: "off" };

/** SQL that sets the plan mode of a snapshot that begins. Further columns can follow. */
export function beginMode(mode: PlanMode): string {
  return setLocal({ ...ofSnapshots, ...planModes[mode] });
}

/** The same for one that has begun. */
export function changeMode(mode: PlanMode): string {
  return setLocal(planModes[mode]);
}

function setLocal(settings: Readonly<Record<string, string>>): string {
  const columns = Object.entries(settings).map(([name, value]) => localSetting(name, value));
  return `select ${columns.join(", ")}`;
}

/** A column that sets a value until the end of the transaction. */
export function localSetting(name: string, value: string): string {
  return `set_config('${name}', '${value}', true)`;
}
