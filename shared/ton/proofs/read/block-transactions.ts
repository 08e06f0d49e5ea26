import type { Address } from "../../../values/address.js";
import { bytesEqual } from "../../../values/bytes.js";
import type { BlockTransactionsQuery, LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { type FoundTransaction, transactionsIn } from "./transactions.js";

/** A transaction of a block by account id, logical time and hash. */
export type ListedTransaction = { account: Uint8Array; lt: bigint; hash: Uint8Array };

export type BlockListQuery = {
  block: BlockIdExt;
  count: number;
  /** Cursor: list the transactions after this one. */
  after?: ListPosition | undefined;
};
type ListPosition = { account: Uint8Array; lt: bigint };

/** Ordered by account, then logical time. `incomplete`: there may be more after `count`. */
export type BlockList<T> = { transactions: T[]; incomplete: boolean };

/** Liteservers list at most this many per call. */
const maxPerCall = 256;

export function listBlockTransactions(
  lite: LiteApi,
  query: BlockListQuery,
  call?: LiteCall,
): Promise<BlockList<ListedTransaction>> {
  return collect(query, async (part) => {
    const { ids, incomplete } = await lite.listBlockTransactions(
      { ...part, account: true, lt: true, hash: true },
      call,
    );
    const transactions = ids.map(({ account, lt, hash }) => ({ account: account!, lt: lt!, hash: hash! }));
    return { transactions, incomplete, last: transactions.at(-1) };
  });
}

export function readBlockTransactions(
  lite: LiteApi,
  query: BlockListQuery,
  call?: LiteCall,
): Promise<BlockList<FoundTransaction>> {
  return collect(query, (part) => readPart(lite, part, call));
}

/** All transactions of one account in a block of its shard. */
export async function readAccountBlock(
  lite: Pick<LiteApi, "listBlockTransactionsExt">,
  block: BlockIdExt,
  { hash }: Address,
  call?: LiteCall,
): Promise<FoundTransaction[]> {
  const found: FoundTransaction[] = [];
  let after: ListPosition = { account: hash, lt: 0n };
  for (;;) {
    const part = await readPart(lite, { id: block, count: perAccount, after }, call);
    const own = part.transactions.filter(({ address }) => bytesEqual(address.hash, hash));
    found.push(...own);
    if (!part.incomplete || own.length < part.transactions.length || !part.last) return found;
    after = part.last;
  }
}

/** Page size for one account; few have more transactions in one block. */
const perAccount = 16;

type Part<T> = BlockList<T> & { last: ListPosition | undefined };

async function readPart(
  lite: Pick<LiteApi, "listBlockTransactionsExt">,
  query: BlockTransactionsQuery,
  call?: LiteCall,
): Promise<Part<FoundTransaction>> {
  const { transactions: boc, incomplete } = await lite.listBlockTransactionsExt(query, call);
  const transactions = transactionsIn(boc, query.id.workchain);
  const last = transactions.at(-1);
  const position = last && { account: last.address.hash, lt: last.transaction.lt };
  return { transactions, incomplete, last: position };
}

/** Reads pages until `count` is reached or the list is complete. */
async function collect<T>(
  { block, count, after }: BlockListQuery,
  list: (query: BlockTransactionsQuery) => Promise<Part<T>>,
): Promise<BlockList<T>> {
  const transactions: T[] = [];
  let position = after;
  let incomplete = true;
  while (incomplete && transactions.length < count) {
    const part = await list({
      id: block,
      count: Math.min(maxPerCall, count - transactions.length),
      ...(position && { after: position }),
    });
    transactions.push(...part.transactions);
    incomplete = part.incomplete;
    if (!part.last) break;
    position = part.last;
  }
  return { transactions, incomplete };
}
