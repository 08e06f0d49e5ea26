import type { TransactionId } from "../../../../client/api.js";
import { plainRowOf, rowsOf, transactionRows } from "../parts/transaction-rows.js";
import type { ViewContext } from "../view.js";
import type { Page } from "./pages.js";

const pageLength = 20;

/** Reads the transactions of an account from the index, newest first, a page per call. */
export function indexedTransactions(context: ViewContext, account: string): () => Promise<Page> {
  const { call } = context;
  let end: string | undefined;
  return async () => {
    const { transactions, ...extras } = await call("v3.transactions", {
      account: [account],
      limit: pageLength,
      include_abi: true,
      ...(end !== undefined && { end_lt: (BigInt(end) - 1n).toString() }),
    });
    end = transactions.at(-1)?.lt ?? end;
    const rows = transactionRows(rowsOf(transactions, extras), { ...context, account });
    return { rows, isLast: transactions.length < pageLength };
  };
}

/** Reads them from the chain, from the last one. */
export function plainTransactions(
  context: ViewContext,
  account: string,
  last: TransactionId,
): () => Promise<Page> {
  let from: TransactionId | undefined;
  return async () => {
    const begin = from ?? last;
    const transactions = await context.call("getTransactions", {
      address: account,
      limit: pageLength + (from ? 1 : 0),
      lt: begin.lt,
      hash: begin.hash,
    });
    // Each page starts with the last transaction of the previous one; drop it.
    const added = from ? transactions.slice(1) : transactions;
    from = added.at(-1)?.transaction_id ?? begin;
    const rows = transactionRows(added.map(plainRowOf), { ...context, account });
    return { rows, isLast: added.length < pageLength };
  };
}
