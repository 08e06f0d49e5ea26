import { Address } from "../../../shared/values/address.js";
import { parseBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { decode } from "../../tlb/codec.js";
import { Transaction } from "../../tlb/transaction.js";
import type { LiteApi, LiteCall, TransactionList } from "../lite-api.js";
import { isNotFound } from "../not-found.js";
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
  /** Whether to ask servers with the longest history from the start. */
  archival?: boolean | undefined;
};

/** Newest first; `previous` is where the list goes on. */
export type TransactionsPage = { transactions: FoundTransaction[]; previous: TransactionRef };

/** The most a liteserver gives at once. */
const maxPerCall = 16;

/**
 * Back from a transaction of an account. Where the history of a server ends, one with a longer one goes on; where nobody
 * kept more, the page ends early. That a list is short says nothing, as no proof shows where a history ends: the page
 * goes on until what follows is said to be missing.
 */
export async function readTransactions(
  lite: LiteApi,
  { address, from, limit, toLt, archival = false }: TransactionsQuery,
  call: LiteCall = {},
): Promise<TransactionsPage> {
  const account = { workchain: address.workchain, id: address.hash };
  const transactions: FoundTransaction[] = [];
  let previous = from;
  let isDeep = archival;
  while (transactions.length < limit && previous.lt > toLt) {
    const count = Math.min(maxPerCall, limit - transactions.length);
    const asking = lite.getTransactions({ count, account, ...previous }, isDeep ? amongArchives(call) : call);
    const { transactions: boc } = await (transactions.length === 0 ? asking : asking.catch(noneKept));
    const found = transactionsIn(boc, address.workchain);
    for (const each of found) {
      if (each.transaction.lt <= toLt) return { transactions, previous };
      transactions.push(each);
      previous = { lt: each.transaction.prevTransLt, hash: each.transaction.prevTransHash };
    }
    if (found.length === 0) break;
    isDeep ||= found.length < count;
  }
  return { transactions, previous };
}

/** Field by field, as calls are objects that may not show their fields to a spread. */
function amongArchives({ signal, deadline, waitSeqno, asked }: LiteCall): LiteCall {
  return { signal, deadline, waitSeqno, asked, archival: true };
}

/** Nobody has what is older, so there is nothing to add to what was found. */
function noneKept(error: unknown): TransactionList {
  if (!isNotFound(error)) throw error;
  return { ids: [], transactions: new Uint8Array(0) };
}

/** The transactions of a bag with one root for each. */
export function transactionsIn(boc: Uint8Array, workchain: number): FoundTransaction[] {
  if (boc.length === 0) return [];
  return parseBoc(boc).map((cell) => {
    const transaction = decode(Transaction, cell);
    return { address: new Address(workchain, transaction.accountAddr), cell, transaction };
  });
}
