import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../shared/values/address.js";

/**
 * Detail of the VM log: "none" leaves it empty, "steps" lists every instruction, "gas" adds the remaining gas, "stack" the
 * whole stack (twice the run time).
 */
export type LogDetail = "none" | "steps" | "gas" | "stack";

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
   * Whether the caller supposes the configuration or the contract. A pool runs it in a separate emulator and does not
   * remember its cost.
   */
  isSupposed?: boolean | undefined;
};

type AccountRun = RunEnvironment & {
  /** `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount` */
  shardAccount: Cell;
  /** Minimum logical time of the transaction; account and message may raise it. */
  lt: bigint;
};

/** An internal or external message to its destination account. */
export type TransactionRequest = AccountRun & {
  message: Cell;
  /** Accepts every signature: for fee estimates, and to act in a contract's name. */
  ignoreSignatures?: boolean | undefined;
};

export type TickTockRequest = AccountRun & { which: "tick" | "tock" };

/** Outcome of a message or tick-tock; only "done" changes the account. */
export type TransactionResult =
  | {
      outcome: "done";
      transaction: Cell;
      /** The account after the transaction, as ShardAccount. */
      shardAccount: Cell;
      /** Root of the output action list; absent if the compute phase was skipped. */
      actions: Cell | undefined;
      vmLog: string;
    }
  /** The contract did not accept the external message: there is no transaction. */
  | { outcome: "refused"; reason: string; exitCode: number; vmLog: string }
  /** There can be no transaction: the message is malformed, for another account, or cannot pay its import fee. */
  | { outcome: "impossible"; reason: string };

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
