import { hasSucceeded } from "./exit-codes/kinds.js";

/** Nanotons, as rows and as records have them. */
type Amount = bigint | string | undefined;

/** What decides whether a transaction failed. */
type Judged = {
  readonly aborted: boolean;
  /** Why no code ran; `undefined` if it did. */
  readonly skipped: string | undefined;
  /** Whether the message was to be returned: its transaction has a bounce phase. */
  readonly bounces: boolean;
  /** What the account still owes for its storage, and what it had owed and paid before it got the rest as `credit`. */
  readonly feesDue: Amount;
  readonly dueCollected: Amount;
  readonly credit: Amount;
  /** Whether the run succeeded, and its exit code. */
  readonly computeOk: boolean;
  readonly exitCode: number | undefined;
  /** Number of actions that failed and were left out. */
  readonly leftOut: number;
  /** Whether the message came from outside. */
  readonly isOrder: boolean;
};

/**
 * The phase in which a transaction failed; `undefined` if it did not. `failedSql` is the same rule for the rows of an index. A
 * contract that an order from outside reached has also failed if it left out actions, or threw after it had committed its data:
 * neither aborts a transaction.
 */
export function failedPhase(t: Judged): "compute" | "action" | undefined {
  if (t.aborted) return isUnrun(t) ? undefined : t.computeOk ? "action" : "compute";
  if (!t.isOrder) return undefined;
  if (!hasSucceeded(t.exitCode ?? 0)) return "compute";
  return t.leftOut > 0 ? "action" : undefined;
}

/**
 * Whether a message was received without being run: its sender wanted nothing back, and the account has no code, or the value
 * did not buy the gas. A value that a debt took was not received.
 */
function isUnrun(t: Judged): boolean {
  if (t.bounces) return false;
  return t.skipped === "no_state" || (t.skipped === "no_gas" && isNone(t.feesDue) && !wentToDebt(t));
}

/** Whether a debt took all of a value before it was credited. */
export function wentToDebt({ dueCollected, credit }: Pick<Judged, "dueCollected" | "credit">): boolean {
  return !isNone(dueCollected) && isNone(credit);
}

function isNone(amount: Amount): boolean {
  return amount === undefined || amount === 0n || amount === "0";
}

/** The members of a transaction of API v3 that its outcome follows from. */
export type JudgedRecord = {
  readonly in_msg?: { readonly source: string | null } | null | undefined;
  readonly description: {
    readonly aborted?: boolean | undefined;
    readonly storage_ph?: { readonly storage_fees_due?: string | undefined } | undefined;
    readonly credit_ph?:
      | { readonly due_fees_collected?: string | undefined; readonly credit?: string | undefined }
      | undefined;
    readonly compute_ph?:
      | { readonly skipped: true; readonly reason: string }
      | { readonly skipped: false; readonly success: boolean; readonly exit_code: number }
      | undefined;
    readonly action?: { readonly skipped_actions?: number | undefined } | undefined;
    readonly bounce?: object | undefined;
  };
};

/** The phase in which a transaction of API v3 failed; `undefined` if it did not. */
export function failedPhaseOf({
  description,
  in_msg: received,
}: JudgedRecord): ReturnType<typeof failedPhase> {
  const { aborted = false, storage_ph, credit_ph, compute_ph: compute, action, bounce } = description;
  const run = compute?.skipped === false ? compute : undefined;
  return failedPhase({
    aborted,
    skipped: compute?.skipped === true ? compute.reason : undefined,
    bounces: bounce !== undefined,
    feesDue: storage_ph?.storage_fees_due,
    dueCollected: credit_ph?.due_fees_collected,
    credit: credit_ph?.credit,
    computeOk: run?.success === true,
    exitCode: run?.exit_code,
    leftOut: action?.skipped_actions ?? 0,
    isOrder: received?.source === null,
  });
}

/** Why no code ran for a message that a transaction of API v3 received all the same; `undefined` if it ran, or failed. */
export function unrunReason(transaction: JudgedRecord): string | undefined {
  const { compute_ph: compute } = transaction.description;
  const isReceived = compute?.skipped === true && Boolean(transaction.in_msg);
  return isReceived && failedPhaseOf(transaction) === undefined ? compute.reason : undefined;
}

/** How the outcome of a transaction without a run is told, by `unrunReason`. */
export const unrun = "received without being run";
