import { expect, it } from "vitest";
import type { Outcome } from "../../../server/rpc/dispatch.js";
import { type Batch, BatchRun } from "../../../server/rpc/json-rpc/batch.js";
import { FirstEntryLimit } from "../../../server/rpc/json-rpc/first-entry-limit.js";
import { until } from "../../helpers/until.js";

type Entry = { batch: number; finish: (outcome: Outcome) => void };

/** Batches of ten entries, as many as requested, that end on the test's command. */
function startBatches(count: number) {
  const firstEntryLimit = new FirstEntryLimit();
  const entries: Entry[] = [];
  const runs = Array.from({ length: count }, (_, batch) => {
    const parts: Pick<Batch, "run" | "respond"> = {
      run: () => new Promise<Outcome>((finish) => entries.push({ batch, finish })),
      respond: (_, outcome) => ("json" in outcome ? String(outcome.json) : "refused"),
    };
    const rest = { count: 10, parallel: 4, form: "array", hasGone: () => false, firstEntryLimit } as const;
    return new BatchRun({ ...parts, ...rest, refuse: fail, allowance: fail });
  });
  const answers = runs.map(async (run) => {
    await run.collect(1_000_000);
    return run.wholeText();
  });
  return { entries, answers };
}

const fail = (): never => {
  throw new Error("short results need no room");
};

it("Batches of which no result is known start few entries, and go on as others end", async () => {
  const { entries, answers } = startBatches(100);
  expect(entries.length).toBeLessThan(100);
  expect(new Set(entries.map(({ batch }) => batch)).size).toBeGreaterThan(4);
  let ended = 0;
  await until("all entries have ended", async () => {
    for (const { finish } of entries.slice(ended)) finish({ json: "1", durationMs: 0 });
    ended = entries.length;
    return ended === 1000;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["[1,1,1,1,1,1,1,1,1,1]"]));
});

it("A batch alone starts as many entries as may run in parallel", () => {
  expect(startBatches(1).entries).toHaveLength(4);
});
