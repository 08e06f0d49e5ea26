import {
  type failurePhases,
  maxShownFailures,
  maxShownOperations,
  type TraceFailure,
} from "../../../shared/schema/v3/message-status.js";
import type { AnswerNames } from "../../../shared/text/answer-names.js";
import { hintOf } from "../../../shared/text/describe.js";
import { english } from "../../../shared/text/english/english.js";
import { operationName } from "../../../shared/text/operations.js";
import { opcodeName } from "../../../shared/ton/bodies/read.js";
import { bytesEqual, bytesToBase64 } from "../../../shared/values/bytes.js";
import { contractsAt, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import { failedPhase, wentToDebt } from "../../../shared/values/failed-phase.js";
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
  /** Name of an opcode in an ABI. */
  readonly operationOf?: (opcode: number) => string | undefined;
  /** The contract's own operations, if it has an ABI, and this opcode is none of them. */
  readonly operationsBut?: (opcode: number) => readonly string[] | undefined;
  /** Hash of the library that is its code; `undefined` if it has its own code, or if nothing depends on it. */
  readonly library?: string | undefined;
};

/** By raw address. */
export type ContractsOf = (account: string) => FailedContract;

const noGas = codeOf(skipReasons, "no_gas");
const unchanged = codeOf(statusChanges, "unchanged");
/** Exit codes of contracts that do not know an operation: the usual one, and those of FunC's and Tact's entries. */
const unknownOperation: ReadonlySet<number> = new Set([65_535, 11, 130]);
const inbound = codeOf(directions, "in");

/** Whether a transaction failed, by the rule of `failedPhase`. */
export function hasFailed(t: JudgedTransaction, isFirstOfExternal: boolean): boolean {
  return phaseWithin(t, isFirstOfExternal) !== undefined;
}

function phaseWithin(t: JudgedTransaction, isFirstOfExternal: boolean): ReturnType<typeof failedPhase> {
  return failedPhase({
    aborted: t.aborted === true,
    skipped: t.skipped_reason === undefined ? undefined : itemAt(skipReasons, t.skipped_reason),
    bounces: t.bounce !== undefined,
    feesDue: t.storage_fees_due,
    ...creditOf(t),
    computeOk: t.compute_success === true,
    exitCode: t.compute_exit_code,
    leftOut: t.action_skipped_actions ?? 0,
    isOrder: isFirstOfExternal,
  });
}

const creditOf = ({ credit, credit_due_fees_collected: dueCollected }: JudgedTransaction) => ({
  credit,
  dueCollected,
});

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

/** `names`: those that hints use. */
export function presentFailures(
  { transactions, messages }: FailedTransactions,
  contractOf: ContractsOf,
  names: AnswerNames,
): TraceFailure[] {
  return transactions.map((t) => {
    const own = messages.filter(({ tx_hash }) => bytesEqual(tx_hash, t.hash));
    const received = own.find(({ direction }) => direction === inbound);
    const returned = own.find(({ direction, bounced }) => direction !== inbound && bounced);
    return withHint(presentFailure(t, { received, returned }, contractOf), names);
  });
}

