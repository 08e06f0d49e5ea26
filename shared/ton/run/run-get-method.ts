import { Cell } from "../cells/cell.js";
import type { AccountSnapshot } from "../proofs/read/account.js";
import type { ChainReader } from "../proofs/read/reader.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import type { StackValue } from "../tvm/stack.js";
import type { CodeLibraries } from "./code-libraries.js";
import type { Measured, MethodRequest, MethodResult } from "./method-request.js";

export type MethodRun = {
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

/** Result of a get-method; `stack` is set for any exit code, `cpuMs` if the run was measured. */
export type MethodOutcome = Pick<MethodResult, "exitCode" | "gasUsed" | "stack"> & { cpuMs?: number };

/** Exit code for an account without code. */
const nothingToRun = -13;
/** Constant random seed, so that equal calls give equal answers. */
const noSeed = new Uint8Array(32);

type Surroundings<Call> = {
  reader: Pick<ChainReader, "last" | "config" | "previousBlocks">;
  executor: { runMethod(request: MethodRequest, call?: Call): Promise<Measured<MethodResult>> };
  libraries: Pick<CodeLibraries, "runWith">;
  isSupposed?: boolean | undefined;
  gasLimit?: number | undefined;
};

/**
 * Runs a get-method as liteservers do, with the libraries that it needs. Throws a StackError if the result exceeds the
 * limits, a RunError if the contract needs too many libraries, and the errors of the executor.
 */
export async function runGetMethod<Call extends object>(
  { reader, executor, libraries, isSupposed, gasLimit }: Surroundings<Call>,
  account: ContractState,
  { methodId, stack = [], at = reader.last }: MethodRun,
  call: Call,
): Promise<MethodOutcome> {
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
      executor.runMethod(
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
