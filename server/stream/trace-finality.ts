import type { TransactionRecord } from "../present/v3/transaction.js";
import { type Finality, leastOf } from "./subscriptions/filter.js";

/** Opcodes of pure notices: text notifications and returned gas. */
const notices: ReadonlySet<string> = new Set(["0x7362d09c", "0x05138d91", "0xd53276db"]);

/** The finality of a trace. Transactions that only receive a notice are ignored. */
export function traceFinality(records: readonly TransactionRecord[]): Finality {
  return leastOf(
    records.filter((record) => !isNotice(record)).map(({ finality }) => finality ?? "finalized"),
  );
}

function isNotice({ in_msg, out_msgs }: TransactionRecord): boolean {
  return out_msgs.length === 0 && in_msg?.opcode != null && notices.has(in_msg.opcode);
}
