import type { ComputePhase, Transaction } from "../../../../client/api.js";
import { asClause, type ExitCode, explainExitCode } from "../../../../shared/values/exit-codes/explain.js";
import { failedPhaseOf, unrun, unrunReason } from "../../../../shared/values/failed-phase.js";
import { claimedText } from "./text.js";

/** The outcome of a transaction: `good`, `bad`, or `none` if no code ran. */
type Outcome = {
  readonly kind: "good" | "bad" | "none";
  readonly text: string;
  /** A word or two, for lists. */
  readonly brief: string;
};

/** The members of a transaction that its outcome follows from. */
type Judged = Pick<Transaction, "description"> & { readonly in_msg?: Transaction["in_msg"] | undefined };

const skipped = {
  no_state: "the account has no code",
  bad_state: "the state that came with the message is not the account's",
  no_gas: "too little balance for gas",
  suspended: "the account is suspended",
} as const;

type Skipped = Extract<ComputePhase, { skipped: true }>;

export const skipReason = ({ reason }: Skipped): string => skipped[reason] ?? reason;

/** An exit code with its meaning. */
export function exitText(exit: ExitCode): string {
  const meaning = explainExitCode(exit);
  return `exit code ${exit.code}${meaning ? `: ${asClause(meaning)}` : ", which the contract defines"}`;
}

type Run = Exclude<ComputePhase, Skipped>;

/** The exit code of a run, by an ABI that names it, else by the contract's interfaces. */
export function exitOfRun({ exit_code, ...run }: Run, contract: readonly string[]): string {
  if (run.exit_source === undefined) return exitText({ code: exit_code, contract });
  const name = claimedText(run.exit_name ?? "", 60);
  const meaning = claimedText(run.exit_meaning ?? "", 200).replace(/\.$/, "");
  // ABIs of Tact have meanings only: the name of such a code is the number.
  const named = name === String(exit_code) ? "" : `, ${name}`;
  return `exit code ${exit_code}${named}${meaning && `: ${meaning}`}`;
}

/** A code with its name, for lists. ABIs of Tact have meanings only: the name of such a code is the number. */
function briefExit(kind: "exit" | "action", code: number, given: string | null | undefined): string {
  const name = claimedText((given ?? "").replaceAll("-", " "), 40);
  return name === "" || name === String(code) ? `${kind} ${code}` : `${kind} ${code}: ${name}`;
}

/** `contract`: interfaces of the account, which explain its exit code. */
export function outcomeOf(transaction: Judged, contract: readonly string[] = []): Outcome {
  const { compute_ph: compute, action } = transaction.description;
  const phase = failedPhaseOf(transaction);
  if (compute?.skipped) {
    const lead = unrunReason(transaction) === undefined ? "not run" : unrun;
    const brief = compute.reason.replaceAll("_", " ");
    return { kind: phase ? "bad" : "none", text: `${lead}: ${skipReason(compute)}`, brief };
  }
  if (!phase) return { kind: "good", text: "success", brief: "success" };
  if (phase === "compute" && compute) return ended(compute, contract);
  if (!action) return { kind: "bad", text: "aborted", brief: "aborted" };
  const { success, result_code: code, skipped_actions: left } = action;
  if (success) {
    const text = `left out ${left} ${left === 1 ? "action that" : "actions that"} failed`;
    return { kind: "bad", text, brief: `${left} left out` };
  }
  return {
    kind: "bad",
    text: `actions failed, ${exitText({ code, phase: "action" })}`,
    brief: briefExit("action", code, explainExitCode({ code, phase: "action" })?.name),
  };
}

function ended(run: Run, contract: readonly string[]): Outcome {
  const { exit_code: code, exit_name: given, exit_source: source } = run;
  const name = source === undefined ? explainExitCode({ code, contract })?.name : given;
  return { kind: "bad", text: exitOfRun(run, contract), brief: briefExit("exit", code, name) };
}

/** The failure of a transaction, for lists; `undefined` if it succeeded. */
export function failureOf(transaction: Judged, contract?: readonly string[]): string | undefined {
  const { kind, brief } = outcomeOf(transaction, contract);
  return kind === "bad" ? brief : undefined;
}
