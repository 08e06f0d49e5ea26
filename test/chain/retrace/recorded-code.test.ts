import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceMaps } from "../../../server/artifacts/source-maps.js";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns, type TransactionRun } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { type ExecutedRun, executedRun } from "../../../server/present/v3/executed-run.js";
import { gasEntries } from "../../../shared/ton/debug/profile/formats.js";
import { type GasTree, GasTreeBuilder } from "../../../shared/ton/debug/profile/gas-tree.js";
import { RegisterWalk } from "../../../shared/ton/debug/registers.js";
import type { RunCode } from "../../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../../shared/ton/debug/run-frames.js";
import { isTextOf } from "../../../shared/ton/tvm/code/instructions.js";
import { type RecordedRuns, runsOfFixture } from "../../helpers/chain/recorded-runs.js";
import { sized } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";

let executor: ExecutorThreads;
beforeAll(() => {
  executor = new ExecutorThreads({ threads: 1, deadlineMs: 300_000 });
});
afterAll(() => executor.close());

/** The runs of the accounts with code among the first ones, with stacks. */
async function* runsOf(
  { reader, block, accounts }: RecordedRuns,
  count: number,
): AsyncGenerator<TransactionRun> {
  const runs = new DebugRuns(new Retrace({ reader, executor }));
  for (const address of accounts.slice(0, count))
    for (const { transaction } of await reader.accountTransactions(block, address)) {
      const place = { address, lt: transaction.lt };
      const run = await runs.transaction(place, { force: false, withStacks: true }, {});
      if (run.log.total > 0) yield run;
    }
}

/** Steps whose instruction the code has at their place; others are differences. */
function comparePlaces({ log }: TransactionRun, { cells }: RunCode): { equal: number; different: unknown[] } {
  const different: unknown[] = [];
  let equal = 0;
  for (let n = log.first; n < log.end; n++) {
    const { at, text } = log.at(n);
    if (!at || text === undefined) continue;
    const instruction = cells.at(at.cell, at.offset);
    if (instruction && isTextOf(text, instruction)) equal++;
    else different.push({ at, text, instruction });
  }
  return { equal, different };
}

function registersOf(run: TransactionRun, executed: ExecutedRun) {
  const walk = new RegisterWalk(run.log, { c4: executed.data });
  while (walk.read(1000));
  return walk.finish(executed).before(run.log.end);
}

function profileOf({ log }: TransactionRun, code: RunCode, gasUsed: number | undefined): GasTree {
  const walk = new FrameWalk(log, code);
  while (walk.read(1000));
  const tree = new GasTreeBuilder("function");
  const add = tree.adding({ name: "run", log, code, frames: walk.finish(), gasUsed });
  while (add(1000));
  return tree.finish();
}

describeWithChain("the codes of a recorded block of mainnet", (chain) => {
  const fixture = runsOfFixture(chain);

  it.skipIf(!fixture)(
    "have the instructions of all steps, lead to the registers that the chain has, and use its gas",
    async () => {
      const maps = new SourceMaps();
      const found = { runs: 0, places: 0 };
      for await (const run of runsOf(fixture!, sized(25, 1000))) {
        const executed = executedRun(run);
        const { code } = maps.of(executed, new ArtifactStore());
        const { equal, different } = comparePlaces(run, code);
        expect(different).toEqual([]);
        const { c4, c5 } = registersOf(run, executed);
        expect([c4, c5].every(Boolean)).toBe(true);
        const tree = profileOf(run, code, executed.gasUsed);
        if (!executed.isFixed) expect(tree.total).toBe(executed.gasUsed);
        expect(gasEntries(tree).reduce((sum, { gas }) => sum + gas, 0)).toBe(tree.total);
        found.runs++;
        found.places += equal;
      }
      expect(found).toEqual({ runs: sized(2, 68), places: sized(158, 11438) });
    },
  );
});
