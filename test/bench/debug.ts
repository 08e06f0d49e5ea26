import { Executor } from "../../server/chain/executor/executor.js";
import { Retrace } from "../../server/chain/retrace/retrace.js";
import { StepPage } from "../../shared/ton/present/v3/debug-steps.js";
import type { TransactionRequest } from "../../shared/ton/run/account-request.js";
import { computePhaseOf, factsOf } from "../../shared/ton/run/debug-run.js";
import type { LogDetail } from "../../shared/ton/run/method-request.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Transaction } from "../../shared/ton/tlb/transaction.js";
import { type LogFacts, type MachineLog, MachineLogReader } from "../../shared/ton/tvm/machine-log.js";
import type { Address } from "../../shared/values/address.js";
import { runsOfFixture } from "../helpers/chain/recorded-runs.js";
import { sized } from "../helpers/effort.js";
import { testData } from "../helpers/test-data.js";
import { transaction } from "./executor/requests.js";
import type { Row, Suite } from "./harness.js";

/** Steps of a page, and of the longest run that is kept. */
const pageLength = 200;
const manySteps = sized(20_000, 200_000);

export const suite: Suite = {
  title: "Debugging (baseline: the same transactions without a log; of a page, reading the whole log)",
  async rows() {
    const executor = await Executor.create();
    return [walletRow(executor), ...recordedRows(executor), pageRow()];
  },
  report: async () => memoryReport(),
};

function read(log: string, facts: LogFacts): MachineLog {
  const reader = new MachineLogReader(log, facts);
  while (reader.read(1 << 20));
  return reader.finish();
}

function runAndRead(executor: Executor, request: TransactionRequest, log: LogDetail): void {
  const result = executor.runTransaction({ ...request, log });
  if (result.outcome !== "done") throw new Error("the transaction was not made");
  if (log !== "none") read(result.vmLog, factsOf(decode(Transaction, result.transaction)));
}

function walletRow(executor: Executor): Row {
  return {
    title: "transaction of a wallet, with the gas of its steps",
    ours: () => void runAndRead(executor, transaction, "gas"),
    baseline: () => void runAndRead(executor, transaction, "none"),
    goal: { floor: 0.2, aim: 1 / 3 },
  };
}

/** Transactions of a block of mainnet. */
function recordedRows(executor: Executor): Row[] {
  const { chain } = testData();
  const recorded = chain && runsOfFixture(chain);
  if (!recorded) return [];
  const { reader, block, accounts } = recorded;
  const retrace = new Retrace({
    reader,
    executor: {
      runTransaction: async (request) => Object.assign(executor.runTransaction(request), { cpuMs: 0 }),
      runTickTock: async (request) => Object.assign(executor.runTickTock(request), { cpuMs: 0 }),
    },
  });
  const some = accounts.slice(0, sized(3, 40));
  const retraceAll = (log: LogDetail) => async () => {
    let runs = 0;
    for (const address of some) runs += await retraceOne(retrace, { block, address }, log);
    return runs;
  };
  const row = (title: string, log: LogDetail, goal?: Row["goal"]): Row => ({
    title,
    ours: retraceAll(log),
    baseline: retraceAll("none"),
    ...(goal && { goal }),
  });
  return [
    row("retraced transactions of mainnet, with the gas of their steps", "gas", { floor: 0.2, aim: 1 / 3 }),
    row("retraced transactions of mainnet, with the stack at each step", "stack"),
  ];
}

async function retraceOne(
  retrace: Retrace,
  place: { block: Parameters<Retrace["block"]>[0]["block"]; address: Address },
  log: LogDetail,
): Promise<number> {
  const { transactions } = await retrace.block(place, { log });
  const { found, result } = transactions.at(-1)!;
  if (log !== "none" && computePhaseOf(found.transaction))
    read(result?.vmLog ?? "", factsOf(found.transaction));
  return transactions.length;
}

/** A log as a loop writes it. */
function loopLog(steps: number): string {
  const lines: string[] = [];
  const cell = "AB".repeat(32);
  for (let n = 0; n < steps; n++)
    lines.push(
      `code cell hash: ${cell} offset: ${(n % 40) * 8}`,
      `execute ${n % 3 === 0 ? "PUSHINT 5" : n % 3 === 1 ? "ADD" : "DROP"}`,
      `gas remaining: ${10_000_000 - n * 18}`,
    );
  return `${lines.join("\n")}\n`;
}

const factsOfLoop = (steps: number): LogFacts => ({ steps, gas: 10_000_018, gasUsed: undefined });

function pageRow(): Row {
  const steps = sized(2000, 20_000);
  const text = loopLog(steps);
  const log = read(text, factsOfLoop(steps));
  return {
    title: `first page of ${steps} steps`,
    ours: () => {
      const page = new StepPage(log, { stack: false, fullStack: false, cells: false });
      for (let n = 0; n < pageLength; n++) page.add(n);
      JSON.stringify(page.steps);
      return 1;
    },
    baseline: () => void read(text, factsOfLoop(steps)),
  };
}

function memoryReport(): string {
  const log = read(loopLog(manySteps), factsOfLoop(manySteps));
  const bytes = log.bytes / 1024 / 1024;
  return `${log.end - log.first} steps without stacks take ${bytes.toFixed(1)} MiB: ${(log.bytes / manySteps).toFixed(0)} bytes each`;
}
