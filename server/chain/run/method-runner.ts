import { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { CallOptions, ExecutorPool } from "../executor/pool.js";
import type { MethodResult } from "../executor/requests.js";
import type { CodeLibraries } from "./code-libraries.js";
import { partsOn, type SupposedChain } from "./supposed-chain.js";

type MethodRun = {
  methodId: number;
  /** Arguments, bottom to top. */
  stack?: readonly StackValue[] | undefined;
  /** The masterchain block whose configuration and PrevBlocksInfo the run sees; by default the last one. */
  at?: BlockIdExt | undefined;
};

/** The state of an account that a get-method sees, and the time. */
export type ContractState = Pick<
  AccountSnapshot,
  "address" | "balance" | "code" | "data" | "libraries" | "syncUtime"
> & { extraCurrencies: { entries(): Iterable<readonly [number, bigint]> } };

/**
 * `deadlineMs` replaces the deadline of the pool, which includes the wait for a thread, and `gasLimit` the gas of a
 * get-method.
 */
export type RunCall = LiteCall & Pick<CallOptions, "deadlineMs" | "lane"> & { gasLimit?: number | undefined };

/** The options of a run on behalf of a call. `subject`: the code that is run. */
export function runOptions(call: RunCall, subject: Cell | undefined): CallOptions {
  const { signal, caller, spent, lane, deadlineMs } = call;
  return { signal, caller, spent, lane, deadlineMs, subject: subject?.hashHex() };
}

/** Result of a get-method; `stack` is set for any exit code, `cpuMs` if it ran in a pool. */
export type MethodOutcome = Pick<MethodResult, "exitCode" | "gasUsed" | "stack"> & { cpuMs?: number };

/** Exit code for an account without code. */
const nothingToRun = -13;
/** Constant random seed, so that equal calls give equal answers. */
const noSeed = new Uint8Array(32);

type RunnerParts = {
  reader: Pick<ChainReader, "last" | "config" | "previousBlocks">;
  pool: Pick<ExecutorPool, "runMethod">;
  libraries: CodeLibraries;
  isSupposed?: boolean;
  /** Gas of a run. Default: that of the executor. */
  gasLimit?: number | undefined;
};

/**
 * Runs get-methods on an account at any block, by default with the configuration of the last block. Throws an
 * ExecutorError if the run times out or no thread is free, a StackError if the result exceeds the limits, and a RunError
 * if the contract needs too many libraries.
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

  async run(account: ContractState, run: MethodRun, call: RunCall = {}): Promise<MethodOutcome> {
    const { pool, libraries, reader, isSupposed } = this.#parts;
    const { gasLimit = this.#parts.gasLimit } = call;
    const { methodId, stack = [], at = reader.last } = run;
    const { code, data = Cell.empty, address, balance, syncUtime: now } = account;
    if (!code) {
      const id: StackValue = { type: "int", value: BigInt(methodId) };
      return { exitCode: nothingToRun, gasUsed: 0, stack: [...stack, id] };
    }
    const [config, previousBlocks] = await Promise.all([reader.config(at), reader.previousBlocks(at)]);
    const extraCurrencies = new Map(account.extraCurrencies.entries());
    const contract = { code, data, address, balance, extraCurrencies, now, randSeed: noSeed };
    return libraries.runWith(
      { code, libraries: account.libraries },
      // New members come before spread ones: V8 takes a microsecond for each member after a spread.
      (found) =>
        pool.runMethod(
          {
            ...{
              config: config.root,
              previousBlocks,
              methodId,
              stack,
              libraries: found,
              gasLimit,
              isSupposed,
            },
            ...contract,
          },
          call,
        ),
      call,
    );
  }
}
