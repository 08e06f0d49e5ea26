import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import type { StackValue } from "./stack.js";

/**
 * How much of the VM's log to give back. The log is always produced: "brief" cuts it to its last 256 characters,
 * "steps" names every instruction, "gas" adds the gas left, "stack" the whole stack (twice the run time).
 */
export type LogDetail = "brief" | "steps" | "gas" | "stack";

/** What every run sees of the chain around it. Nothing is remembered from one request to the next. */
export type RunEnvironment = {
  /** Root of the configuration dictionary. Requests with the same one are faster than changing it. */
  config: Cell;
  /** Root of the `HashmapE 256` of the masterchain's public libraries; absent when it is empty. */
  libraries?: Cell | undefined;
  /** What PREVBLOCKSINFOTUPLE and its kin see; absent: null. */
  previousBlocks?: StackValue | undefined;
  /** Unix time. */
  now: number;
  /** 32 bytes, for a transaction not all zero (the executor would take random ones instead). */
  randSeed: Uint8Array;
  log?: LogDetail | undefined;
};

type AccountRun = RunEnvironment & {
  /** `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount` */
  shardAccount: Cell;
  /** Lowest logical time of the transaction; what the account and message demand may raise it. */
  lt: bigint;
};

/** An internal or external message to its destination account. */
export type TransactionRequest = AccountRun & {
  message: Cell;
  /** Takes every signature for right: to estimate fees, and to act in a contract's name. */
  ignoreSignatures?: boolean | undefined;
};

export type TickTockRequest = AccountRun & { which: "tick" | "tock" };

export type TransactionResult =
  | {
      outcome: "done";
      transaction: Cell;
      /** The account after it, as ShardAccount. */
      shardAccount: Cell;
      /** Root of the output action list; absent when the compute phase was skipped. */
      actions: Cell | undefined;
      vmLog: string;
    }
  /** An external message the contract did not accept: no transaction, nothing changed. */
  | { outcome: "refused"; reason: string; exitCode: number; vmLog: string }
  /** No transaction can come of this: the message does not fit the account, cannot pay its import, is malformed. */
  | { outcome: "impossible"; reason: string };

export type MethodRequest = RunEnvironment & {
  code: Cell;
  data: Cell;
  address: Address;
  methodId: number;
  /** From bottom to top. */
  stack: readonly StackValue[];
  /** Below 2^63. */
  balance: bigint;
  extraCurrencies?: ReadonlyMap<number, bigint> | undefined;
  /** 1,000,000 when absent. */
  gasLimit?: number | undefined;
};

export type MethodResult = {
  exitCode: number;
  gasUsed: number;
  /** As the contract left it, bottom to top, whatever the exit code. */
  stack: StackValue[];
  vmLog: string;
  /** Hash of a library cell that was needed and not in `libraries`. */
  missingLibrary: Uint8Array | undefined;
};
