import type { StatusKey } from "../language.js";

/** Sentences about the status of a message. */
export const statuses: Readonly<Record<StatusKey, string>> = {
  pending: "The message waits for a block",
  "pending.failed":
    "The message waits for a block, and {failed} of the {transactions} expected transactions {failed#fails#fail}: {failure}",
  included: "The message is in a block[, and {waiting} more {waiting#message waits#messages wait}]",
  "included.failed":
    "The message is in a block, and {failed} {failed#transaction#transactions} failed: {failure}",
  completed:
    "The message was processed[ by {receiver}], with {transactions} {transactions#transaction#transactions}",
  "completed.failed":
    "The message was processed, but {failed} of {transactions} {transactions#transaction#transactions} failed: {failure}",
  dropped: "The message was sent ({sent}), but no block has it, and nodes do not keep it any more",
  "expired.valid_until": "The message expired before a block had it[ ({until})]",
  "expired.seqno":
    "The message can never be accepted: another one has used its seqno[, in transaction {other}]",
  "unknown.not_found": "Nothing is known of the message",
  "unknown.acceptable": "The message was not sent through this service; {receiver} would accept it",
  "unknown.seqno_ahead":
    "The message was not sent through this service; {receiver} has to receive others with lower seqnos first",
  "unknown.before_index": "The message may have been received before the blocks of the index",
  "unknown.not_external": "No transaction is known to have sent the message",
  "unknown.no_account": "The receiver of the message has no code",
  "unknown.unknown_contract": "The receiver of the message is no wallet that is known",
  "unknown.unreadable": "The message is no request to its wallet",
};