/** A failure with advice, if there is any. */
export function withHint(failure: TraceFailure, names: AnswerNames): TraceFailure {
  const hint = hintOf(failure, names, english);
  return hint === "" ? failure : { ...failure, hint };
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

function presentFailure(t: JudgedTransaction, sides: Sides, contractOf: ContractsOf): TraceFailure {
  const account = rawAddress.present(t.account);
  const contract = contractOf(account);
  const phase = phaseOf(t);
  const code = phase === "action" ? t.action_result_code : t.compute_exit_code;
  const own = code !== undefined && phase === "compute" ? contract.errorOf?.(code) : undefined;
  const known =
    code === undefined ? undefined : explain(code, phase, contractsAt(account, contract.interfaces));
  const meaning = chosenMeaning(own, known);
  return {
    account,
    hash: bytesToBase64(t.hash),
    lt: t.lt.toString(),
    interfaces: [...contract.interfaces],
    ...presentReceived(sides.received, code, contract),
    phase,
    exit_code: code ?? null,
    exit_name: meaning?.name ?? null,
    exit_meaning: meaning?.text ?? null,
    ...(meaning && "source" in meaning && { exit_source: meaning.source }),
    skipped_reason: t.skipped_reason === undefined ? null : itemAt(skipReasons, t.skipped_reason),
    gas_used: t.compute_gas_used?.toString() ?? null,
    became: becameOf(t) ?? null,
    debt: t.storage_fees_due ? t.storage_fees_due.toString() : null,
    ...(contract.library !== undefined && mayLackLibrary(t) && { library: contract.library }),
    failed_action: phase === "action" ? failedActionOf(t) : null,
    skipped_actions: t.action_skipped_actions ?? 0,
    bounce: t.bounce === undefined ? null : itemAt(bounceKinds, t.bounce),
    refund: refundOf(sides.returned),
  };
}

function presentReceived(
  received: MessageSide | undefined,
  code: number | undefined,
  { operationOf, operationsBut }: FailedContract,
): Pick<TraceFailure, "source" | "value" | "opcode" | "operation" | "operations"> {
  const { source, value, opcode } = received ?? {};
  const number = (opcode ?? 0) >>> 0;
  // All contracts agree on the opcode of comments, and on no other small one.
  const known =
    number === 0 ? "text_comment" : operationName({ opcode: number, decoded_opcode: opcodeName(number) });
  const isUnknown = opcode !== undefined && code !== undefined && unknownOperation.has(code);
  const operations = isUnknown ? operationsBut?.(opcode) : undefined;
  return {
    source: source === undefined ? null : rawAddress.present(source),
    value: value?.toString() ?? null,
    opcode: opcode === undefined ? null : opcodeHex.present(opcode),
    operation: (opcode === undefined ? undefined : (known ?? operationOf?.(opcode))) ?? null,
    ...(operations && { operations: operations.slice(0, maxShownOperations) }),
  };
}

function refundOf(returned: MessageSide | undefined): TraceFailure["refund"] {
  if (returned?.destination === undefined) return null;
  return { account: rawAddress.present(returned.destination), value: (returned.value ?? 0n).toString() };
}

/** Result codes of an action list as a whole: it is malformed, or too long. */
const listCodes: ReadonlySet<number> = new Set([32, 33]);

/** The list of actions is not stored, so that only the place of the action is known; that of the first one is not stored. */
function failedActionOf(t: JudgedTransaction) {
  const { action_success: success, action_result_code: code = 0, action_result_arg: number = 0 } = t;
  return success !== false || number < 0 || listCodes.has(code)
    ? null
    : { number, account: null, value: null, available: null };
}

function becameOf({ storage_status_change: change = unchanged }: JudgedTransaction) {
  const became = itemAt(statusChanges, change);
  return became === "unchanged" ? undefined : became;
}

/** The steps of a run that fails to load its code: a jump to it, and the error. */
const stepsWithoutCode = 2;
const cellUnderflow = 9;

/** Whether a contract whose code is a library failed because there is no such library. */
export function mayLackLibrary({
  compute_exit_code: code,
  compute_vm_steps: steps = 0,
}: JudgedTransaction): boolean {
  return code === cellUnderflow && steps <= stepsWithoutCode;
}

/** The phase in which a failed transaction stopped. */
function phaseOf(t: JudgedTransaction): Phase {
  if (!t.compute_skipped) return phaseWithin(t, true) ?? "compute";
  if (becameOf(t)) return "storage";
  return t.skipped_reason === noGas && wentToDebt(creditOf(t)) ? "credit" : "compute";
}

/** Contracts that did not run have no exit code to explain. */
function explain(code: number, phase: Phase, contract: readonly string[]) {
  return phase === "action" || phase === "compute" ? explainExitCode({ code, phase, contract }) : undefined;
}
