import {
  accountIn,
  initIn,
  lastError,
  type PlainRun,
  presentCode,
  presentMessage,
  presentParts,
  presentTransactionRun,
  storageOf,
} from "../../../shared/ton/present/v3/debug-run.js";
import type { DebugRun, MethodDebugRun, RefusedRun } from "../../../shared/ton/run/debug-run.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { explainExitCode, notAccepted } from "../../../shared/values/exit-codes/explain.js";
import { hasSucceeded } from "../../../shared/values/exit-codes/kinds.js";
import { presentStack } from "./stack.js";

/** A run as answers have it. `executorVersion`: the newest global version whose rules the executor knows. */
export function presentRun(run: DebugRun, executorVersion: number): PlainRun {
  switch (run.kind) {
    case "transaction":
      return presentTransactionRun(run, executorVersion);
    case "refused":
      return presentRefusedRun(run, executorVersion);
    case "method":
      return presentMethodRun(run, executorVersion);
  }
}

/** What a run without a transaction lacks. */
const noTransaction = {
  transaction: null,
  lt: null,
  block: null,
  fees: null,
  actions: [],
} satisfies Partial<PlainRun>;

function presentRefusedRun(run: RefusedRun, executorVersion: number): PlainRun {
  const { message: cell, exitCode, log } = run;
  const account = accountIn(run.before);
  const message = CellOf.in(Message, cell);
  const balance = (account?.storage.balance.coins ?? 0n).toString();
  const init = initIn(account);
  const code = init?.code ?? message.value.init?.value.code;
  const hasRun = log.total > 0;
  return {
    ...presentParts(run, executorVersion),
    ...noTransaction,
    kind: "message",
    outcome: hasRun ? outcomeOf(exitCode, log, false) : skippedOutcome(code ? "no_gas" : "no_state"),
    code: hasRun ? presentCode(code) : null,
    message: presentMessage(message),
    gas: hasRun ? gasOf({ used: gasIn(log), limit: 0, credit: run.gasCredit }) : null,
    method: null,
    storage: storageOf(init?.data, init?.data),
    balance: { before: balance, after: balance },
  };
}

function presentMethodRun(run: MethodDebugRun, executorVersion: number): PlainRun {
  const { account, methodId, gasLimit, outcome, log } = run;
  const { exitCode, gasUsed, stack } = outcome;
  const balance = account.balance.toString();
  return {
    ...presentParts(run, executorVersion),
    ...noTransaction,
    kind: "get_method",
    outcome: outcomeOf(exitCode, log, hasSucceeded(exitCode)),
    code: presentCode(account.code),
    message: null,
    gas: account.code ? gasOf({ used: gasUsed, limit: gasLimit, credit: 0 }) : null,
    method: { id: methodId, stack: presentStack(stack) },
    storage: storageOf(account.data, account.data),
    balance: { before: balance, after: balance },
  };
}

function outcomeOf(exitCode: number, log: MachineLog, success: boolean): PlainRun["outcome"] {
  const hasEnded = hasSucceeded(exitCode);
  const meaning = hasEnded && !success ? notAccepted : explainExitCode({ code: exitCode });
  const last = hasEnded ? undefined : lastError(log);
  return {
    success,
    phase: success ? null : "compute",
    skipped_reason: null,
    exit_code: exitCode,
    exit_name: meaning?.name ?? null,
    exit_meaning: meaning?.text ?? null,
    thrown_by: last?.thrownBy ?? null,
    step: last?.step ?? null,
  };
}

/** No code ran. */
function skippedOutcome(reason: "no_state" | "no_gas"): PlainRun["outcome"] {
  return {
    success: false,
    phase: "compute",
    skipped_reason: reason,
    exit_code: null,
    exit_name: null,
    exit_meaning: null,
    thrown_by: null,
    step: null,
  };
}

function gasOf(gas: { used: number; limit: number; credit: number }): PlainRun["gas"] {
  return {
    used: gas.used.toString(),
    limit: gas.limit.toString(),
    credit: gas.credit.toString(),
    fixed: false,
  };
}

function gasIn(log: MachineLog): number {
  let gas = 0;
  for (let n = log.first; n < log.end; n++) gas += log.at(n).gas ?? 0;
  return gas;
}
