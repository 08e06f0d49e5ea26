import type { Cell } from "../../cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../cells/dictionaries/dictionary.js";
import { libraryHash } from "../../run/code-libraries.js";
import { computePhaseOf, type DebugRun, isFixed, type TransactionRun } from "../../run/debug-run.js";
import { CellOf } from "../../tlb/cell-of.js";
import { Message } from "../../tlb/message.js";
import { accountIn, executedInit, initIn } from "./debug-run.js";

/** A code whose sources are looked for. */
export type AskedCode = {
  readonly code: Cell | undefined;
  /** Raw, upper case. */
  readonly account: string | undefined;
  /** Root of the dictionary of libraries. */
  readonly libraries: Cell | undefined;
};

/** Finds the code that a library cell of a run stands for. */
export function libraryFinder({ libraries }: Pick<AskedCode, "libraries">): (cell: Cell) => Cell | undefined {
  const known = libraries && Dictionary.loadDirect(libraries, bytesKey(32), cellRef);
  return (cell) => known?.get(libraryHash(cell));
}

/** What the machine began and ended with in a run. */
export type ExecutedRun = AskedCode & {
  /** The contract's data before it. */
  readonly data: Cell | undefined;
  /** Its data after it, whether or not they are the run's. */
  readonly dataAfter: Cell | undefined;
  /** Hash of its data after it; absent if the run's data do not count, or the account has none. */
  readonly dataHash: Uint8Array | undefined;
  readonly actionsHash: Uint8Array | undefined;
  /** Whether its gas is not the sum of its steps. */
  readonly isFixed: boolean;
  /** Gas that it used, if that is known besides its steps. */
  readonly gasUsed: number | undefined;
  /** All that it could take code from. */
  readonly given: readonly Cell[];
};

const withoutTransaction = { dataHash: undefined, actionsHash: undefined, isFixed: false } as const;

export function executedRun(run: DebugRun): ExecutedRun {
  const { config, libraries } = run.environment;
  const common = { account: run.address.toRawUpper(), libraries };
  const given = [config, ...(libraries ? [libraries] : []), ...broughtTo(run)];
  switch (run.kind) {
    case "transaction":
      return { ...common, ...executedTransaction(run), given };
    case "refused": {
      const init = initIn(accountIn(run.before)) ?? CellOf.in(Message, run.message).value.init?.value;
      return {
        ...common,
        ...withoutTransaction,
        code: init?.code,
        data: init?.data,
        dataAfter: init?.data,
        gasUsed: undefined,
        given,
      };
    }
    case "method": {
      const { code, data } = run.account;
      const { gasUsed } = run.outcome;
      return { ...common, ...withoutTransaction, code, data, dataAfter: data, gasUsed, given };
    }
  }
}

function executedTransaction({ own }: TransactionRun): Omit<ExecutedRun, "account" | "libraries" | "given"> {
  const { transaction } = own.found;
  const compute = computePhaseOf(transaction);
  const description = transaction.description.value;
  const phase = "action" in description ? description.action?.value : undefined;
  const init = executedInit(transaction, accountIn(own.before));
  const after = initIn(accountIn(own.result?.shardAccount))?.data;
  const hasFixedGas = compute !== undefined && isFixed(compute);
  return {
    code: init?.code,
    data: init?.data,
    dataAfter: after,
    dataHash: phase?.success ? after?.hash() : undefined,
    actionsHash: phase?.actionListHash,
    isFixed: hasFixedGas,
    gasUsed: compute && !hasFixedGas ? Number(compute.gasUsed) : undefined,
  };
}

/** The account before a run, and its message. */
function broughtTo(run: DebugRun): Cell[] {
  switch (run.kind) {
    case "transaction": {
      const message = run.own.found.transaction.messages.value.inMsg;
      return [run.own.before, ...(message ? [message.cell] : [])];
    }
    case "refused":
      return [run.before, run.message];
    case "method": {
      const { data } = run.account;
      return data ? [data] : [];
    }
  }
}
