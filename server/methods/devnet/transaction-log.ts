import type { Call } from "../../../shared/methods/define.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { computePhaseOf, factsOf, readLog } from "../../../shared/ton/run/debug-run.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import { Address } from "../../../shared/values/address.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { paidTurns } from "../../chain/paid-turns.js";
import type { Retrace } from "../../chain/retrace/retrace.js";
import type { TransactionName } from "../../devnet/chain/transaction-finder.js";
import type { DevnetControls } from "../../devnet/control/controls.js";
import { DevnetError } from "../../devnet/devnet-error.js";

export type TransactionLogDeps = {
  controls: Pick<DevnetControls, "findTransaction">;
  retrace: Pick<Retrace, "find" | "block">;
};

type TransactionLog = {
  vmLog: string;
  /** Absent if the compute phase was skipped. */
  exitCode: number | undefined;
  /** Root of the output actions; absent if no code ran. */
  actions: Cell | undefined;
  /** What the contract printed. */
  prints: string[];
};

/** The log of a transaction, by running it again. Throws a `DevnetError` if there is none, or if it runs differently. */
export async function transactionLog(
  name: TransactionName,
  { controls, retrace }: TransactionLogDeps,
  { signal, caller, spent }: Call,
): Promise<TransactionLog> {
  const { workchain, id, lt } = await controls.findTransaction(name);
  const place = { address: new Address(workchain, id), lt };
  try {
    const block = await retrace.find(place, { signal });
    const options = { signal, caller, spent, log: "stack" as const };
    const { transactions } = await retrace.block({ ...place, block }, options);
    const { found, result } = itemAt(transactions, -1);
    const { vmLog = "", actions } = result ?? {};
    const compute = computePhaseOf(found.transaction);
    const log = await readLog(vmLog, factsOf(found.transaction), paidTurns({ signal, spent }));
    const prints = log.prints.map(({ text }) => text);
    return { vmLog, exitCode: compute?.exitCode, actions, prints };
  } catch (error) {
    throw devnetErrorOf(error);
  }
}

function devnetErrorOf(error: unknown): unknown {
  if (!(error instanceof RetraceError)) return error;
  return error.kind === "absent"
    ? new DevnetError("not-found", "the devnet has no such transaction")
    : new DevnetError(
        "conflict",
        "the transaction cannot be repeated: its account was edited in the same block",
      );
}
