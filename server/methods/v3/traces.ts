import type { Handlers } from "../../../shared/methods/define.js";
import type { traceMethods } from "../../../shared/methods/v3/traces.js";
import { listTraces, type TraceRow } from "../../store/queries/traces.js";
import { transactionsOfTraces } from "../../store/queries/transactions.js";
import { withExtras } from "./answer-extras.js";
import { assertMasterchainBlock } from "./blockchain.js";
import type { IndexDeps } from "./deps.js";
import { isTooLarge, presentTrace, presentWithout } from "./present/trace.js";
import { addressesOf, readTransaction, type TransactionRecord } from "./present/transaction.js";

/** Transactions per answer: a page of the largest traces would be gigabytes. */
const maxTransactions = 20_000;
const leftOut = "answer is too large: transactions of this trace are left out, ask for it by trace_id";

export const traceHandlers: Handlers<typeof traceMethods, IndexDeps> = {
  traces: (params, { index, book }, call) =>
    index.read(call, async (queries) => {
      if (params.mc_seqno !== undefined) await assertMasterchainBlock(queries, params.mc_seqno);
      const rows = await listTraces(queries, params, params);
      const shown = rows.filter(fitting(maxTransactions));
      const texts = shown.length > 0 ? await transactionsOfTraces(queries, shown) : [];
      const byTrace = groupByTrace(texts.map(readTransaction));
      const traces = rows.map((row) =>
        isTooLarge(row) || shown.includes(row)
          ? presentTrace(row, byTrace.get(row.trace_id) ?? [], { actions: params.include_actions })
          : presentWithout(row, leftOut),
      );
      return withExtras({ traces }, addressesOf(texts), { queries, call, book });
    }),
};

/**
 * Whether the transactions of a trace are part of the answer: of the traces of a page, in order, those that fit. The page
 * keeps all its traces, so that callers can go on by offset.
 */
function fitting(maximum: number): (row: TraceRow) => boolean {
  let left = maximum;
  return (row) => {
    if (isTooLarge(row) || row.transactions > left) return false;
    left -= row.transactions;
    return true;
  };
}

/** Transactions by trace, each group in the order of logical time. */
function groupByTrace(transactions: readonly TransactionRecord[]): ReadonlyMap<string, TransactionRecord[]> {
  const groups = new Map<string, TransactionRecord[]>();
  for (const transaction of transactions) {
    const id = transaction.trace_id ?? transaction.hash;
    const group = groups.get(id);
    if (group) group.push(transaction);
    else groups.set(id, [transaction]);
  }
  return groups;
}
