import type { RowOf } from "../declare/table.js";
import { messages } from "./messages.js";
import { transactions } from "./transactions.js";

const {
  hash,
  account,
  lt,
  now,
  mc_block_seqno,
  descr,
  orig_status,
  end_status,
  aborted,
  skipped_reason,
  compute_exit_code,
} = transactions.columns;

/** The columns of transactions that classification reads. */
export const transactionPart = {
  hash,
  account,
  lt,
  now,
  mc_block_seqno,
  descr,
  orig_status,
  end_status,
  aborted,
  skipped_reason,
  compute_exit_code,
};
export type TransactionPart = RowOf<typeof transactionPart>;

const {
  tx_hash,
  direction,
  msg_hash,
  source,
  destination,
  value,
  value_extra_currencies,
  created_lt,
  created_at,
  opcode,
  bounce,
  body_hash,
  init_state_hash,
} = messages.columns;

/** The columns of messages that classification reads. */
export const messagePart = {
  tx_hash,
  direction,
  msg_hash,
  source,
  destination,
  value,
  value_extra_currencies,
  created_lt,
  created_at,
  opcode,
  bounce,
  body_hash,
  init_state_hash,
};
export type MessagePart = RowOf<typeof messagePart>;
