import { Address } from "../../../values/address.js";
import { parseBoc } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { accountIdOf } from "../../lite/account-id.js";
import type { LiteApi, LiteCall, TransactionList } from "../../lite/lite-api.js";
import { isNotFound } from "../../lite/not-found.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { Transaction } from "../../tlb/transaction.js";
import type { TransactionRef } from "./account.js";

/** A transaction and its account; the hash of `cell` is the transaction's hash. */
export type FoundTransaction = { address: Address; cell: Cell; transaction: Transaction };

export type TransactionsQuery = {
  address: Address;
  /** Start of the page, included. */
  from: TransactionRef;
  limit: number;
  /** Only transactions after this logical time; 0 for all. */
  toLt: bigint;
  /** Whether to prefer servers with the longest history from the first call on. */
  archival?: boolean | undefined;
};

/**
 * Newest first, with the block of each, if the server knows it; `previous` is the start of the next page, with lt 0 after the
 * account's first transaction.
 */
export type TransactionsPage = {
  transactions: FoundTransaction[];
  blocks: (BlockIdExt | undefined)[];
  previous: TransactionRef;
};

/** Liteservers send at most this many per call. */
const maxPerCall = 16;

/**
 * Reads the transactions of an account from one transaction backwards. Where a server's history ends, the page continues
 * at a server with a longer one; it ends early if no server has more. A short list is not an end, as no proof shows
 * where a history ends: reading continues until the next transaction is reported missing.
 */
export async function readTransactions(
  lite: Pick<LiteApi, "getTransactions">,
  { address, from, limit, toLt, archival = false }: TransactionsQuery,
  call: LiteCall = {},
): Promise<TransactionsPage> {
  const account = accountIdOf(address);
  const transactions: FoundTransaction[] = [];
  const blocks: (BlockIdExt | undefined)[] = [];
  let previous = from;
  let isDeep = archival;
  while (transactions.length < limit && previous.lt > toLt) {
    const count = Math.min(maxPerCall, limit - transactions.length);
    const pending = lite.getTransactions({ count, account, ...previous }, isDeep ? withArchival(call) : call);
    const { transactions: boc, ids } = await (transactions.length === 0 ? pending : pending.catch(noMore));
    const found = transactionsIn(boc, address.workchain);
    for (const [index, each] of found.entries()) {
      if (each.transaction.lt <= toLt) return { transactions, blocks, previous };
      transactions.push(each);
      blocks.push(ids[index]);
      previous = { lt: each.transaction.prevTransLt, hash: each.transaction.prevTransHash };
    }
    if (found.length === 0) break;
    isDeep ||= found.length < count;
  }
  return { transactions, blocks, previous };
}

/** Copies field by field: a call may be an object with getters, which a spread would miss. */
function withArchival({ signal, deadline, waitSeqno, asked, heard }: LiteCall): LiteCall {
  return { signal, deadline, waitSeqno, asked, heard, archival: true };
}

/** Treats "not found" as an empty list: no server has older transactions. */
function noMore(error: unknown): TransactionList {
  if (!isNotFound(error)) throw error;
  return { ids: [], transactions: new Uint8Array(0) };
}

/** The transaction of an account at a logical time; undefined if the block has none. */
export async function readOneTransaction(
  lite: Pick<LiteApi, "getOneTransaction">,
  { id, address, lt }: { id: BlockIdExt; address: Address; lt: bigint },
  call: LiteCall,
): Promise<FoundTransaction | undefined> {
  const account = accountIdOf(address);
  const { transaction } = await lite.getOneTransaction({ id, account, lt }, call);
  return transactionsIn(transaction, address.workchain)[0];
}

/** The transactions of a BOC with one root each. */
export function transactionsIn(boc: Uint8Array, workchain: number): FoundTransaction[] {
  if (boc.length === 0) return [];
  return parseBoc(boc).map((cell) => {
    const transaction = decode(Transaction, cell);
    return { address: new Address(workchain, transaction.accountAddr), cell, transaction };
  });
}
