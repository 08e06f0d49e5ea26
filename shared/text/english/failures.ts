import type { FailureKind } from "../language.js";

/** Clauses about a transaction that failed. */
export const failures: Readonly<Record<FailureKind, string>> = {
  ran: "{account} failed in the {phase} phase with {exit}",
  skipped: "{account} was not run, as {reason}",
  storage: "{account} was frozen or deleted for its debt",
  credit: "debts of {account} took the value of the message",
  leftOut: "{account} left out {actions} {actions#action that#actions that} failed",
  unknown: "{account} failed",
};
