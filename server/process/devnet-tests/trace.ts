import type { DevnetExplanation } from "./explained.js";

// What a send caused, as tests get it. The declarations import nothing but each other.

/** A transaction of a trace. Addresses are raw, upper case; amounts are nanotons. */
export type DevnetTransaction = {
  /** Its hash, base64. */
  readonly hash: string;
  readonly lt: bigint;
  /** Unix time. */
  readonly now: number;
  /** Sender of the message; null for one from outside, and for ticks and tocks. */
  readonly from: string | null;
  /** Its account. */
  readonly to: string;
  /** Value of the message; 0 for one from outside. */
  readonly value: bigint;
  /** The body as a bag of cells, base64, and its hash, hex; null for ticks and tocks. */
  readonly body: string | null;
  readonly bodyHash: string | null;
  /** First 32 bits of the body; null for shorter ones. */
  readonly op: number | null;
  /** Name of the body by the contract's ABI, or of the standard that it follows; null if neither knows it. */
  readonly message: string | null;
  /** Fields of the body by the contract's ABI; null without one. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Whether the message came back from an account that failed. */
  readonly bounced: boolean;
  /** Whether this transaction did not fail. */
  readonly success: boolean;
  /** Why no code ran, such as `no_gas`: with `success` the message was received without being run. Null if code ran. */
  readonly skippedReason: string | null;
  readonly aborted: boolean;
  /** Exit code of the compute phase; null if no code ran. */
  readonly exitCode: number | null;
  /** Name of the code by which it failed: of the action phase, or of the compute phase; null if it has none. */
  readonly exitName: string | null;
  /** Result code of the action phase; null if there was none. */
  readonly actionCode: number | null;
  /** Whether it deployed the account. */
  readonly deploy: boolean;
  readonly oldStatus: string;
  readonly endStatus: string;
  /** Number of messages that it sent. */
  readonly outMessages: number;
  /** Fees that the account paid, those of its messages included. */
  readonly fees: bigint;
  /** What it added to the balance of the account, fees included. */
  readonly balanceChange: bigint;
};

/** An action of a trace, as API v3 has it. */
export type DevnetAction = {
  /** Such as `ton_transfer` or `jetton_transfer`. */
  readonly type: string;
  readonly success: boolean;
  /** The action in words. */
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** A message and all that followed from it. */
export type DevnetTrace = {
  /** Whether no transaction failed. */
  readonly success: boolean;
  /** Hash of the message that began it, base64. */
  readonly hash: string;
  /** Hash of the first transaction, base64. */
  readonly traceId: string;
  /** By logical time. */
  readonly transactions: readonly DevnetTransaction[];
  readonly actions: readonly DevnetAction[];
  /** Why the first transaction that failed did; null if none did. */
  readonly explanation: DevnetExplanation | null;
  /** Its transactions in words, a line each, and the explanation. */
  readonly text: string;
  toString(): string;
};

/** A failed send: of a message that was refused, or that led to a transaction that failed. */
export class DevnetSendError extends Error {
  override readonly name = "DevnetSendError";
  /** What the message caused; undefined if it was refused. */
  readonly trace: DevnetTrace | undefined;
  /** The code by which the contract refused the message, or the first transaction failed; null if there is none. */
  readonly exitCode: number | null;
  readonly exitName: string | null;

  constructor(message: string, details: Pick<DevnetSendError, "trace" | "exitCode" | "exitName">) {
    super(message);
    this.trace = details.trace;
    this.exitCode = details.exitCode;
    this.exitName = details.exitName;
  }
}
