import {
  type failurePhases,
  maxShownFailures,
  type TraceFailure,
} from "../../../shared/schema/v3/message-status.js";
import { bytesEqual, bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { bounceKinds, codeOf, directions, skipReasons, statusChanges } from "../../store/codes.js";
import { opcodeHex, rawAddress } from "../../store/declare/wire-forms.js";
import type {
  FailedTransactions,
  JudgedTransaction,
  MessageSide,
} from "../../store/queries/messages/message-status.js";
import { type AbiMeaning, chosenMeaning } from "./abi.js";

type Phase = (typeof failurePhases)[number];

/** What is known of a contract that failed. */
type FailedContract = {
  /** Names of its interfaces. */
  readonly interfaces: readonly string[];
  /** The meaning of an exit code in the contract's own ABI. */
  readonly errorOf?: (code: number) => AbiMeaning | undefined;
};

/** By raw address. */
export type ContractsOf = (account: string) => FailedContract;

const noState = codeOf(skipReasons, "no_state");
const noGas = codeOf(skipReasons, "no_gas");
const unchanged = codeOf(statusChanges, "unchanged");
const inbound = codeOf(directions, "in");

/** Whether a transaction failed; must agree with the SQL for indexed ones, `failedTransactions`. */
export function hasFailed(t: JudgedTransaction, isFirstOfExternal: boolean): boolean {
  const isPlainTransfer = t.compute_skipped && t.skipped_reason === noState && t.bounce === undefined;
  return (t.aborted === true && !isPlainTransfer) || (isFirstOfExternal && (hasLeftOut(t) || hasThrown(t)));
}

function hasLeftOut({ action_skipped_actions: skipped = 0 }: JudgedTransaction): boolean {
  return skipped > 0;
}

/** Whether the contract ended with an error, which does not abort the transaction if it had committed its data before. */
function hasThrown({ compute_exit_code: code = 0 }: JudgedTransaction): boolean {
  return code !== 0 && code !== 1;
}

/** The failed transactions of a trace that is not stored, in the order of the trace. */
export function failuresAmong(
  transactions: readonly JudgedTransaction[],
  messages: readonly MessageSide[],
): FailedTransactions {
  const [first] = transactions;
  const failed = transactions
    .filter((t) => hasFailed(t, t === first))
    .sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0));
  return { transactions: failed.slice(0, maxShownFailures), messages: [...messages], total: failed.length };
}

export function presentFailures(
  { transactions, messages }: FailedTransactions,
  contractOf: ContractsOf,
): TraceFailure[] {
  return transactions.map((t) => {
    const own = messages.filter(({ tx_hash }) => bytesEqual(tx_hash, t.hash));
    const received = own.find(({ direction }) => direction === inbound);
    const returned = own.find(({ direction, bounced }) => direction !== inbound && bounced);
    return presentFailure(t, { received, returned }, contractOf);
  });
}

/** Whether a trace with this number of transactions succeeded, and its failures. */
export function presentOutcome(
  { total }: FailedTransactions,
  failures: TraceFailure[],
  transactions: number,
) {
  const [failure = null] = failures;
  return { success: total === 0, failure, failures, failures_total: total, transactions };
}

type Sides = { received: MessageSide | undefined; returned: MessageSide | undefined };

function presentFailure(
  t: JudgedTransaction,
  { received, returned }: Sides,
  contractOf: ContractsOf,
): TraceFailure {
  const account = rawAddress.present(t.account);
  const { interfaces, errorOf } = contractOf(account);
  const phase = phaseOf(t);
  const code = phase === "action" ? t.action_result_code : t.compute_exit_code;
  const own = code !== undefined && phase === "compute" ? errorOf?.(code) : undefined;
  const known = code === undefined ? undefined : explain(code, phase, contractsAt(account, interfaces));
  const meaning = chosenMeaning(own, known);
  return {
    account,
    hash: bytesToBase64(t.hash),
    lt: t.lt.toString(),
    interfaces: [...interfaces],
    opcode: received?.opcode === undefined ? null : opcodeHex.present(received.opcode),
    phase,
    exit_code: code ?? null,
    exit_name: meaning?.name ?? null,
    exit_meaning: meaning?.text ?? null,
    ...(meaning && "source" in meaning && { exit_source: meaning.source }),
    skipped_reason: t.skipped_reason === undefined ? null : itemAt(skipReasons, t.skipped_reason),
    skipped_actions: t.action_skipped_actions ?? 0,
    bounce: t.bounce === undefined ? null : itemAt(bounceKinds, t.bounce),
    refund:
      returned?.destination === undefined
        ? null
        : { account: rawAddress.present(returned.destination), value: (returned.value ?? 0n).toString() },
  };
}

/** The phase in which a failed transaction stopped. */
function phaseOf(t: JudgedTransaction): Phase {
  if (t.compute_skipped) {
    const isChanged = t.storage_status_change !== undefined && t.storage_status_change !== unchanged;
    if (isChanged) return "storage";
    const paysDebts = (t.credit_due_fees_collected ?? 0n) > 0n && (t.credit ?? 0n) === 0n;
    return t.skipped_reason === noGas && paysDebts ? "credit" : "compute";
  }
  return t.compute_success && (t.aborted || !hasThrown(t)) ? "action" : "compute";
}

/** Contracts that did not run have no exit code to explain. */
function explain(code: number, phase: Phase, contract: readonly string[]) {
  return phase === "action" || phase === "compute" ? explainExitCode({ code, phase, contract }) : undefined;
}
