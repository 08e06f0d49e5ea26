import type { ResultOf } from "../../methods/define.js";
import type { transactionMethods } from "../../methods/v2/transactions.js";
import type { TransactionRef } from "../proofs/read/account.js";
import type { ListedTransaction } from "../proofs/read/block-transactions.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import { presentBlockId, presentTransactionId } from "./records.js";
import { presentShortTransaction } from "./transaction.js";

type Result<Name extends keyof typeof transactionMethods> = ResultOf<(typeof transactionMethods)[Name]>;

/** Part of a block's transactions; `incomplete` if more follow. */
type BlockList = { block: BlockIdExt; count: number; incomplete: boolean };

export function presentBlockTransactions(
  list: BlockList,
  transactions: readonly ListedTransaction[],
): Result<"getBlockTransactions"> {
  const { workchain } = list.block;
  return {
    "@type": "blocks.transactions",
    ...headOf(list),
    transactions: transactions.map((listed) => presentShortTransaction(workchain, listed)),
  };
}

export function presentBlockTransactionsExt(
  list: BlockList,
  transactions: Result<"getBlockTransactionsExt">["transactions"],
): Result<"getBlockTransactionsExt"> {
  return { "@type": "blocks.transactionsExt", ...headOf(list), transactions };
}

/** `previous` is the first transaction of the next page. */
export function presentTransactionPage(
  transactions: Result<"getTransactionsStd">["transactions"],
  previous: TransactionRef,
): Result<"getTransactionsStd"> {
  return {
    "@type": "raw.transactions",
    transactions,
    previous_transaction_id: presentTransactionId(previous),
  };
}

function headOf({ block, count, incomplete }: BlockList) {
  return { id: presentBlockId(block), req_count: count, incomplete };
}
