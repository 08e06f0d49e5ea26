import type { Executor } from "../../../server/chain/executor/executor.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LogDetail } from "../../../shared/ton/run/method-request.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { type MachineLog, MachineLogReader } from "../../../shared/ton/tvm/machine-log.js";
import { account, activeAccount, internalMessage, testConfig, testTime } from "../chain/sample-chain.js";

export type MachineRun = {
  log: MachineLog;
  gasUsed: number;
  succeeded: boolean;
  /** The contract's data after it. */
  data: Cell | undefined;
  actions: Cell | undefined;
};

/** Runs a code for a message from a contract. */
export function runMessage(
  executor: Executor,
  { code, data, body, log = "stack" }: { code: Cell; data: Cell; body: Cell; log?: LogDetail },
): MachineRun {
  const result = executor.runTransaction({
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7), lt: 5_000_000n, log },
    shardAccount: activeAccount({ code, data }),
    message: internalMessage({ value: 1_000_000_000n, to: account, body }),
  });
  if (result.outcome !== "done") throw new Error(result.reason);
  const description = decode(Transaction, result.transaction).description.value;
  const compute = description.kind === "ord" ? description.computePh : undefined;
  if (compute?.kind !== "vm") throw new Error("nothing ran");
  const { vmSteps: steps, gasLimit, gasUsed, success } = compute;
  const reader = new MachineLogReader(result.vmLog, {
    ...{ steps, gas: Number(gasLimit), gasUsed: Number(gasUsed) },
  });
  while (reader.read(100_000));
  const state = decode(ShardAccount, result.shardAccount).account.value?.storage.state;
  return {
    log: reader.finish(),
    gasUsed: Number(gasUsed),
    succeeded: success,
    data: state?.kind === "active" ? state.init.data : undefined,
    actions: result.actions,
  };
}
