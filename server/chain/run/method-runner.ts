import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import type { LogDetail, MethodRequest } from "../../../shared/ton/run/method-request.js";
import {
  type ContractState,
  type MethodOutcome,
  type MethodRun,
  runGetMethod,
} from "../../../shared/ton/run/run-get-method.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { CallOptions, ExecutorThreads } from "../executor/threads/executor-threads.js";
import { partsOn, type SupposedChain } from "./supposed-chain.js";

/**
 * `deadlineMs` replaces the deadline of the executor, which includes the wait for a thread, and `gasLimit` the gas of a
 * get-method.
 */
export type RunCall = LiteCall &
  Pick<CallOptions, "deadlineMs" | "lane" | "pace" | "maxCpuMs"> & { gasLimit?: number | undefined };

/** The options of a run on behalf of a call. `subject`: the code that is run. */
export function runOptions(call: RunCall, subject: Cell | undefined): CallOptions {
  const { signal, caller, spent, lane, deadlineMs, pace, maxCpuMs } = call;
  return { signal, caller, spent, lane, deadlineMs, pace, maxCpuMs, subject: subject?.hashHex() };
}

/** A get-method with the log of its run. */
type LoggedMethod = { outcome: MethodOutcome; logged: { request: MethodRequest; vmLog: string } | undefined };

type RunnerParts = {
  reader: Pick<ChainReader, "last" | "config" | "previousBlocks">;
  executor: Pick<ExecutorThreads, "runMethod">;
  libraries: CodeLibraries;
  isSupposed?: boolean;
  /** Gas of a run. Default: that of the executor. */
  gasLimit?: number | undefined;
};

/**
 * Runs get-methods on an account at any block, by default with the configuration of the last block. Throws an
 * ExecutorError if the run times out or no thread is free, and the errors of `runGetMethod`.
 */
export class MethodRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** The same on a chain with changes. */
  on(chain: SupposedChain): MethodRunner {
    return new MethodRunner({ ...this.#parts, ...partsOn(chain) });
  }

  /** Runs it with a log of the machine, at a block; without a run if the account has no code. */
  async runLogged(
    account: ContractState,
    run: MethodRun & { at: BlockIdExt; log: LogDetail },
    call: RunCall,
  ): Promise<LoggedMethod> {
    const { executor } = this.#parts;
    let logged: LoggedMethod["logged"];
    const runMethod = async (request: MethodRequest, options?: RunCall) => {
      // A log of stacks may break the emulator, which is then not the one of other calls.
      const isSupposed = request.isSupposed || run.log === "stack";
      const withLog = { ...request, log: run.log, isSupposed };
      const result = await executor.runMethod(withLog, options);
      logged = { request: withLog, vmLog: result.vmLog };
      return result;
    };
    const outcome = await runGetMethod<RunCall>(
      { ...this.#parts, executor: { runMethod } },
      account,
      run,
      call,
    );
    return { outcome, logged };
  }

  run(account: ContractState, run: MethodRun, call: RunCall = {}): Promise<MethodOutcome> {
    const { gasLimit } = call;
    const parts = gasLimit === undefined ? this.#parts : { ...this.#parts, gasLimit };
    return runGetMethod<RunCall>(parts, account, run, call);
  }
}
