import { createHash } from "node:crypto";
import type {
  AccountStatus,
  Trace,
  TraceMessage,
  TraceTransaction,
} from "../../../server/indexer/actions/trace.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { tgWalletOpcode } from "../../../shared/ton/contracts/tg-wallet.js";
import { Address } from "../../../shared/values/address.js";

/** A message and what followed from it. */
export type MadeMessage = {
  /** Receiver; undefined for a log. */
  to: string | undefined;
  body?: Cell;
  value?: bigint;
  bounce?: boolean;
  extraCurrencies?: Record<string, string>;
  initState?: Cell;
  /** Whether the transaction that received it was aborted. */
  isAborted?: boolean;
  exitCode?: number;
  skippedReason?: TraceTransaction["skippedReason"];
  status?: readonly [before: AccountStatus, after: AccountStatus];
  sends?: readonly MadeMessage[];
};

/** A test address: the same letter is the same account. */
export function account(name: string): string {
  return new Address(0, createHash("sha256").update(name).digest()).toRawUpper();
}

type Named<Names extends string> = Names extends `${string}, ${infer Others}`
  ? readonly [string, ...Named<Others>]
  : readonly [string];

/** Test addresses by their names, which commas separate. */
export function accounts<Names extends string>(names: Names): Named<Names> {
  return names.split(", ").map(account) as unknown as Named<Names>;
}

export function addressOf(text: string): Address {
  return Address.read(text)!.address;
}

/** A body that begins with an opcode and a query id. */
export function bodyWith(opcode: number, queryId = 0n) {
  return beginCell().storeUint(opcode, 32).storeUint(queryId, 64);
}

export function comment(text: string): Cell {
  return beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).endCell();
}

/**
 * A complete trace of an external message and what followed from it. Logical times ascend in the order of the messages,
 * level by level; transactions run a step after their message.
 */
export function traceOf(root: MadeMessage): Trace {
  const made: Sent[] = [sent(root, undefined, 0n)];
  // The list grows while it is walked.
  for (const each of made) {
    for (const message of each.made.sends ?? []) {
      const next = sent(message, each, BigInt(made.length));
      each.sends.push(next);
      made.push(next);
    }
  }
  const received = made.filter(({ made }) => made.to !== undefined);
  const transactions = received.map(transactionOf);
  const [first] = transactions;
  const ends = transactions.map(({ lt }) => lt);
  return {
    traceId: first!.hash,
    externalHash: first!.inMessage!.hash,
    externalHashNorm: undefined,
    startLt: first!.lt,
    startUtime: 1000,
    endLt: ends.reduce((a, b) => (a > b ? a : b)),
    endUtime: 1000 + received.length,
    mcSeqnoEnd: 7,
    transactions,
  };
}

type Sent = { made: MadeMessage; message: TraceMessage; lt: bigint; sends: Sent[] };

function sent(made: MadeMessage, by: Sent | undefined, index: bigint): Sent {
  const body = made.body ?? Cell.empty;
  const message: TraceMessage = {
    hash: hashOf(`message ${index}`),
    source: by?.made.to,
    destination: made.to,
    value: by === undefined || made.to === undefined ? undefined : (made.value ?? 1n),
    extraCurrencies: made.extraCurrencies,
    createdLt: by === undefined ? undefined : 1000n + 10n * index,
    createdAt: by === undefined ? undefined : 1000 + Number(index),
    opcode: body.bits < 32 ? undefined : body.parse().loadUint(32),
    requestOpcode: tgWalletOpcode(body),
    bounce: made.bounce ?? true,
    hasBody: true,
    body,
    initState: made.initState,
  };
  return { made, message, lt: 1001n + 10n * index, sends: [] };
}

function transactionOf({ made, message, lt, sends }: Sent): TraceTransaction {
  const [statusBefore, statusAfter] = made.status ?? ["active", "active"];
  return {
    hash: hashOf(`transaction ${lt}`),
    account: made.to!,
    lt,
    now: 1000 + Number((lt - 1001n) / 10n),
    mcSeqno: 7,
    isTickTock: false,
    statusBefore,
    statusAfter,
    isAborted: made.isAborted ?? false,
    skippedReason: made.skippedReason,
    exitCode: made.exitCode ?? 0,
    inMessage: message,
    outMessages: sends.map(({ message }) => message),
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
