import { Cell as CoreCell } from "@ton/core";
import { Executor } from "@ton/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { factsOf, type TransactionRun } from "../../../shared/ton/run/debug-run.js";
import { type MachineLog, MachineLogReader } from "../../../shared/ton/tvm/machine-log.js";
import { runsOfFixture } from "../../helpers/chain/recorded-runs.js";
import { sized } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";

let executor: ExecutorThreads;
beforeAll(() => {
  executor = new ExecutorThreads({ threads: 1, deadlineMs: 300_000 });
});
afterAll(() => executor.close());

const base64 = (cell: Cell) => Buffer.from(serializeBoc(cell)).toString("base64");
const coreCell = (cell: Cell) => CoreCell.fromBase64(base64(cell));

/** The log of the same run by the executor of @ton/sandbox, as its package has it. */
async function peerLog(sandbox: Executor, { own, environment }: TransactionRun): Promise<MachineLog> {
  const { transaction } = own.found;
  const { result } = await sandbox.runTransaction({
    config: base64(environment.config),
    libs: environment.libraries ? coreCell(environment.libraries) : null,
    verbosity: "full_location_gas",
    shardAccount: base64(own.before),
    message: coreCell(transaction.messages.value.inMsg!.cell),
    now: environment.now,
    lt: transaction.lt,
    randomSeed: Buffer.from(environment.randSeed),
    ignoreChksig: false,
    debugEnabled: false,
  });
  if (!result.success) throw new Error(result.error);
  expect(result.transaction).toBe(base64(own.found.cell));
  const reader = new MachineLogReader(result.vmLog, factsOf(transaction));
  while (reader.read(100_000));
  return reader.finish();
}

function stepsOf(log: MachineLog) {
  return Array.from({ length: log.end - log.first }, (_, index) => log.at(log.first + index));
}

describeWithChain("runs of a recorded block of mainnet", (chain) => {
  const fixture = runsOfFixture(chain);

  it.skipIf(!fixture)("are step by step those of @ton/sandbox", async () => {
    const { reader, block, accounts } = fixture!;
    const runs = new DebugRuns(new Retrace({ reader, executor }));
    const sandbox = await Executor.create();
    let compared = 0;
    for (const address of accounts.slice(0, sized(40, 1000)))
      for (const { transaction } of await reader.accountTransactions(block, address)) {
        const place = { address, lt: transaction.lt };
        const run = await runs.transaction(place, { force: false, withStacks: false }, {});
        if (run.log.total === 0) continue;
        expect(stepsOf(await peerLog(sandbox, run))).toEqual(stepsOf(run.log));
        compared++;
      }
    expect(compared).toBeGreaterThanOrEqual(sized(7, 52));
  });
});
