import type { MessageStatus, TraceFailure } from "../schema/v3/message-status.js";
import { askedFailurePhrase } from "./failure.js";
import type { Language, StatusKey } from "./language.js";
import { account, type Phrase } from "./phrase.js";
import { capitalised } from "./sentence.js";
import { fill, type Members } from "./template.js";

/** A sentence about the status of a message. */
export function statusPhrase(status: MessageStatus, language: Language): Phrase {
  const template = language.statuses[keyOf(status)];
  return capitalised(fill(template, membersOf(status, language), language), language);
}

type Failing = { readonly failures: readonly TraceFailure[]; readonly failures_total: number };

/** Failures of the message's trace, or of the one that is expected. */
export function failuresOf(status: MessageStatus): Failing | undefined {
  const found =
    status.status === "pending" ? (status.expected ?? undefined) : "failures" in status ? status : undefined;
  return found && found.failures_total > 0 ? found : undefined;
}

function keyOf(status: MessageStatus): StatusKey {
  switch (status.status) {
    case "expired":
      return `expired.${status.reason}`;
    case "unknown":
      return `unknown.${status.reason}`;
    case "dropped":
      return "dropped";
    default:
      return failuresOf(status) ? `${status.status}.failed` : status.status;
  }
}

function membersOf(status: MessageStatus, language: Language): Members {
  const failing = failuresOf(status);
  const [failure] = failing?.failures ?? [];
  return {
    failed: failing?.failures_total,
    failure: failure && { phrase: askedFailurePhrase(failure, language) },
    ...receiverOf(status),
    ...(status.status === "pending" && { transactions: status.expected?.transactions }),
    ...(status.status === "completed" && { transactions: status.transactions }),
    ...(status.status === "included" && { waiting: status.pending_messages || undefined }),
    ...(status.status === "dropped" && { sent: timeOf(status.sent_utime) }),
    ...(status.status === "expired" && {
      until: status.wallet.valid_until === null ? undefined : timeOf(status.wallet.valid_until),
      other: status.replaced_by && { kind: "transaction", hash: status.replaced_by.transaction.hash },
    }),
  };
}

function receiverOf(status: MessageStatus): Members {
  const address = accountOf(status);
  return { receiver: address === undefined ? undefined : account(address, "receiver") };
}

/** The account that received the message, or that it is for. */
export function accountOf(status: MessageStatus): string | undefined {
  if ("transaction" in status) return status.transaction.account;
  return status.wallet?.account;
}

const timeOf = (utime: number) => ({ kind: "time", utime });
