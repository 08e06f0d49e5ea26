import type { Cell } from "../cells/cell.js";
import type { RunEnvironment } from "./method-request.js";

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

/** The first (tick) or the last (tock) transaction of a special account in a block. */
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
      /** Lines of the emulator itself, in runs with a log: they tell why actions failed or were left out. */
      emulatorLog: string;
    }
  /** The contract did not accept the external message: there is no transaction. */
  | { outcome: "refused"; reason: string; exitCode: number; vmLog: string; emulatorLog: string }
  /** There can be no transaction: the message is malformed, for another account, or cannot pay its import fee. */
  | { outcome: "impossible"; reason: string };

/** What ends a run before its result. An executor may take more. */
export type RunCall = { signal?: AbortSignal | undefined };

/** Runs transactions on accounts. */
export interface RunsAccounts {
  runTransaction(request: TransactionRequest, call?: RunCall): Promise<TransactionResult>;
  runTickTock(request: TickTockRequest, call?: RunCall): Promise<TransactionResult>;
}
