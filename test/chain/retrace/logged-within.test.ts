import { expect, it } from "vitest";
import { ExecutorError } from "../../../server/chain/executor/executor-error.js";
import { isTooDear } from "../../../server/chain/retrace/debug-runs.js";
import { loggedWithin } from "../../../shared/ton/run/debug-run.js";
import type { LogDetail } from "../../../shared/ton/run/method-request.js";

/** A run that takes too long with more than this of a log. */
function slowWith(details: readonly LogDetail[], tried: LogDetail[] = []) {
  const run = async (log: LogDetail) => {
    tried.push(log);
    if (details.includes(log)) throw ExecutorError.stopped(3000);
    return log;
  };
  return { run, tried };
}

it("A run that takes too long with its log is made with less of it, and at last without", async () => {
  const { run, tried } = slowWith(["stack", "gas", "quiet"]);
  expect(await loggedWithin({ withStacks: true, isTooDear }, run)).toEqual({ result: "none", isLost: true });
  expect(tried).toEqual(["stack", "gas", "quiet", "none"]);
  expect(await loggedWithin({ withStacks: true, isTooDear }, slowWith(["stack"]).run)).toEqual({
    result: "gas",
    isLost: false,
  });
  expect(await loggedWithin({ withStacks: false, isTooDear }, slowWith(["gas"]).run)).toEqual({
    result: "quiet",
    isLost: false,
  });
  expect(await loggedWithin({ withStacks: false, isTooDear }, slowWith([]).run)).toEqual({
    result: "gas",
    isLost: false,
  });
});

it("A run fails that takes too long without a log, or fails for another reason", async () => {
  const all = slowWith(["gas", "quiet", "none"]);
  await expect(loggedWithin({ withStacks: false, isTooDear }, all.run)).rejects.toMatchObject({
    code: "timeout",
  });
  const busy = ExecutorError.busy(5);
  await expect(loggedWithin({ withStacks: true, isTooDear }, () => Promise.reject(busy))).rejects.toBe(busy);
});
