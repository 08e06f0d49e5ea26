import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceMaps } from "../../../server/artifacts/source-maps.js";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import type { DebugValue } from "../../../shared/schema/v3/debug-values.js";
import { gasEntries } from "../../../shared/ton/debug/profile/formats.js";
import { type GasTree, GasTreeBuilder } from "../../../shared/ton/debug/profile/gas-tree.js";
import { type DerivedRegisters, RegisterWalk } from "../../../shared/ton/debug/registers.js";
import type { RunCode } from "../../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../../shared/ton/debug/run-frames.js";
import { ShownValues } from "../../../shared/ton/present/v3/debug-values.js";
import { type ExecutedRun, executedRun } from "../../../shared/ton/present/v3/executed-run.js";
import { parametersOf } from "../../../shared/ton/present/v3/run-parameters.js";
import type { TransactionRun } from "../../../shared/ton/run/debug-run.js";
import { isTextOf } from "../../../shared/ton/tvm/code/instructions.js";
import { readLoggedValue, splitValues } from "../../../shared/ton/tvm/logged-values.js";
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
  const parameters = parametersOf(run, executed.code);
  const walk = new RegisterWalk(run.log, { c4: executed.data, parameters });
  while (walk.read(1000));
  return walk.finish(executed);
}

/** Parameters that have an instruction of their own, by its name. */
const ownInstructions = new Map([
  ...[
    "NOW",
    "BLOCKLT",
    "LTIME",
    "RANDSEED",
    "BALANCE",
    "MYADDR",
    "CONFIGROOT",
    "MYCODE",
    "INCOMINGVALUE",
  ].map((name, at) => [name, at + 3] as const),
  ["STORAGEFEES", 12],
  ["UNPACKEDCONFIGTUPLE", 14],
  ["DUEPAYMENT", 15],
  ["INMSGPARAMS", 17],
]);

/** What instructions that read a parameter left on the stack, each with what c7 has. */
function readParameters({ log }: TransactionRun, { cells }: RunCode, registers: DerivedRegisters) {
  const read: { name: string; left: DebugValue; known: DebugValue | undefined }[] = [];
  const shown = new ShownValues(false);
  for (let n = log.first; n + 1 < log.end; n++) {
    const { at } = log.at(n);
    const { name = "", args } = (at && cells.at(at.cell, at.offset)) ?? {};
    const number = name.startsWith("GETPARAM") ? Number(args) : ownInstructions.get(name);
    if (number === undefined) continue;
    const left = readLoggedValue(splitValues(log.stackBefore(n + 1) ?? "").at(-1) ?? "");
    const known = registers.before(n).c7?.parameters?.get(number);
    read.push({ name, left: shown.present(left), known: known && shown.present(known) });
  }
  return read;
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
      const found = { runs: 0, places: 0, parameters: 0 };
      for await (const run of runsOf(fixture!, sized(25, 1000))) {
        const executed = executedRun(run);
        const { code } = maps.of(executed, new ArtifactStore());
        const { equal, different } = comparePlaces(run, code);
        expect(different).toEqual([]);
        const registers = registersOf(run, executed);
        const { c4, c5 } = registers.before(run.log.end);
        expect([c4, c5].every(Boolean)).toBe(true);
        for (const { name, left, known } of readParameters(run, code, registers)) {
          expect([name, known]).toEqual([name, left]);
          found.parameters++;
        }
        const tree = profileOf(run, code, executed.gasUsed);
        if (!executed.isFixed) expect(tree.total).toBe(executed.gasUsed);
        expect(gasEntries(tree).reduce((sum, { gas }) => sum + gas, 0)).toBe(tree.total);
        found.runs++;
        found.places += equal;
      }
      expect(found).toEqual({ runs: sized(2, 68), places: sized(158, 11438), parameters: sized(3, 84) });
    },
  );
});
