import type { Handlers } from "../../../shared/methods/define.js";
import type { hourlyMethods } from "../../../shared/methods/v3/hourly.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { readHourTotals } from "../../store/queries/blocks/hour-totals.js";

export const hourlyHandlers: Handlers<typeof hourlyMethods, Pick<IndexDeps, "index">> = {
  hourlyTotals: ({ hours }, { index }, call) =>
    index.read(call, async (queries) => ({ hours: await readHourTotals(queries, hours) })),
};
