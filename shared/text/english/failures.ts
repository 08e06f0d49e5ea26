import type { FailureKind } from "../language.js";

/** Clauses about a transaction that failed. */
export const failures: Readonly<Record<FailureKind, string>> = {
  ran: "{account} failed in the {phase} phase with {exit}",
  skipped: "{account} was not run, as {reason}",
  storage: "{account} was frozen or deleted for its debt",
  credit: "the debt of {account} used up the value of the message",
  leftOut: "{account} skipped {actions} {actions#action that#actions that} failed",
  unknown: "{account} failed",
};
