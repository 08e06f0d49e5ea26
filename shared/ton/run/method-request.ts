import type { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import type { StackValue } from "../tvm/stack.js";

/**
 * Detail of the VM log: "none" leaves it empty, "steps" lists every instruction, "gas" adds the remaining gas and what
 * contracts print, "quiet" the gas alone, "stack" the whole stack to "gas" (twice the run time).
 */
export type LogDetail = "none" | "steps" | "quiet" | "gas" | "stack";

/** The chain context of a run. Must be complete in each request. */
export type RunEnvironment = {
  /** Root of the configuration dictionary. Changing it between requests costs time. */
  config: Cell;
  /** Root of a `HashmapE 256` of public libraries; absent if it is empty. */
  libraries?: Cell | undefined;
  /** Value of PREVBLOCKSINFOTUPLE and related instructions; absent: null. */
  previousBlocks?: StackValue | undefined;
  /** Unix time. */
  now: number;
  /** 32 bytes; not all zero for a transaction, as the emulator would take random ones instead. */
  randSeed: Uint8Array;
  /** Default: "none". */
  log?: LogDetail | undefined;
  /**
   * Whether the caller supposes the configuration or the contract. An executor runs it in a separate emulator and does not
   * remember its cost.
   */
  isSupposed?: boolean | undefined;
};

/** A get-method of a contract that need not exist on chain. */
export type MethodRequest = RunEnvironment & {
  code: Cell;
  data: Cell;
  address: Address;
  methodId: number;
  /** Arguments, bottom to top. */
  stack: readonly StackValue[];
  /** In nanotons, below 2^63. */
  balance: bigint;
  extraCurrencies?: ReadonlyMap<number, bigint> | undefined;
  /** Default: 1,000,000. */
  gasLimit?: number | undefined;
};

/** A result of a run in another thread. */
export type Measured<Result> = Result & {
  /** CPU time of the run in milliseconds. */
  cpuMs: number;
};

export type MethodResult = {
  exitCode: number;
  gasUsed: number;
  /** The resulting stack, bottom to top, whatever the exit code. */
  stack: StackValue[];
  vmLog: string;
  /** Hash of a library that the run needed and that was not in `libraries`. */
  missingLibrary: Uint8Array | undefined;
};
