import { Address } from "../../../shared/values/address.js";
import { parseBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteApi, LiteCall } from "../lite-api.js";
import { decode } from "../tlb/codec.js";
import { Transaction } from "../tlb/transaction.js";
import type { TransactionRef } from "./account.js";

/** A transaction with the account it belongs to; its hash is that of the cell. */
export type FoundTransaction = { address: Address; cell: Cell; transaction: Transaction };

export type TransactionsQuery = {
  address: Address;
  /** The newest transaction wanted, itself included. */
  from: TransactionRef;
  limit: number;
  /** Only transactions after this logical time; 0 for all. */
  toLt: bigint;
};

/** Newest first; `previous` is where the list goes on. */
export type TransactionsPage = { transactions: FoundTransaction[]; previous: TransactionRef };

/** The most a liteserver gives at once. */
const maxPerCall = 16;

/** Back from a transaction of an account. Where history was dropped the page ends early. */
export async function readTransactions(
  lite: LiteApi,
  { address, from, limit, toLt }: TransactionsQuery,
  call?: LiteCall,
): Promise<TransactionsPage> {
  const account = { workchain: address.workchain, id: address.hash };
  const transactions: FoundTransaction[] = [];
  let previous = from;
  while (transactions.length < limit && previous.lt > toLt) {
    const count = Math.min(maxPerCall, limit - transactions.length);
    const answer = await lite.getTransactions({ count, account, ...previous }, call);
    const found = transactionsIn(answer.transactions, address.workchain);
    for (const each of found) {
      if (each.transaction.lt <= toLt) return { transactions, previous };
      transactions.push(each);
      previous = { lt: each.transaction.prevTransLt, hash: each.transaction.prevTransHash };
    }
    if (found.length < count) break;
  }
  return { transactions, previous };
}

/** The transactions of a bag with one root for each. */
export function transactionsIn(boc: Uint8Array, workchain: number): FoundTransaction[] {
  if (boc.length === 0) return [];
  return parseBoc(boc).map((cell) => {
    const transaction = decode(Transaction, cell);
    return { address: new Address(workchain, transaction.accountAddr), cell, transaction };
  });
}
