import type { AddressText, ExtraCurrencies } from "../../../shared/actions/member.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { accountStatuses, skipReasons } from "../../store/codes.js";

export type { AddressText };
/** 32 bytes in base64. Text, because identifiers of actions are hashes of it. */
export type HashText = string;

export type AccountStatus = (typeof accountStatuses)[number];
type SkipReason = (typeof skipReasons)[number];

/** Input of the classification: a complete trace, or the known part of a pending or emulated one. */
export type Trace = {
  readonly traceId: HashText;
  readonly externalHash: HashText | undefined;
  readonly externalHashNorm: HashText | undefined;
  readonly startLt: bigint;
  readonly startUtime: number;
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly mcSeqnoEnd: number;
  /** In any order. */
  readonly transactions: readonly TraceTransaction[];
};

export type TraceTransaction = {
  readonly hash: HashText;
  readonly account: AddressText;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly isTickTock: boolean;
  readonly statusBefore: AccountStatus;
  readonly statusAfter: AccountStatus;
  readonly isAborted: boolean;
  readonly skippedReason: SkipReason | undefined;
  /** Exit code of the compute phase; undefined if it was skipped. */
  readonly exitCode: number | undefined;
  readonly inMessage: TraceMessage | undefined;
  /** In any order. */
  readonly outMessages: readonly TraceMessage[];
};

export type TraceMessage = {
  readonly hash: HashText;
  /** Undefined for external inbound messages. */
  readonly source: AddressText | undefined;
  /** Undefined for external outbound messages. */
  readonly destination: AddressText | undefined;
  readonly value: bigint | undefined;
  readonly extraCurrencies: ExtraCurrencies | undefined;
  readonly createdLt: bigint | undefined;
  readonly createdAt: number | undefined;
  /** The first 32 bits of the body, unsigned; undefined if the body is shorter. */
  readonly opcode: number | undefined;
  /** The opcode behind the signature, if the body is a request to Telegram's wallet. */
  readonly requestOpcode: number | undefined;
  readonly bounce: boolean;
  /** Whether the body is known; without it the trace cannot be classified. */
  readonly hasBody: boolean;
  /** Parsed on first use; throws a CellError if it is no bag of cells. */
  readonly body: Cell | undefined;
  readonly initState: Cell | undefined;
};
