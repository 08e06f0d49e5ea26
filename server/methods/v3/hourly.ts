import type { Handlers } from "../../../shared/methods/define.js";
import type { hourlyMethods } from "../../../shared/methods/v3/hourly.js";
import type { IndexDeps } from "../../present/v3/index-deps.js";
import type { HourTotals } from "../../store/queries/blocks/hour-totals.js";

export type HourlyDeps = Pick<IndexDeps, "index"> & { hourTotals: HourTotals };

export const hourlyHandlers: Handlers<typeof hourlyMethods, HourlyDeps> = {
  hourlyTotals: ({ hours }, { index, hourTotals }, call) =>
    index.read(call, async (queries) => ({ hours: await hourTotals.read(queries, hours) })),
};
