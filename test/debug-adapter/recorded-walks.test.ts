import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceMaps } from "../../server/artifacts/source-maps.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { ExecutorThreads } from "../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../server/chain/retrace/retrace.js";
import { back, into, next, out } from "../../server/debug-adapter/moves.js";
import { type Trail, TrailBuilder } from "../../server/debug-adapter/trail.js";
import { FrameWalk } from "../../shared/ton/debug/run-frames.js";
import { StepPage } from "../../shared/ton/present/v3/debug-steps.js";
import { executedRun } from "../../shared/ton/present/v3/executed-run.js";
import { runsOfFixture } from "../helpers/chain/recorded-runs.js";
import type { Editor, Move } from "../helpers/debug/editor.js";
import { recordedEditor } from "../helpers/debug/recorded-debugger.js";
import { sized } from "../helpers/effort.js";
import { describeWithChain } from "../helpers/test-data.js";

/** Moves on over all exceptions. */
async function walkTo(editor: Editor, command: Move, end: "end" | "entry"): Promise<void> {
  while ((await editor.move(command)).reason !== end);
}

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
        for (const step of page.steps) builder.add({ ...step, place: step });
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

  it.skipIf(!fixture)("show an editor the same machine, whichever way it came there", async () => {
    const { reader, block, accounts } = fixture!;
    const most = sized(1, 11);
    let walked = 0;
    for (const address of accounts.slice(0, sized(25, 60)))
      for (const { transaction } of await reader.accountTransactions(block, address)) {
        const editor = await recordedEditor(fixture!, executor);
        const place = { account: address.toRaw(), lt: String(transaction.lt) };
        const launched = { transaction: place, stopOn: "entry" };
        await editor.launch(launched);
        if ((await editor.frames()).length === 0 || walked === most) continue;
        const begin = await editor.seen();
        const instruction = { granularity: "instruction" };
        await editor.move("stepIn", instruction);
        await walkTo(editor, "continue", "end");
        const end = await editor.seen();
        expect(end).not.toEqual(begin);
        for (const move of ["stepBack", "stepBack", "next"] satisfies Move[])
          await editor.move(move, instruction);
        await walkTo(editor, "reverseContinue", "entry");
        expect(await editor.seen()).toEqual(begin);
        await walkTo(editor, "continue", "end");
        expect(await editor.seen()).toEqual(end);
        walked++;
      }
    expect(walked).toBe(most);
  });
});
