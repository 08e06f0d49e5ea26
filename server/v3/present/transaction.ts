import type { TransactionRecord } from "../../store/queries/transactions.js";
import { presentMessage } from "./message.js";

/** A transaction with what its messages say. */
export function presentTransaction(record: TransactionRecord): TransactionRecord {
  return {
    ...record,
    in_msg: record.in_msg && presentMessage(record.in_msg),
    out_msgs: record.out_msgs.map(presentMessage),
  };
}

/** The raw addresses an answer with these transactions explains. */
export function addressesOf(transactions: readonly TransactionRecord[]): Set<string> {
  const found = new Set<string>();
  for (const { account, in_msg, out_msgs } of transactions) {
    found.add(account);
    if (in_msg?.source) found.add(in_msg.source);
    for (const { destination } of out_msgs) if (destination) found.add(destination);
  }
  return found;
}
