import type { z } from "zod";
import type { TraceNode, trace } from "../../../shared/schema/v3/traces.js";
import type { TraceTransactionText } from "../../store/queries/transactions/transactions.js";
import type { TraceRecord } from "../../store/tables/traces.js";
import type { TextBytes } from "./answer-text.js";
import { addWithBodies, type Contents } from "./message.js";
import type { TransactionRecord } from "./transaction.js";

type Trace = z.output<typeof trace>;

const maxTransactions = 4000;

/** Whether a trace is answered without its transactions. */
export function isTooLarge({ transactions }: TraceRecord): boolean {
  return transactions > maxTransactions;
}

/** A trace with its transactions, given in the order of logical time, and its actions if given. */
export function presentTrace(
  row: TraceRecord,
  records: readonly TransactionRecord[],
  actions?: Trace["actions"],
): Trace {
  if (isTooLarge(row)) return presentTooLarge(row);
  const transactions = Object.fromEntries(records.map((record) => [record.hash, record]));
  return { ...presentTree(row, records, actions), transactions };
}

/** Like `presentTrace`, from texts; appends the result. */
export function addTrace(
  filled: TextBytes,
  row: TraceRecord,
  texts: readonly TraceTransactionText[],
  { contents, actions }: { contents: Contents; actions: Trace["actions"] },
): void {
  if (isTooLarge(row)) {
    filled.add(JSON.stringify(presentTooLarge(row)));
    return;
  }
  const nodes = texts.map(({ hash, in_hash, out_hashes }) => ({
    hash,
    in_msg: in_hash === null ? null : { hash: in_hash },
    out_msgs: out_hashes === null ? [] : out_hashes.split(" ").map((each) => ({ hash: each })),
  }));
  const tree = JSON.stringify(presentTree(row, nodes, actions));
  filled.add(`${tree.slice(0, -1)},"transactions":{`);
  for (const [at, { hash, text }] of texts.entries()) {
    filled.add(`${at === 0 ? "" : ","}"${hash}":`);
    addWithBodies(filled, text, contents);
  }
  filled.add("}}");
}

function presentTooLarge(row: TraceRecord): Trace {
  return presentWithout(row, "trace is too large");
}

/** Input of the tree. */
type Node = {
  hash: string;
  in_msg: { hash: string } | null;
  out_msgs: readonly { hash: string }[];
};

function presentTree(row: TraceRecord, nodes: readonly Node[], actions: Trace["actions"]): Trace {
  const { root, isTorn } = traceTree(nodes);
  return {
    ...summaryOf(row),
    is_incomplete: false,
    ...(isTorn && { warning: "missing node in trace found" }),
    ...(actions && { actions }),
    ...(root && { trace: root }),
    transactions_order: nodes.map(({ hash }) => hash),
  };
}

/** A trace without its transactions; the warning has the reason. */
export function presentWithout(row: TraceRecord, warning: string): Trace {
  return { ...summaryOf(row), is_incomplete: true, warning };
}

function summaryOf(row: TraceRecord): Omit<Trace, "is_incomplete"> {
  return {
    trace_id: row.trace_id,
    external_hash: row.external_hash,
    mc_seqno_start: row.mc_seqno_start,
    mc_seqno_end: row.mc_seqno_end,
    start_lt: row.start_lt,
    start_utime: Number(row.start_utime),
    end_lt: row.end_lt,
    end_utime: row.end_utime === null ? null : Number(row.end_utime),
    trace_info: {
      trace_state: row.trace_state,
      messages: row.messages,
      transactions: row.transactions,
      pending_messages: row.pending_messages,
      classification_state: row.classification_state,
    },
  };
}

/**
 * Senders come before receivers. A transaction without a sender begins the tree; a second one shows that some are
 * missing.
 */
export function traceTree(records: readonly Node[]): {
  root: TraceNode | undefined;
  isTorn: boolean;
} {
  const senders = new Map<string, TraceNode>();
  let root: TraceNode | undefined;
  let isTorn = false;
  for (const { hash, in_msg, out_msgs } of records) {
    const node: TraceNode = { tx_hash: hash, ...(in_msg && { in_msg_hash: in_msg.hash }), children: [] };
    for (const message of out_msgs) senders.set(message.hash, node);
    const sender = in_msg ? senders.get(in_msg.hash) : undefined;
    if (sender) sender.children.push(node);
    else if (root) isTorn = true;
    else root = node;
  }
  return { root, isTorn };
}
