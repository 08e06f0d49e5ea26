import { type RowOf, someColumns } from "../declare/table.js";
import { messages } from "./messages.js";
import { transactions } from "./transactions.js";

/** The columns of transactions that classification reads. */
export const transactionPart = someColumns(transactions.columns, [
  "hash",
  "account",
  "lt",
  "now",
  "mc_block_seqno",
  "descr",
  "orig_status",
  "end_status",
  "aborted",
  "skipped_reason",
  "compute_exit_code",
]);
export type TransactionPart = RowOf<typeof transactionPart>;

/** The columns of messages that classification reads. */
export const messagePart = someColumns(messages.columns, [
  "tx_hash",
  "direction",
  "msg_hash",
  "source",
  "destination",
  "value",
  "value_extra_currencies",
  "created_lt",
  "created_at",
  "opcode",
  "bounce",
  "body_hash",
  "init_state_hash",
]);
export type MessagePart = RowOf<typeof messagePart>;
