import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceMaps } from "../../server/artifacts/source-maps.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { ExecutorThreads } from "../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../server/chain/retrace/retrace.js";
import { back, into, next, out } from "../../server/debug-adapter/moves.js";
import { type Trail, TrailBuilder } from "../../server/debug-adapter/trail.js";
import { StepPage } from "../../server/present/v3/debug-steps.js";
import { executedRun } from "../../server/present/v3/executed-run.js";
import { FrameWalk } from "../../shared/ton/debug/run-frames.js";
import { runsOfFixture } from "../helpers/chain/recorded-runs.js";
import { sized } from "../helpers/effort.js";
import { describeWithChain } from "../helpers/test-data.js";

let executor: ExecutorThreads;
beforeAll(() => {
  executor = new ExecutorThreads({ threads: 1, deadlineMs: 300_000 });
});
afterAll(() => executor.close());

describeWithChain("walks through a recorded block of mainnet", (chain) => {
  const fixture = runsOfFixture(chain);

  async function* trails(count: number): AsyncGenerator<Trail> {
    const { reader, block, accounts } = fixture!;
    const runs = new DebugRuns(new Retrace({ reader, executor }));
    const maps = new SourceMaps();
    for (const address of accounts.slice(0, count))
      for (const { transaction } of await reader.accountTransactions(block, address)) {
        const place = { address, lt: transaction.lt };
        const run = await runs.transaction(place, { force: false, withStacks: false }, {});
        const { log } = run;
        if (log.total === 0) continue;
        const walk = new FrameWalk(log, maps.of(executedRun(run), new ArtifactStore()).code);
        walk.read(log.end);
        const parts = { stack: false, fullStack: false, cells: false, source: true, frames: true };
        const page = new StepPage(log, parts, { frames: walk.finish() });
        for (let n = log.first; n < log.end; n++) page.add(n);
        const builder = new TrailBuilder(log.first);
        for (const step of page.steps) builder.add(step);
        yield builder.finish();
      }
  }

  it.skipIf(!fixture)("lead back to where they began, over calls and out of them", async () => {
    let steps = 0;
    for await (const trail of trails(sized(25, 1000))) {
      for (let n = trail.first; n < trail.end; n++, steps++) {
        const inner = into(trail, n, "instruction");
        expect(inner === undefined ? n : back(trail, inner, "instruction")).toBe(n);
        const over = next(trail, n, "instruction") ?? trail.end;
        for (let between = n + 1; between < over; between++)
          expect(trail.depth(between)).toBeGreaterThan(trail.depth(n));
        const caller = out(trail, n);
        if (caller !== undefined) expect(trail.chain(caller)).not.toContain(trail.visit(n));
        for (const visit of trail.chain(n)) {
          const { from, to } = trail.visits[visit]!;
          expect(from <= n && n < to).toBe(true);
        }
      }
    }
    expect(steps).toBe(sized(165, 11_876));
  });
});
